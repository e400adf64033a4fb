import type { PackedTerms } from '../../quads/packed-terms.ts';
import { SPO } from '../../quads/permutation.ts';
import type { Run } from '../../quads/run.ts';
import type { TermId } from '../../storage/term-source.ts';
import type { World } from '../world.ts';
import { ByteReader } from './byte-reader.ts';
import { bytesOf, corrupt, lengthOf, type SealedKind, seal, unseal } from './sealed-bytes.ts';

export const COMMIT_RECORD: SealedKind = { name: 'commit record', magic: 0x43575752, version: 2 };

/**
 * The effects of one commit on its namespace, as the log keeps them: never the statement that had
 * them. Quads are ids; the terms that the dictionary did not have come with them.
 */
export interface CommitRecord {
  /** The namespace's revision after it. */
  readonly revision: number;
  /** Milliseconds since the epoch. */
  readonly timeMs: number;
  /** The numbers that the next new world and context get. */
  readonly nextWorld: number;
  readonly nextContext: number;
  /** The number of the world that changed. */
  readonly world: number;
  readonly kind: ChangeKind;
  /** Its record after the commit, or the last one when the commit deleted it. */
  readonly record: RecordFields;
  /** Of a world that is new; 0 otherwise. */
  readonly defaultContext: number;
  /** Named graphs that the world has from now on, with the context of each. */
  readonly createdGraphs: Uint32Array;
  readonly createdContexts: Uint32Array;
  /** Named graphs that the world has no more. */
  readonly droppedGraphs: Uint32Array;
  readonly inserted: RunRows;
  readonly deleted: RunRows;
  /** The dictionary's number of the first of `terms`. */
  readonly firstTerm: number;
  /** All terms since the record before. */
  readonly terms: PackedTerms;
}

/** A world's record without what the log knows anyway. */
export type RecordFields = Omit<World, 'namespace' | 'revision'>;

/** What a commit did to its world; their places are their numbers in the record. */
export const CHANGE_KINDS = ['created', 'changed', 'deleted'] as const;
export type ChangeKind = (typeof CHANGE_KINDS)[number];

/** The rows of a run in the order spo; the other orders are sorted from it. */
export interface RunRows {
  readonly contexts: Uint32Array;
  /** The graph that each context stands for, so that the rows can be read without the world. */
  readonly graphs: Uint32Array;
  readonly starts: Uint32Array;
  readonly subject: Uint32Array;
  readonly predicate: Uint32Array;
  readonly object: Uint32Array;
}

/** @param graphOf the graph of a context */
export function rowsOfRun({ contexts, starts, columns }: Run, graphOf: (context: number) => TermId): RunRows {
  const [subject, predicate, object] = columns[SPO];
  return { contexts, graphs: contexts.map(graphOf), starts, subject, predicate, object };
}

/**
 * `docs/reference/storage-format.md` has the layout. A kernel; the chunks share the memory of the
 * columns and of the dictionary.
 */
export function* encodeCommitRecord(commit: CommitRecord): Generator<void, Uint8Array[], void> {
  const { inserted, deleted, terms } = commit;
  const json = new TextEncoder().encode(JSON.stringify(commit.record));
  const fixed = new DataView(new ArrayBuffer(FIXED_BYTES));
  fixed.setFloat64(0, commit.revision, true);
  fixed.setFloat64(8, commit.timeMs, true);
  fixed.setFloat64(16, lengthOf(terms.texts), true);
  const counts = [
    commit.nextWorld,
    commit.nextContext,
    commit.world,
    CHANGE_KINDS.indexOf(commit.kind),
    commit.defaultContext,
    json.length,
    commit.createdGraphs.length,
    commit.droppedGraphs.length,
    inserted.contexts.length,
    inserted.subject.length,
    deleted.contexts.length,
    deleted.subject.length,
    commit.firstTerm,
    terms.metas.length,
  ];
  for (const [i, count] of counts.entries()) fixed.setUint32(24 + 4 * i, count, true);
  const columns = [
    commit.createdGraphs,
    commit.createdContexts,
    commit.droppedGraphs,
    ...columnsOf(inserted),
    ...columnsOf(deleted),
    terms.metas,
  ];
  const present = columns.filter(({ length }) => length > 0).map(bytesOf);
  return yield* seal(COMMIT_RECORD, [new Uint8Array(fixed.buffer), ...present, ...terms.texts, json]);
}

const FIXED_BYTES = 24 + 14 * 4;

/** Framing, checksums and the record of the world, besides its label and description. */
const REST_BYTES = 512;

/** About how many bytes a commit takes in the log. */
export function recordBytes({ record, createdGraphs, droppedGraphs, inserted, deleted, terms }: CommitRecord): number {
  const texts = 2 * ((record.label?.length ?? 0) + (record.description?.length ?? 0)) + lengthOf(terms.texts);
  let columns = 2 * createdGraphs.length + droppedGraphs.length + terms.metas.length;
  for (const rows of [inserted, deleted]) columns += 3 * (rows.contexts.length + rows.subject.length);
  return FIXED_BYTES + REST_BYTES + texts + 4 * columns;
}

function columnsOf({ contexts, graphs, starts, subject, predicate, object }: RunRows): Uint32Array[] {
  return [contexts, graphs, starts, subject, predicate, object];
}

/**
 * The columns of a record up to this size share one piece of memory, since making each its own
 * would take longer than all the rest.
 */
const SMALL_RECORD = 4096;

/**
 * A kernel. Throws CORRUPT and UNSUPPORTED as {@link unseal}. Only the texts of the terms may share
 * the memory of `data`.
 */
export function* decodeCommitRecord(data: Uint8Array, where: string): Generator<void, CommitRecord, void> {
  const body = yield* unseal(COMMIT_RECORD, data, where);
  const isSmall = body.length <= SMALL_RECORD;
  const reader = new ByteReader(isSmall ? new Uint8Array(body) : body);
  const column = (length: number) => (isSmall ? reader.sharedColumn(length) : reader.column(length));
  const rows = (contexts: number, length: number): RunRows => ({
    contexts: column(contexts),
    graphs: column(contexts),
    starts: column(contexts + 1),
    subject: column(length),
    predicate: column(length),
    object: column(length),
  });
  try {
    const revision = reader.float64();
    const timeMs = reader.float64();
    const textBytes = reader.float64();
    const nextWorld = reader.uint32();
    const nextContext = reader.uint32();
    const world = reader.uint32();
    const kind = CHANGE_KINDS[reader.uint32()];
    const defaultContext = reader.uint32();
    const jsonBytes = reader.uint32();
    const created = reader.uint32();
    const dropped = reader.uint32();
    const insertedContexts = reader.uint32();
    const insertedRows = reader.uint32();
    const deletedContexts = reader.uint32();
    const deletedRows = reader.uint32();
    const firstTerm = reader.uint32();
    const terms = reader.uint32();
    const createdGraphs = column(created);
    const createdContexts = column(created);
    const droppedGraphs = column(dropped);
    const inserted = rows(insertedContexts, insertedRows);
    const deleted = rows(deletedContexts, deletedRows);
    const metas = column(terms);
    const texts = [reader.take(textBytes)];
    const record = reader.json<RecordFields>(jsonBytes);
    reader.end();
    return {
      ...{ revision, timeMs, nextWorld, nextContext, world, kind, record, defaultContext },
      ...{ createdGraphs, createdContexts, droppedGraphs, inserted, deleted, firstTerm, terms: { metas, texts } },
    };
  } catch (cause) {
    throw corrupt(COMMIT_RECORD, where, cause);
  }
}
