import { WorldsError } from '@rdf-worlds/core';
import type { Database, Row } from './database.ts';
import type { PostgresPool } from './postgres-pool.ts';
import { quoted } from './schema-name.ts';

/** Values arrive as text, whatever parsers the application has registered with `pg`. */
const TEXT = { getTypeParser: () => (value: unknown) => value };

/** A pool of `pg`, which the caller owns. */
export class PoolDatabase implements Database {
  readonly #pool: PostgresPool;

  constructor(pool: PostgresPool) {
    this.#pool = pool;
  }

  async query(text: string, values: readonly unknown[]): Promise<readonly Row[]> {
    return (await this.#pool.query({ text, values: [...values], types: TEXT })).rows;
  }

  async listen(channel: string, onNotice: (payload: string) => void, onEnd: () => void): Promise<() => Promise<void>> {
    if (this.#pool.options?.max === 1)
      throw new WorldsError('UNSUPPORTED', 'The pool has a single connection, which cannot listen as well.');
    const client = await this.#pool.connect();
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
      await client.query({ text: `LISTEN ${quoted(channel)}` });
    } catch (error) {
      end(true);
      throw error;
    }
    return async () => {
      if (isOver) return;
      // A connection that returns to the pool must not listen.
      await client.query({ text: `UNLISTEN ${quoted(channel)}` }).then(
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
