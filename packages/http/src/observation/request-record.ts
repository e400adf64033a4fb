import { WorldsError } from '@rdf-worlds/core';
import type { Access } from '../access.ts';
import { HttpError } from '../http-error.ts';
import type { NamedWorld } from '../named-world.ts';
import type { OperationName, RouteInfo } from '../route-info.ts';

/** Maximum number of world names per entry; the rest is only counted. */
const MAX_WORLDS = 20;
/** Maximum length of logged names: a principal's id may come from a third party's token. */
const MAX_NAME_LENGTH = 200;

/**
 * How an answer ended: sent completely, broken by a failure after its status was sent, or abandoned
 * by the client.
 */
export type Outcome = 'complete' | 'broken' | 'abandoned';

/** A query or update as executed, for the slow query log. */
export interface RecordedQuery {
  readonly text: string;
  readonly sources: readonly NamedWorld[];
}

/**
 * The data collected about one request: filled in during processing, and complete once its answer
 * has ended. Contains no token and no body, except for the text of a query, which the slow query
 * log and traces read.
 */
export class RequestRecord {
  readonly requestId: string;
  readonly method: string;
  /** The peer of the connection, possibly a proxy; undefined if the host does not report it. */
  readonly remoteAddress: string | undefined;
  /** From `performance.now()`. */
  readonly startedMs: number;
  /** Undefined if no route matched. */
  route: RouteInfo | undefined;
  /** Undefined until the caller is authenticated. */
  access: Access | undefined;
  namespace: string | undefined;
  /** The slug in the path. */
  world: string | undefined;
  /** True if the request asks for a change. */
  isWrite = false;
  /**
   * Number of solutions, triples or hits in the answer, or of quads that a write inserted or
   * deleted. Undefined if nothing is counted.
   */
  rows: number | undefined;
  query: RecordedQuery | undefined;
  status = 0;
  /** The error of the request, before or after its status was sent. */
  error: unknown;
  /** Bytes of the answer's body produced so far. */
  bytes = 0;
  outcome: Outcome = 'complete';
  /** Index among the running requests. */
  place = -1;
  /** Milliseconds from the start of the request to the end of its answer. */
  durationMs = 0;
  /** The part of `durationMs` not spent waiting for the client. */
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

  /** The path template of the route; never the values that the client sent. */
  get path(): string | undefined {
    return this.route?.path;
  }

  get principal(): string | undefined {
    return this.access?.id.slice(0, MAX_NAME_LENGTH);
  }

  /** The error code, if there was an error that has one. */
  get code(): string | undefined {
    const { error } = this;
    if (error === undefined || error instanceof HttpError) return undefined;
    return error instanceof WorldsError ? error.code : 'INTERNAL';
  }

  /**
   * Every world that access was granted or denied to, without duplicates: `namespace/slug`, or
   * `namespace/*` for all of a namespace.
   */
  get worlds(): readonly string[] {
    const names = new Set(this.access?.asked.map(({ namespace, slug = '*' }) => `${cut(namespace)}/${cut(slug)}`));
    if (names.size <= MAX_WORLDS) return [...names];
    return [...[...names].slice(0, MAX_WORLDS), `and ${names.size - MAX_WORLDS} more`];
  }

  /** The fields common to all log entries about the request. */
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

/** Deletes the undefined fields, because consumers treat a present field as known. */
export function known<Fields extends object>(fields: Fields): Fields {
  for (const [name, value] of Object.entries(fields)) if (value === undefined) delete fields[name as keyof Fields];
  return fields;
}

function cut(name: string): string {
  return name.length > MAX_NAME_LENGTH ? name.slice(0, MAX_NAME_LENGTH) : name;
}

/** Rounds to microseconds. */
function rounded(ms: number): number {
  return Math.round(ms * 1000) / 1000;
}
