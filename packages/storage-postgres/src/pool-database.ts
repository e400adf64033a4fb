import { WorldsError } from '@rdf-worlds/core';
import type { Database, ListenOptions, Row } from './database.ts';
import { NoAnswer, NotSent, outcomeOf } from './postgres-errors.ts';
import type { PostgresClient, PostgresPool } from './postgres-pool.ts';
import { quoted } from './schema-name.ts';

/** Values arrive as text, whatever parsers the application has registered with `pg`. */
const TEXT = { getTypeParser: () => (value: unknown) => value };

/** A pool of `pg`, which the caller owns. */
export class PoolDatabase implements Database {
  readonly #pool: PostgresPool;

  constructor(pool: PostgresPool) {
    this.#pool = pool;
  }

  async query(text: string, values: readonly unknown[], limitMs: number): Promise<readonly Row[]> {
    const startedMs = performance.now();
    const client = await this.#connect(limitMs);
    // Without a listener, the loss of the connection would end the process. The statement fails.
    client.on('error', ignore);
    let isLost = true;
    try {
      const leftMs = Math.max(1, limitMs - (performance.now() - startedMs));
      const { rows } = await withLimit(client.query({ text, values: [...values], types: TEXT }), leftMs, limitMs);
      isLost = false;
      return rows;
    } catch (error) {
      isLost = outcomeOf(error) === 'unknown';
      throw error;
    } finally {
      // A lost connection may still wait for an answer: the pool closes it.
      client.release(isLost);
      client.removeListener('error', ignore);
    }
  }

  /** Takes a connection out of the pool. Throws {@link NotSent} if there is none in time. */
  async #connect(limitMs: number): Promise<PostgresClient> {
    const connecting = this.#pool.connect();
    try {
      return await withLimit(connecting, limitMs, limitMs);
    } catch (cause) {
      // It may still arrive.
      if (cause instanceof NoAnswer) connecting.then((client) => client.release(), ignore);
      throw new NotSent(cause);
    }
  }

  async listen(channel: string, { onNotice, onEnd, limitMs }: ListenOptions): Promise<() => Promise<void>> {
    if (this.#pool.options?.max === 1)
      throw new WorldsError('UNSUPPORTED', 'The pool has a single connection, which cannot listen as well.');
    const client = await this.#connect(limitMs);
    let isOver = false;
    const end = (destroys: boolean): void => {
      if (isOver) return;
      isOver = true;
      client.removeListener('notification', notice);
      client.removeListener('end', lost);
      // The pool destroys it; its last errors have no other listener.
      client.release(destroys);
    };
    const notice = (message: { channel: string; payload?: string }): void => {
      if (message.channel === channel) onNotice(message.payload ?? '');
    };
    const lost = (): void => {
      if (isOver) return;
      end(true);
      onEnd();
    };
    client.on('notification', notice);
    client.on('error', lost);
    client.on('end', lost);
    try {
      await withLimit(client.query({ text: `LISTEN ${quoted(channel)}` }), limitMs, limitMs);
    } catch (error) {
      end(true);
      throw error;
    }
    return async () => {
      if (isOver) return;
      // A connection that returns to the pool must not listen.
      await withLimit(client.query({ text: `UNLISTEN ${quoted(channel)}` }), limitMs, limitMs).then(
        () => end(false),
        () => end(true),
      );
      client.removeListener('error', lost);
    };
  }

  onError(listener: (error: Error) => void): () => void {
    // Without a listener, the loss of an idle connection would end the process.
    this.#pool.on('error', listener);
    return () => this.#pool.removeListener('error', listener);
  }
}

function ignore(): void {}

/** Throws {@link NoAnswer} if a promise is not settled in time. Its late outcome is discarded. */
async function withLimit<Result>(work: Promise<Result>, leftMs: number, limitMs: number): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new NoAnswer(limitMs)), leftMs);
  });
  try {
    return await Promise.race([work, over]);
  } finally {
    clearTimeout(timer);
  }
}
