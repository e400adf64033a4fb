import type { Incoming } from '../incoming.ts';
import type { RequestRecord } from './request-record.ts';

/** Takes note of requests. Must neither throw nor wait. */
export interface RequestObserver {
  /** Before anything is known but method and id. */
  begun?(record: RequestRecord, incoming: Incoming): void;
  /** When the last byte of the answer was made, or nobody wants more of it. */
  ended(record: RequestRecord): void;
}
