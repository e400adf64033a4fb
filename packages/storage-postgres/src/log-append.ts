import { crc32 } from 'node:zlib';
import { WorldsError } from '@rdf-worlds/core';
import { type Head, NO_HEAD, sameHead, storageErrors } from '@rdf-worlds/core/plugin';
import { type AppendBatch, MAX_BATCH_BYTES } from './append-queue.ts';
import { headOf, type NamespaceRow } from './namespace-row.ts';
import type { NamespaceView } from './namespace-view.ts';
import { databaseError, outcomeOf } from './postgres-errors.ts';
import { encodeBatch } from './record-batch.ts';
import { isAppended, settleDoubt } from './settle-doubt.ts';

/**
 * Appends a batch: one statement that moves the head and inserts the records, or does nothing.
 * Repeats it after a failure without effect; after one of unknown outcome, first invalidates it.
 */
export async function appendBatch(namespace: NamespaceView, batch: AppendBatch): Promise<Head> {
  const { store, name, where } = namespace;
  const what = `Appending to ${where}`;
  await settleDoubt(namespace);
  const start = await startOf(namespace, batch.expected, what);
  const { row } = start;
  const { incarnation } = row;
  const from = start.position;
  const end = from + batch.records.length;
  const head = { incarnation, position: end };
  const { id } = batch.records[batch.records.length - 1];
  const data = encodeBatch(batch.records);
  const written =
    data.byteLength > MAX_BATCH_BYTES
      ? await namespace.blobs.write(what, { incarnation, kind: 'records', base: end }, [data])
      : undefined;
  const content = written ? [null, written.blob] : [data, null];
  const { namespaces, records } = store.tables;
  const statement = `WITH moved AS (
      UPDATE ${namespaces} SET position = $4::bigint, appender = $5::text,
        appender_since = CASE WHEN appender = $5::text THEN appender_since ELSE $3::bigint END
      WHERE namespace = $1 AND incarnation = $2 AND position = $3::bigint AND checkpoints = $6 AND fence = $7
      RETURNING incarnation
    )
    INSERT INTO ${records} (incarnation, position, records, id, byte_length, checksum, data, blob)
    SELECT incarnation, $4::bigint, $8::integer, $9::text, $10::bigint, $11::bigint, $12::bytea, $13::text FROM moved
    RETURNING position`;
  const values = (fence: number) => [
    ...[
      namespace.key,
      incarnation,
      from,
      end,
      store.session,
      store.checkpointsSince(incarnation, row.checkpoints),
      fence,
    ],
    ...[batch.records.length, id, data.byteLength, written ? 0 : crc32(data), ...content],
  ];
  const patience = store.patience();
  let { fence } = row;
  try {
    for (;;) {
      let failure: unknown;
      try {
        const moved = await store.once(statement, values(fence));
        if (moved.length > 0) {
          store.watch.appended(namespace.key);
          return head;
        }
      } catch (error) {
        failure = error;
        const outcome = outcomeOf(error);
        if (outcome === 'refused') throw databaseError(error, what);
        if (outcome === 'unknown') {
          store.doubts.set(namespace.key, databaseError(error, what));
          // Throws IN_DOUBT if that is impossible.
          await settleDoubt(namespace);
          if (await isAppended(namespace, head, id, databaseError(error, what))) return head;
        }
        if (!(await patience.next())) throw databaseError(error, what);
      }
      const now = await namespace.row(what);
      // Its newest checkpoint may be one whose statement this process has sent and not seen
      // succeed.
      await store.published(incarnation);
      if (!now || !sameHead({ incarnation, position: from }, { ...headOf(now), incarnation: now.incarnation }))
        throw storageErrors.conflict(name, batch.expected, headOf(now));
      if (now.checkpoints > store.checkpointsSince(incarnation, row.checkpoints)) throw reloadNeeded(where);
      // Only the fence differs, or a checkpoint of this process, or nothing after a failure.
      fence = now.fence;
      if (failure === undefined && !(await patience.next()))
        throw new WorldsError('OVERLOADED', `${what} was prevented by other processes again and again. Try again.`);
    }
  } catch (error) {
    // Not while it may still take effect.
    if (written && !(error instanceof WorldsError && error.code === 'IN_DOUBT'))
      await namespace.blobs.delete(what, incarnation, [written.blob]).catch(() => undefined);
    throw error;
  }
}

interface AppendStart {
  /** The row that the handle saw first. */
  readonly row: NamespaceRow;
  /** Position before the append. */
  readonly position: number;
}

/** Returns where an append starts. Throws CONFLICT if the head cannot be `expected`. */
async function startOf(namespace: NamespaceView, expected: Head, what: string): Promise<AppendStart> {
  const conflict = async () => storageErrors.conflict(namespace.name, expected, headOf(await namespace.row(what)));
  if (sameHead(expected, NO_HEAD)) {
    // The incarnation of the row has not begun.
    const row = (await namespace.see(what)) ?? (await namespace.ensureRow(what));
    if (row.position > 0) throw await conflict();
    return { row, position: 0 };
  }
  if (expected.incarnation === '' || expected.position === 0) throw await conflict();
  const row = await namespace.seen(expected.incarnation, what);
  if (!row) throw await conflict();
  return { row, position: expected.position };
}

function reloadNeeded(where: string): WorldsError {
  return new WorldsError(
    'CONFLICT',
    `Another process has written a checkpoint of ${where} since this one read it, and may have freed terms. Read the namespace again, then try again.`,
  );
}
