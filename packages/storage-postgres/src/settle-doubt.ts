import { WorldsError } from '@rdf-worlds/core';
import type { Head } from '@rdf-worlds/core/plugin';
import type { NamespaceView } from './namespace-view.ts';
import type { Patience } from './patience.ts';
import { databaseError } from './postgres-errors.ts';

/**
 * Settles the appends of a namespace whose outcome is unknown: raises the fence, so that a
 * statement that has not reached the server, or waits there, does nothing from now on. What the log
 * then has is final. Throws IN_DOUBT if the database cannot be reached.
 */
export async function settleDoubt({ store, key, where }: NamespaceView, patience = store.patience()): Promise<void> {
  const cause = store.doubts.get(key);
  if (!cause) return;
  const what = `Settling the last append to ${where}`;
  try {
    const raised = `UPDATE ${store.tables.namespaces} SET fence = fence + 1 WHERE namespace = $1`;
    await store.run(what, raised, [key], { patience });
  } catch (error) {
    throw inDoubt(cause, databaseError(error, what).message);
  }
  if (store.doubts.get(key) === cause) store.doubts.delete(key);
}

/**
 * Whether an append that was settled is in the log: whether a record with its id ends at its head.
 * Throws IN_DOUBT if the log cannot be read, or no longer reaches back.
 */
export async function isAppended(
  { store, key, where }: NamespaceView,
  { incarnation, position }: Head,
  id: string,
  { cause, patience }: { readonly cause: WorldsError; readonly patience: Patience },
): Promise<boolean> {
  const what = `Looking for the last append to ${where}`;
  const { namespaces, records } = store.tables;
  try {
    const [row] = await store.run(
      what,
      `SELECT n.incarnation, n.position, n.log_start, r.id
       FROM ${namespaces} AS n LEFT JOIN ${records} AS r ON r.incarnation = n.incarnation AND r.position = $2
       WHERE n.namespace = $1`,
      [key, position],
      { patience },
    );
    if (row?.id === id) return true;
    if (row?.incarnation === incarnation && Number(row.log_start) < position) return false;
  } catch (error) {
    throw inDoubt(cause, databaseError(error, what).message);
  }
  throw inDoubt(cause, 'its records have been truncated or dropped since');
}

function inDoubt(cause: WorldsError, why: string): WorldsError {
  return new WorldsError('IN_DOUBT', `${cause.message} It is unknown whether the records are in the log: ${why}`, {
    cause,
  });
}
