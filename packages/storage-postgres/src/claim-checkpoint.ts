import type { CheckpointClaim } from '@rdf-worlds/core/plugin';
import type { NamespaceView } from './namespace-view.ts';
import { databaseError } from './postgres-errors.ts';

/** Claims the writing of checkpoints; the clock is that of the server. */
export async function claimCheckpoint(view: NamespaceView, forMs: number): Promise<CheckpointClaim> {
  const { store, key, id } = view;
  const { namespaces } = store.tables;
  const what = `Claiming a checkpoint of ${view.where}`;
  const claimed = await store.run(
    what,
    `UPDATE ${namespaces} SET claimant = $2::text, claimed_until = now() + $3::float8 * interval '1 millisecond'
     WHERE namespace = $1 AND (claimant = $2::text OR claimed_until <= now())
     RETURNING namespace`,
    [key, id, forMs],
  );
  const row = await view.row(what);
  const newest = row && row.checkpoints > 0 ? row.checkpointPosition : 0;
  if (claimed.length === 0) return { newest, release: undefined };
  const release = async (): Promise<void> => {
    const ended = `UPDATE ${namespaces} SET claimant = '', claimed_until = now() WHERE namespace = $1 AND claimant = $2::text`;
    // If that fails, its time ends it.
    await store.run(what, ended, [key, id]).catch((error: unknown) => store.report(databaseError(error, what)));
  };
  return { newest, release };
}
