import { randomBytes } from 'node:crypto';
import { WorldsError } from '@rdf-worlds/core';
import {
  type ConfirmHead,
  checkSegmentName,
  type Head,
  publishConfirmed,
  type Segment,
  storageErrors,
} from '@rdf-worlds/core/plugin';
import { checkpointRow, type SegmentRow, segmentsText } from './checkpoint-row.ts';
import { headAt, headOf, type NamespaceRow } from './namespace-row.ts';
import type { NamespaceView } from './namespace-view.ts';
import { databaseError } from './postgres-errors.ts';

/**
 * Writes a checkpoint: its new segments as blobs, then one statement that makes it the newest.
 *
 * Blobs that no checkpoint names are deleted when the number of the newest is two above that at
 * which writing them began, and from then on their checkpoint is refused. So neither needs to know
 * whether the other process is still running.
 */
export async function writeCheckpoint(
  namespace: NamespaceView,
  at: Head,
  segments: AsyncIterable<Segment> | Iterable<Segment>,
  confirm?: ConfirmHead,
): Promise<void> {
  const { store, blobs, where, calls } = namespace;
  const what = `Writing a checkpoint of ${where}`;
  const { row, newest } = await namespace.newest(what);
  checkCheckpointable(namespace.name, at, row);
  const { incarnation } = at;
  const base = row!.checkpoints;
  const reusable = new Map(newest?.segments.map((segment) => [segment.name, segment]));
  const rows = new Map<string, SegmentRow>();
  const written: string[] = [];
  const giveUp = () => blobs.delete(what, incarnation, written).catch(() => undefined);
  const orGiveUp = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    try {
      return await work();
    } catch (error) {
      if (error instanceof UnknownPublication) throw error.cause;
      await giveUp(); // The caller needs the first failure; what remains is deleted later.
      throw error;
    }
  };
  await orGiveUp(async () => {
    for await (const segment of segments) {
      calls.check();
      const { name } = segment;
      checkSegmentName(name);
      if (rows.has(name)) throw storageErrors.segmentTwice(name);
      const reused = reusable.get(name);
      if (reused) {
        rows.set(name, reused);
        continue;
      }
      const blob = await blobs.write(what, { incarnation, kind: 'segment', base }, segment.write());
      written.push(blob.blob);
      rows.set(name, { name, ...blob });
    }
    calls.check();
  });
  const ready = { at, base, segments: [...rows.values()] };
  let number: number | undefined;
  const publishAt = async (confirmed?: Head): Promise<boolean> => {
    // If that fails, the checkpoint may have been published.
    number = await publish(namespace, ready, confirmed, what).catch(unknownOutcome);
    if (number !== undefined) return true;
    const now = await namespace.row(what);
    checkCheckpointable(namespace.name, at, now);
    if (!confirmed || now.checkpoints > base + 1) throw overtaken(where);
    return false;
  };
  await orGiveUp(async () => {
    if (confirm) await publishConfirmed(namespace.name, confirm, publishAt);
    else await publishAt();
  });
  try {
    await deleteOlder(namespace, incarnation, number!, what);
  } catch (error) {
    store.report(databaseError(error, what)); // Deleted after the next checkpoint.
  }
}

/** The statement that publishes a checkpoint failed: the checkpoint may name the new blobs. */
class UnknownPublication extends Error {}

function unknownOutcome(cause: unknown): never {
  throw new UnknownPublication(undefined, { cause });
}

function overtaken(where: string): WorldsError {
  return new WorldsError(
    'CONFLICT',
    `Another process has written checkpoints of ${where} meanwhile. Write the checkpoint again.`,
  );
}

/** Throws what is wrong with a checkpoint at a head. */
function checkCheckpointable(name: string, at: Head, row: NamespaceRow | undefined): asserts row is NamespaceRow {
  const head = headOf(row);
  if (!row || at.incarnation === '' || head.incarnation !== at.incarnation) throw storageErrors.otherIncarnation(name);
  if (at.position > head.position) throw storageErrors.beyondHead(name, at, head);
  if (at.generation !== row.generation) throw storageErrors.otherGeneration(name, at, head);
  if (row.checkpoints > 0 && row.checkpointPosition > at.position)
    throw storageErrors.olderCheckpoint(name, at, headAt(row, row.checkpointPosition));
}

/** A checkpoint whose segments are written. */
interface ReadyCheckpoint {
  readonly at: Head;
  /** The number of the newest checkpoint when writing began. */
  readonly base: number;
  readonly segments: readonly SegmentRow[];
}

/**
 * Makes a checkpoint the newest and returns its number; undefined if it is refused, because the
 * namespace has moved on.
 *
 * @param confirmed the head at which the checkpoint raises the generation; undefined if it does not
 */
async function publish(
  { store, key }: NamespaceView,
  { at, base, segments }: ReadyCheckpoint,
  confirmed: Head | undefined,
  what: string,
): Promise<number | undefined> {
  const { namespaces, checkpoints } = store.tables;
  const token = randomBytes(16).toString('hex');
  const isWritten = `SELECT checkpoint FROM ${checkpoints} WHERE incarnation = $1 AND token = $2`;
  const moved = await store.run(
    what,
    `WITH moved AS (
       UPDATE ${namespaces} SET checkpoints = checkpoints + 1, checkpoint_position = $3::bigint,
         generation = generation + $8::integer
       WHERE namespace = $1 AND incarnation = $2::text AND position >= $3::bigint AND checkpoint_position <= $3::bigint
         AND checkpoints >= $4::bigint AND checkpoints <= $4::bigint + 1 AND generation = $5::bigint
         AND ($8::integer = 0 OR position = $9::bigint)
         AND NOT EXISTS (SELECT 1 FROM ${checkpoints} WHERE incarnation = $2::text AND token = $6::text)
       RETURNING incarnation, checkpoints
     )
     INSERT INTO ${checkpoints} (incarnation, checkpoint, position, token, segments)
     SELECT incarnation, checkpoints, $3::bigint, $6::text, $7::text FROM moved
     RETURNING checkpoint`,
    [
      ...[key, at.incarnation, at.position, base, at.generation, token, segmentsText(segments)],
      ...[confirmed ? 1 : 0, confirmed?.position ?? 0],
    ],
  );
  // The first attempt may have succeeded although it was repeated.
  const [row] = moved.length > 0 ? moved : await store.run(what, isWritten, [at.incarnation, token]);
  return row && Number(row.checkpoint);
}

/** Deletes the checkpoints before the last two, and blobs that no checkpoint can name any more. */
async function deleteOlder(
  { store, blobs, where }: NamespaceView,
  incarnation: string,
  number: number,
  what: string,
): Promise<void> {
  const { checkpoints } = store.tables;
  await store.run(what, `DELETE FROM ${checkpoints} WHERE incarnation = $1 AND checkpoint < $2`, [
    incarnation,
    number - 1,
  ]);
  const old = await blobs.upTo(what, incarnation, 'segment', number - 2);
  if (old.length === 0) return;
  const kept = await store.run(
    what,
    `SELECT checkpoint, position, segments FROM ${checkpoints} WHERE incarnation = $1 AND checkpoint >= $2`,
    [incarnation, number - 1],
  );
  const named = new Set(kept.flatMap((row) => checkpointRow(row, where).segments).map(({ blob }) => blob));
  await blobs.delete(
    what,
    incarnation,
    old.filter((blob) => !named.has(blob)),
  );
}
