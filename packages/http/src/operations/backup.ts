import { type WorldsEngine, WorldsError } from '@rdf-worlds/core';
import type { Call } from '../call.ts';
import { type Reply, streamedReply } from '../reply.ts';

/** Engines of which a backup is being made: each keeps what it reads, and reads all there is. */
const BUSY = new WeakSet<WorldsEngine>();

/**
 * All namespaces as one file that `WorldsEngine.restore` and the command `restore` read, or what
 * changed since an earlier one. Writers go on meanwhile. It ends with a hash: what breaks off is
 * not taken for a whole one. Throws OVERLOADED while another one is made.
 */
export async function backup(call: Call): Promise<Reply> {
  const [since, ...more] = call.incoming.query.getAll('since');
  if (more.length > 0) throw new WorldsError('INVALID_ARGUMENT', 'since: it is given more than once.');
  const headers = { 'cache-control': 'no-store', 'content-disposition': 'attachment; filename="worlds.backup"' };
  return streamedReply(call, 'application/octet-stream', alone(call, since), headers);
}

async function* alone({ engine, signal }: Call, since: string | undefined): AsyncGenerator<Uint8Array> {
  if (BUSY.has(engine)) {
    throw new WorldsError('OVERLOADED', 'Another backup is being made; ask again when it has ended.');
  }
  BUSY.add(engine);
  try {
    yield* engine.backupStream({ since, signal });
  } finally {
    BUSY.delete(engine);
  }
}
