import { WorldsEngine } from '@rdf-worlds/core';
import { fileStorage } from '@rdf-worlds/storage-file';
import { postgresStorage } from '@rdf-worlds/storage-postgres';
import pg from 'pg';

/** Connections of one process, as `rdf-worlds serve` has. */
const CONNECTIONS = 10;

/**
 * Where worlds are kept: a schema of a database, a directory, or one that another process writes.
 */
export type SharedPlace =
  | { readonly kind: 'postgres'; readonly server: pg.PoolConfig; readonly schema: string }
  | { readonly kind: 'directory'; readonly path: string }
  | { readonly kind: 'follower'; readonly path: string };

export function poolOf(server: pg.PoolConfig): pg.Pool {
  return new pg.Pool({ ...server, max: CONNECTIONS });
}

/** Runs work on an engine over a place, and closes it. */
export async function withEngine<Result>(
  place: SharedPlace,
  work: (engine: WorldsEngine) => Promise<Result>,
): Promise<Result> {
  const pool = place.kind === 'postgres' ? poolOf(place.server) : undefined;
  const storage =
    place.kind === 'postgres'
      ? postgresStorage({ pool: pool!, schema: place.schema })
      : fileStorage({ path: place.path, readOnly: place.kind === 'follower' });
  const engine = await WorldsEngine.open({ storage, textIndex: null });
  try {
    return await work(engine);
  } finally {
    await engine.close();
    await pool?.end();
  }
}

/** Milliseconds since the epoch, with fractions: comparable between processes of one machine. */
export const nowMs = (): number => performance.timeOrigin + performance.now();

/** Waits until a moment, so that several processes begin together. */
export async function until(startMs: number): Promise<void> {
  const leftMs = startMs - nowMs();
  if (leftMs > 0) await new Promise((resolve) => setTimeout(resolve, leftMs));
}
