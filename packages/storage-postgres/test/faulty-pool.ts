import { setTimeout as wait } from 'node:timers/promises';
import type { SeededRandom } from '@rdf-worlds/testkit';
import type { PostgresClient, PostgresPool, PostgresQuery, PostgresResult } from '../src/index.ts';

/** What becomes of a statement. */
export type Fault =
  /** It succeeds. */
  | 'none'
  /** It is never sent. */
  | 'before'
  /** It takes effect, and its result is lost. */
  | 'after'
  /** Its result is lost, and it takes effect later, possibly after other statements. */
  | 'late'
  /** It fails with a serialization failure. */
  | 'serialization'
  /** The server does not know it. */
  | 'refused';

/** A pool whose statements fail as `faultOf` decides. Late statements are collected. */
export class FaultyPool implements PostgresPool {
  readonly #pool: PostgresPool;
  readonly #random: SeededRandom;
  readonly #faultOf: (text: string) => Fault;
  readonly #late = new Set<Promise<unknown>>();

  constructor(pool: PostgresPool, random: SeededRandom, faultOf: (text: string) => Fault) {
    this.#pool = pool;
    this.#random = random;
    this.#faultOf = faultOf;
  }

  async connect(): Promise<PostgresClient> {
    const client = await this.#pool.connect();
    return {
      query: (query) => this.#query(client, query),
      release: (destroy) => client.release(destroy),
      on: (event, listener) => client.on(event, listener),
      removeListener: (event, listener) => client.removeListener(event, listener),
    };
  }

  async #query(client: PostgresClient, query: PostgresQuery): Promise<PostgresResult> {
    const fault = this.#faultOf(query.text);
    if (fault === 'serialization') throw Object.assign(new Error('could not serialize access'), { code: '40001' });
    if (fault === 'refused') throw Object.assign(new Error('it is not supported'), { code: '0A000' });
    if (fault === 'late') {
      const late = wait(this.#random.below(30)).then(() => this.#pool.query(query));
      this.#late.add(late);
      const done = () => this.#late.delete(late);
      late.then(done, done);
    }
    const result = fault === 'none' || fault === 'after' ? await client.query(query) : undefined;
    if (fault === 'none') return result!;
    throw Object.assign(new Error('Connection terminated unexpectedly'));
  }

  /** Waits until no statement is late any more. */
  async settled(): Promise<void> {
    while (this.#late.size > 0) await Promise.allSettled(this.#late);
  }

  query(query: PostgresQuery): Promise<PostgresResult> {
    return this.#pool.query(query);
  }

  on(event: unknown, listener: (...args: unknown[]) => void): unknown {
    return this.#pool.on(event, listener);
  }

  removeListener(event: unknown, listener: (...args: unknown[]) => void): unknown {
    return this.#pool.removeListener(event, listener);
  }
}
