import type { RequestObserver } from './request-observer.ts';
import { known, type RequestRecord } from './request-record.ts';

/**
 * `unauthenticated` is a 401, `denied` a 403; `write` is any other write request, and `backup` a
 * request for a backup, successful or not.
 */
export type AuditEvent = 'unauthenticated' | 'denied' | 'write' | 'backup';

/** The audit record of one request: plain JSON without unknown fields. */
export interface AuditEntry {
  /** Milliseconds since the epoch. */
  readonly time: number;
  readonly event: AuditEvent;
  /** The request's `X-Request-Id` header if it is well formed, else a random UUID. */
  readonly requestId: string;
  readonly method: string;
  /** The operation's name in the OpenAPI document; absent if no route matches. */
  readonly operation?: string;
  /** The peer of the connection, possibly a proxy. */
  readonly remoteAddress?: string;
  /** The `id` of the caller; absent if the caller is unknown. */
  readonly principal?: string;
  /** Every world that access was granted or denied to: `namespace/slug`, or `namespace/*`. */
  readonly worlds?: readonly string[];
  /** Status of the answer. */
  readonly status: number;
  /** The error code. `IN_DOUBT`: the change may have been stored. */
  readonly code?: string;
  /** Number of quads that a write inserted or deleted. */
  readonly rows?: number;
}

/** Reports writes, backups, and requests refused with 401 or 403 to a listener. */
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
