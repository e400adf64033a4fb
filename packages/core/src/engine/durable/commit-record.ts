import type { TermId } from '../../contracts/term-source.ts';
import type { PackedTerms } from '../../quads/packed-terms.ts';
import { SPO } from '../../quads/permutation.ts';
import type { Run } from '../../quads/run.ts';
import type { World } from '../world.ts';
import { ByteReader } from './byte-reader.ts';
import { bytesOf, corrupt, lengthOf, type SealedKind, seal, unseal } from './sealed-bytes.ts';

export const COMMIT_RECORD: SealedKind = { name: 'commit record', magic: 0x43575752, version: 2 };

/**
 * The effects of one commit on its namespace, as stored in the log; never the statement that caused
 * them. Quads are ids. Terms that are new in the dictionary are included.
 */
export interface CommitRecord {
  /** Revision of the namespace after the commit. */
  readonly revision: number;
  /** Milliseconds since the epoch. */
  readonly timeMs: number;
  /** Numbers of the next new world and context. */
  readonly nextWorld: number;
  readonly nextContext: number;
  /** Number of the changed world. */
  readonly world: number;
  readonly kind: ChangeKind;
  /** Record of the world after the commit, or the last record of a deleted world. */
  readonly record: RecordFields;
  /** Default context of a new world; 0 otherwise. */
  readonly defaultContext: number;
  /** Named graphs added to the world, and their contexts. */
  readonly createdGraphs: Uint32Array;
  readonly createdContexts: Uint32Array;
  /** Named graphs removed from the world. */
  readonly droppedGraphs: Uint32Array;
  readonly inserted: RunRows;
  readonly deleted: RunRows;
  /** Number of the first of `terms` in the dictionary. */
  readonly firstTerm: number;
  /** All terms added since the previous record. */
  readonly terms: PackedTerms;
}

/** A world's record without the fields that the log contains otherwise. */
export type RecordFields = Omit<World, 'namespace' | 'revision'>;

/** The kinds of commits. Their indexes are the numbers in the encoded record. */
export const CHANGE_KINDS = ['created', 'changed', 'deleted'] as const;
/** What a commit did to its world. `changed` covers its record and its data. */
export type ChangeKind = (typeof CHANGE_KINDS)[number];

/** Rows of a run in spo order. The other orders are computed by sorting. */
export interface RunRows {
  readonly contexts: Uint32Array;
  /** Graph of each context, so that the rows can be read without the world. */
  readonly graphs: Uint32Array;
  readonly starts: Uint32Array;
  readonly subject: Uint32Array;
  readonly predicate: Uint32Array;
  readonly object: Uint32Array;
}

/** @param graphOf returns the graph of a context */
export function rowsOfRun(run: Run, graphOf: (context: number) => TermId): RunRows {
  const { contexts, starts } = run;
  const [subject, predicate, object] = run.columnsOf(SPO);
  return { contexts, graphs: contexts.map(graphOf), starts, subject, predicate, object };
}

/**
 * Encodes a commit in the layout of `docs/reference/storage-format.md`. The chunks share the memory
 * of the columns and the dictionary. A kernel.
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

/** Size of framing, checksums and the world's record, without label and description. */
const REST_BYTES = 512;

/** Returns the approximate size of a commit in the log, in bytes. */
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
 * Columns of records up to this size share one copy of the body: allocating each separately would
 * dominate the cost of decoding.
 */
const SMALL_RECORD = 4096;

/**
 * Decodes a commit. Throws CORRUPT and UNSUPPORTED like {@link unseal}. Only the texts of the terms
 * may share the memory of `data`. A kernel.
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
