import { WorldsError } from '@rdf-worlds/core';
import type { Access } from '../access.ts';
import { HttpError } from '../http-error.ts';
import type { NamedWorld } from '../named-world.ts';
import type { OperationName, RouteInfo } from '../route-info.ts';

/** Names of worlds in one entry; the rest is counted. */
const MAX_WORLDS = 20;
/** A principal's id may be a claim of a token that others made. */
const MAX_NAME_LENGTH = 200;

/**
 * How an answer ended: sent as a whole, broken by a failure after its status was sent, or given up
 * by the client.
 */
export type Outcome = 'complete' | 'broken' | 'abandoned';

/** A query or an update as it was run, for the log of slow ones. */
export interface RecordedQuery {
  readonly text: string;
  readonly sources: readonly NamedWorld[];
}

/**
 * What is known of one request: filled in as it is worked on, and complete when its answer has
 * ended. Holds no token and no body but the text of a query, which only the log of slow queries
 * reads.
 */
export class RequestRecord {
  readonly requestId: string;
  readonly method: string;
  /** The peer of the connection, which may be a proxy; undefined where the host does not tell. */
  readonly remoteAddress: string | undefined;
  /** Of `performance.now()`. */
  readonly startedMs: number;
  /** Undefined where no route was found. */
  route: RouteInfo | undefined;
  /** Undefined until the caller is known. */
  access: Access | undefined;
  namespace: string | undefined;
  /** Of the path. */
  world: string | undefined;
  /** Whether the request asked for a change. */
  isWrite = false;
  /**
   * Solutions, triples or hits of the answer; quads that a write inserted or deleted. Undefined
   * where nothing is counted.
   */
  rows: number | undefined;
  query: RecordedQuery | undefined;
  status = 0;
  /** What the request failed with, before or after its status was sent. */
  error: unknown;
  /** Of the answer's body, as far as it was made. */
  bytes = 0;
  outcome: Outcome = 'complete';
  /** Milliseconds from the start to the end of the answer. */
  durationMs = 0;
  /** The part of it in which the client was not waited for. */
  workMs = 0;

  constructor(requestId: string, method: string, remoteAddress: string | undefined) {
    this.requestId = requestId;
    this.method = method;
    this.remoteAddress = remoteAddress;
    this.startedMs = performance.now();
  }

  get operation(): OperationName | undefined {
    return this.route?.operation;
  }

  /** The path of the route with its variables, never what was sent for them. */
  get path(): string | undefined {
    return this.route?.path;
  }

  get principal(): string | undefined {
    return this.access?.id.slice(0, MAX_NAME_LENGTH);
  }

  /** The code of the error, where there is one. */
  get code(): string | undefined {
    const { error } = this;
    if (error === undefined || error instanceof HttpError) return undefined;
    return error instanceof WorldsError ? error.code : 'INTERNAL';
  }

  /**
   * Every world that was authorised, or refused, once: `namespace/slug`, or `namespace/*` for those
   * of a namespace.
   */
  get worlds(): readonly string[] {
    const names = new Set(this.access?.asked.map(({ namespace, slug = '*' }) => `${cut(namespace)}/${cut(slug)}`));
    if (names.size <= MAX_WORLDS) return [...names];
    return [...[...names].slice(0, MAX_WORLDS), `and ${names.size - MAX_WORLDS} more`];
  }

  /** What every entry about the request has. */
  get details(): object {
    const { requestId, method, operation, path, remoteAddress, principal, worlds, status, code, rows } = this;
    return known({
      requestId,
      method,
      operation,
      path,
      remoteAddress,
      principal,
      namespace: this.namespace && cut(this.namespace),
      world: this.world && cut(this.world),
      worlds: worlds.length > 0 ? worlds : undefined,
      status,
      code,
      outcome: this.outcome === 'complete' ? undefined : this.outcome,
      rows,
      bytes: this.bytes,
      durationMs: rounded(this.durationMs),
      workMs: rounded(this.workMs),
    });
  }
}

/** Without the fields that are undefined: readers of an object take them for known. */
export function known<Fields extends object>(fields: Fields): Fields {
  for (const [name, value] of Object.entries(fields)) if (value === undefined) delete fields[name as keyof Fields];
  return fields;
}

function cut(name: string): string {
  return name.length > MAX_NAME_LENGTH ? name.slice(0, MAX_NAME_LENGTH) : name;
}

/** To microseconds: the rest is noise. */
function rounded(ms: number): number {
  return Math.round(ms * 1000) / 1000;
}
