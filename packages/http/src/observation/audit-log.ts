import type { RequestObserver } from './request-observer.ts';
import { known, type RequestRecord } from './request-record.ts';

/**
 * `unauthenticated` is 401, `denied` is 403; `write` is any other request for a change, `backup`
 * one for a copy of everything, whatever became of them.
 */
export type AuditEvent = 'unauthenticated' | 'denied' | 'write' | 'backup';

/** What the audit log says of one request. Plain JSON; fields that are not known are left out. */
export interface AuditEntry {
  /** Milliseconds since the epoch. */
  readonly time: number;
  readonly event: AuditEvent;
  readonly requestId: string;
  readonly method: string;
  readonly operation?: string;
  /** The peer of the connection, which may be a proxy. */
  readonly remoteAddress?: string;
  readonly principal?: string;
  /** Every world that was authorised or refused: `namespace/slug`, or `namespace/*`. */
  readonly worlds?: readonly string[];
  readonly status: number;
  /** Of the error. IN_DOUBT: the change may have been kept. */
  readonly code?: string;
  /** Quads that a write inserted or deleted. */
  readonly rows?: number;
}

/**
 * Tells a listener of requests that were refused for their credentials or rights, and of those that
 * write.
 */
export class AuditLog implements RequestObserver {
  private readonly listener: (entry: AuditEntry) => void;

  constructor(listener: (entry: AuditEntry) => void) {
    this.listener = listener;
  }

  ended(record: RequestRecord): void {
    const event = eventOf(record);
    if (!event) return;
    const { requestId, method, operation, remoteAddress, principal, worlds, status, code, rows } = record;
    const entry: AuditEntry = {
      time: Date.now(),
      event,
      requestId,
      method,
      operation,
      remoteAddress,
      principal,
      worlds: worlds.length > 0 ? worlds : undefined,
      status,
      code,
      rows,
    };
    this.listener(known(entry));
  }
}

function eventOf({ status, isWrite, operation }: RequestRecord): AuditEvent | undefined {
  if (status === 401) return 'unauthenticated';
  if (status === 403) return 'denied';
  if (isWrite) return 'write';
  return operation === 'backup' ? 'backup' : undefined;
}
