import type { PackedTerms } from '../../quads/packed-terms.ts';
import { SPO } from '../../quads/permutation.ts';
import type { Run } from '../../quads/run.ts';
import type { World } from '../world.ts';
import { ByteReader } from './byte-reader.ts';
import { bytesOf, corrupt, lengthOf, type SealedKind, seal, unseal } from './sealed-bytes.ts';

export const COMMIT_RECORD: SealedKind = { name: 'commit record', magic: 0x43575752, version: 1 };

/**
 * The effects of one commit on its namespace, as the log keeps them: never the statement that had them. Quads are ids; the terms that the dictionary
 * did not have come with them.
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
  /** Its record after the commit; null when the commit deleted it. */
  readonly record: RecordFields | null;
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

/** The rows of a run in the order spo; the other orders are sorted from it. */
export interface RunRows {
  readonly contexts: Uint32Array;
  readonly starts: Uint32Array;
  readonly subject: Uint32Array;
  readonly predicate: Uint32Array;
  readonly object: Uint32Array;
}

export function rowsOfRun(run: Run): RunRows {
  const [subject, predicate, object] = run.columns[SPO];
  return { contexts: run.contexts, starts: run.starts, subject, predicate, object };
}

/** `docs/reference/storage-format.md` has the layout. A kernel; the chunks share the memory of the columns and of the dictionary. */
export function* encodeCommitRecord(commit: CommitRecord): Generator<void, Uint8Array[], void> {
  const { inserted, deleted, terms } = commit;
  const json = commit.record === null ? NOTHING : new TextEncoder().encode(JSON.stringify(commit.record));
  const fixed = new DataView(new ArrayBuffer(FIXED_BYTES));
  fixed.setFloat64(0, commit.revision, true);
  fixed.setFloat64(8, commit.timeMs, true);
  fixed.setFloat64(16, lengthOf(terms.texts), true);
  const counts = [
    commit.nextWorld,
    commit.nextContext,
    commit.world,
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

const NOTHING = new Uint8Array(0);
const FIXED_BYTES = 24 + 13 * 4;

function columnsOf({ contexts, starts, subject, predicate, object }: RunRows): Uint32Array[] {
  return [contexts, starts, subject, predicate, object];
}

/** A kernel. Throws CORRUPT and UNSUPPORTED as {@link unseal}. The texts of the terms share the memory of `data`. */
export function* decodeCommitRecord(data: Uint8Array, where: string): Generator<void, CommitRecord, void> {
  const reader = new ByteReader(yield* unseal(COMMIT_RECORD, data, where));
  try {
    const revision = reader.float64();
    const timeMs = reader.float64();
    const textBytes = reader.float64();
    const [nextWorld, nextContext, world, defaultContext] = readUint32s(reader, 4);
    const [jsonBytes, created, dropped] = readUint32s(reader, 3);
    const [insertedContexts, insertedRows, deletedContexts, deletedRows, firstTerm, terms] = readUint32s(reader, 6);
    const createdGraphs = reader.column(created);
    const createdContexts = reader.column(created);
    const droppedGraphs = reader.column(dropped);
    const inserted = readRows(reader, insertedContexts, insertedRows);
    const deleted = readRows(reader, deletedContexts, deletedRows);
    const metas = reader.column(terms);
    const texts = [reader.take(textBytes)];
    const record = jsonBytes === 0 ? null : reader.json<RecordFields>(jsonBytes);
    reader.end();
    return {
      ...{ revision, timeMs, nextWorld, nextContext, world, record, defaultContext },
      ...{ createdGraphs, createdContexts, droppedGraphs, inserted, deleted, firstTerm, terms: { metas, texts } },
    };
  } catch (cause) {
    throw corrupt(COMMIT_RECORD, where, cause);
  }
}

function readUint32s(reader: ByteReader, count: number): number[] {
  return Array.from({ length: count }, () => reader.uint32());
}

function readRows(reader: ByteReader, contexts: number, rows: number): RunRows {
  return {
    contexts: reader.column(contexts),
    starts: reader.column(contexts + 1),
    subject: reader.column(rows),
    predicate: reader.column(rows),
    object: reader.column(rows),
  };
}
