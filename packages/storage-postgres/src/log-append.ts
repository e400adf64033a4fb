import { crc32 } from 'node:zlib';
import { WorldsError } from '@rdf-worlds/core';
import { type Head, NO_HEAD, sameHead, storageErrors } from '@rdf-worlds/core/plugin';
import { type AppendBatch, MAX_BATCH_BYTES } from './append-queue.ts';
import { headAt, headOf } from './namespace-row.ts';
import type { NamespaceView } from './namespace-view.ts';
import { databaseError, outcomeOf } from './postgres-errors.ts';
import { MEDIUM } from './postgres-store.ts';
import { encodeBatch } from './record-batch.ts';
import { isReservedForOthers, whileReserved } from './reserve.ts';
import { isAppended, settleDoubt } from './settle-doubt.ts';

/**
 * Appends a batch: one statement that moves the head and inserts the records, or does nothing.
 * Repeats it after a failure without effect; after one of unknown outcome, first invalidates it.
 */
export async function appendBatch(namespace: NamespaceView, batch: AppendBatch): Promise<Head> {
  const { store, name, where } = namespace;
  const what = `Appending to ${where}`;
  await settleDoubt(namespace);
  const { incarnation, position: from, generation, fence: known } = await startOf(namespace, batch.expected, what);
  const end = from + batch.records.length;
  const head = { incarnation, position: end, generation };
  const { id } = batch.records[batch.records.length - 1];
  const data = encodeBatch(batch.records);
  const written =
    data.byteLength > MAX_BATCH_BYTES
      ? await namespace.blobs.write(what, { incarnation, kind: 'records', base: end }, [data])
      : undefined;
  const content = written ? [null, written.blob] : [data, null];
  const { namespaces, records } = store.tables;
  const statement = `WITH moved AS (
      UPDATE ${namespaces} SET position = $4::bigint
      WHERE namespace = $1 AND incarnation = $2 AND position = $3::bigint AND generation = $5 AND fence = $6
        AND (turn >= reservations OR turn = $13::bigint OR turn_until < now())
      RETURNING incarnation
    )
    INSERT INTO ${records} (incarnation, position, records, id, byte_length, checksum, data, blob)
    SELECT incarnation, $4::bigint, $7::integer, $8::text, $9::bigint, $10::bigint, $11::bytea, $12::text FROM moved
    RETURNING position`;
  const values = (fence: number): unknown[] => [
    ...[namespace.key, incarnation, from, end, generation, fence],
    ...[batch.records.length, id, data.byteLength, written ? 0 : crc32(data), ...content],
    namespace.reservation ?? -1,
  ];
  const patience = store.patience();
  const weight = 1 + (written ? 0 : (MEDIUM - 1) * data.byteLength) / MAX_BATCH_BYTES;
  let fence = known;
  try {
    for (;;) {
      let failure: unknown;
      try {
        const moved = await store.once(statement, values(fence), patience, weight);
        if (moved.length > 0) {
          store.watch.appended(namespace.key, head);
          return head;
        }
      } catch (error) {
        failure = error;
        const outcome = outcomeOf(error);
        if (outcome === 'refused') throw databaseError(error, what);
        if (outcome === 'unknown') {
          store.doubts.set(namespace.key, databaseError(error, what));
          // Throws IN_DOUBT if that is impossible.
          await settleDoubt(namespace, patience);
          if (await isAppended(namespace, head, id, { cause: databaseError(error, what), patience })) return head;
        }
        if (!(await patience.next())) throw databaseError(error, what);
      }
      const found = await namespace.row(what);
      const isHeld = failure === undefined && isReservedForOthers(namespace, found);
      const now = isHeld ? await whileReserved(namespace, what, found) : found;
      if (!now || !sameHead({ incarnation, position: from, generation }, headAt(now, now.position)))
        throw storageErrors.conflict(name, batch.expected, headOf(now));
      if (isHeld && isReservedForOthers(namespace, now))
        throw new WorldsError('CONFLICT', `${what} has to wait: another process has reserved the next append.`);
      // Only the fence differs, or nothing after a failure.
      fence = now.fence;
      namespace.knownFence = { incarnation, fence };
      if (failure === undefined && !isHeld && !(await patience.next()))
        throw new WorldsError('OVERLOADED', `${what} was repeatedly prevented by other processes. Try again.`);
    }
  } catch (error) {
    // Not while it may still take effect.
    if (written && !(error instanceof WorldsError && error.code === 'IN_DOUBT'))
      await namespace.blobs.delete(what, incarnation, [written.blob]).catch(() => undefined);
    throw error;
  }
}

/** Where an append starts, and the fence to send with it. */
interface AppendStart extends Head {
  readonly fence: number;
}

/** Returns where an append starts. Throws CONFLICT if the head cannot be `expected`. */
async function startOf(namespace: NamespaceView, expected: Head, what: string): Promise<AppendStart> {
  // The statement itself compares the head: an append to a namespace that is known needs no other.
  const { knownFence } = namespace;
  if (expected.position > 0 && knownFence?.incarnation === expected.incarnation)
    return { ...expected, fence: knownFence.fence };
  const isFirst = sameHead(expected, NO_HEAD);
  const row = (await namespace.row(what)) ?? (isFirst ? await namespace.ensureRow(what) : undefined);
  if (!row || !sameHead(expected, headOf(row))) throw storageErrors.conflict(namespace.name, expected, headOf(row));
  const { incarnation, fence } = row;
  namespace.knownFence = { incarnation, fence };
  // The incarnation of the row may not have begun.
  return { ...expected, incarnation, fence };
}
