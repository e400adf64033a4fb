import type { Incoming } from '../incoming.ts';
import type { RequestRecord } from './request-record.ts';

/** Observes requests. Implementations must neither throw nor block. */
export interface RequestObserver {
  /** Called first, when only method and id are known. */
  begun?(record: RequestRecord, incoming: Incoming): void;
  /** Called when the last byte of the answer was produced, or the client abandoned it. */
  ended(record: RequestRecord): void;
}
