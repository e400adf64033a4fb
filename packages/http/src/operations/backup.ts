import { type WorldsEngine, WorldsError } from '@rdf-worlds/core';
import type { Call } from '../call.ts';
import { type Reply, streamedReply } from '../reply.ts';

/**
 * Engines with a backup in progress. Only one at a time: each holds a snapshot and reads
 * everything.
 */
const BUSY = new WeakSet<WorldsEngine>();

/**
 * Streams a backup of all namespaces, or of the changes since an earlier backup, as a file that
 * `WorldsEngine.restore` and the command `restore` read. Writers are not blocked. The file ends
 * with a hash, so a truncated one is detected. Throws `OVERLOADED` while another backup is in
 * progress.
 */
export async function backup(call: Call): Promise<Reply> {
  const [since, ...more] = call.incoming.query.getAll('since');
  if (more.length > 0) throw new WorldsError('INVALID_ARGUMENT', 'since: it is given more than once.');
  const headers = { 'cache-control': 'no-store', 'content-disposition': 'attachment; filename="worlds.backup"' };
  return streamedReply(call, 'application/octet-stream', alone(call, since), headers);
}

async function* alone({ engine, signal }: Call, since: string | undefined): AsyncGenerator<Uint8Array> {
  if (BUSY.has(engine)) {
    throw new WorldsError('OVERLOADED', 'Another backup is in progress; retry when it has finished.');
  }
  BUSY.add(engine);
  try {
    yield* engine.backupStream({ since, signal });
  } finally {
    BUSY.delete(engine);
  }
}
