import type { TermId } from '../../contracts/term-source.ts';
import { WorldsError } from '../../model/worlds-error.ts';
import { PackedColumn, packColumn } from '../../quads/packed-column.ts';
import { LATE_UNPACKING, PackedOrders, packOrders } from '../../quads/packed-orders.ts';
import type { LivingTerms } from '../../quads/packed-terms.ts';
import { PackedMemory, packTexts, StoredBlock } from '../../quads/packed-texts.ts';
import { PERMUTATIONS } from '../../quads/permutation.ts';
import { NO_DATA } from '../../quads/quad-bytes.ts';
import { Run, type TripleColumns } from '../../quads/run.ts';
import type { StoredTerms } from '../../quads/stored-terms.ts';
import type { HashKey } from '../../quads/term-hash.ts';
import type { TermTable } from '../../quads/term-table.ts';
import { WorldGraphs } from '../../quads/world-graphs.ts';
import type { TextSegments } from '../storable-texts.ts';
import type { World } from '../world.ts';
import type { WorldState } from '../world-state.ts';
import { ByteReader } from './byte-reader.ts';
import { bytesOf, corrupt, lengthOf, type SealedKind, seal, unseal, unsealVersion } from './sealed-bytes.ts';
import type { StoredHistory } from './stored-history.ts';

/**
 * Encodings of the segments of a checkpoint. `docs/reference/storage-format.md` describes the
 * layouts. All functions here are kernels.
 */

const RUN_SEGMENT: SealedKind = { name: 'run segment', magic: 0x52575752, version: 2 };
const TERM_SEGMENT: SealedKind = { name: 'term segment', magic: 0x54575752, version: 3 };
const VECTOR_SEGMENT: SealedKind = { name: 'vector segment', magic: 0x56575752, version: 1 };
const TEXT_SEGMENT: SealedKind = { name: 'text segment', magic: 0x49575752, version: 1 };
const STATE_SEGMENT: SealedKind = { name: 'state segment', magic: 0x53575752, version: 1 };

type Encoded = Generator<void, Uint8Array[], void>;

/** Version of run segments whose columns are not compressed. */
const PLAIN_RUN = 1;
/** Runs of fewer rows are not compressed, because the headers of their blocks would be larger. */
const MIN_PACKED_ROWS = 16;

/** Encodes a run: compressed, unless it is tiny. */
export function* encodeRun(run: Run): Encoded {
  const { contexts, starts, length } = run;
  const counts = bytesOf(Uint32Array.of(contexts.length, length));
  if (length < MIN_PACKED_ROWS) {
    return yield* seal(RUN_SEGMENT, [counts, ...[contexts, starts, ...run.columns.flat()].map(bytesOf)], PLAIN_RUN);
  }
  const directory = [yield* packColumn(contexts), yield* packColumn(starts)];
  return yield* seal(RUN_SEGMENT, [counts, ...[...directory, ...(yield* packOrders(run))].map(bytesOf)]);
}

/**
 * Decodes a run. It refers to the segment's memory, and decompresses each of its permutations when
 * it is first read; if it is large, now.
 */
export function* decodeRun(data: Uint8Array, where: string): Generator<void, Run, void> {
  const { version, body } = yield* unsealVersion(RUN_SEGMENT, data, where);
  try {
    return version === PLAIN_RUN ? readPlainRun(body) : yield* readPackedRun(body);
  } catch (cause) {
    throw corrupt(RUN_SEGMENT, where, cause);
  }
}

function readPlainRun(body: Uint8Array): Run {
  const reader = new ByteReader(body);
  const contexts = reader.uint32();
  const rows = reader.uint32();
  const directory = [reader.sharedColumn(contexts), reader.sharedColumn(contexts + 1)] as const;
  const columns = PERMUTATIONS.map(
    ({ order }) => order.map(() => reader.sharedColumn(rows)) as unknown as TripleColumns,
  );
  reader.end();
  return new Run(...directory, columns);
}

function* readPackedRun(body: Uint8Array): Generator<void, Run, void> {
  const reader = new ByteReader(body);
  const contextCount = reader.uint32();
  const rows = reader.uint32();
  const words = reader.sharedWords();
  const packedContexts = new PackedColumn(words, 0, contextCount);
  const packedStarts = new PackedColumn(words, packedContexts.end, contextCount + 1);
  const contexts = yield* packedContexts.values();
  const starts = yield* packedStarts.values();
  if (starts[contextCount] !== rows) throw new RangeError('The contexts of a run have other rows than the run.');
  const orders = new PackedOrders(words, packedStarts.end, rows);
  if (orders.end !== words.length) throw new RangeError('The body is longer than what is in it.');
  if (rows > LATE_UNPACKING.mostRows) yield* orders.unpackAll();
  return new Run(contexts, starts, orders);
}

/** The newest version of term segments whose columns and texts are not compressed. */
const PLAIN_TERMS = 2;

/**
 * Encodes the living terms of a range of the dictionary, compressed, with their hashes under a key.
 */
export function* encodeTerms({ metas, texts, ranges }: LivingTerms, key: HashKey): Encoded {
  const { blocks, lengths, hashes } = yield* packTexts(texts, metas.length, key);
  const firsts = ranges.filter((_, i) => i % 2 === 0);
  const counts = ranges.filter((_, i) => i % 2 === 1);
  return yield* seal(TERM_SEGMENT, [
    bytesOf(Uint32Array.of(metas.length, firsts.length, blocks.length, key.low, key.high)),
    bytesOf(Uint32Array.from(blocks.flatMap(({ terms, byteLength, stored }) => [terms, byteLength, stored.length]))),
    bytesOf(hashes),
    bytesOf(yield* packColumn(firsts)),
    bytesOf(yield* packColumn(counts)),
    bytesOf(yield* packColumn(metas)),
    bytesOf(yield* packColumn(lengths)),
    ...blocks.map(({ stored }) => stored),
    // Up to a word, so that all before is made of words.
    new Uint8Array(-lengthOf(blocks.map(({ stored }) => stored)) & 3),
  ]);
}

/**
 * Decodes terms that share the segment's memory. Their texts are decompressed when they are first
 * read. `first` is the first number of the segment.
 */
export function* decodeTerms(data: Uint8Array, first: number, where: string): Generator<void, StoredTerms, void> {
  const { version, body } = yield* unsealVersion(TERM_SEGMENT, data, where);
  try {
    return version <= PLAIN_TERMS ? readPlainTerms(body, first) : yield* readPackedTerms(body);
  } catch (cause) {
    throw corrupt(TERM_SEGMENT, where, cause);
  }
}

function readPlainTerms(body: Uint8Array, first: number): StoredTerms {
  const reader = new ByteReader(body);
  const textBytes = reader.float64();
  const terms = reader.uint32();
  const ranges = reader.sharedColumn(2 * reader.uint32());
  const metas = reader.sharedColumn(terms);
  const texts = reader.take(textBytes);
  reader.end();
  // Version 1 has no ranges: all terms of the segment exist.
  return { metas, texts, ranges: ranges.length > 0 || terms === 0 ? ranges : Uint32Array.of(first, terms) };
}

function* readPackedTerms(body: Uint8Array): Generator<void, StoredTerms, void> {
  const reader = new ByteReader(body);
  const terms = reader.uint32();
  const rangeCount = reader.uint32();
  const blockCount = reader.uint32();
  const key = { low: reader.uint32(), high: reader.uint32() };
  const table = reader.sharedColumn(3 * blockCount);
  const values = reader.sharedColumn(terms);
  const words = reader.sharedWords();
  const firsts = new PackedColumn(words, 0, rangeCount);
  const counts = new PackedColumn(words, firsts.end, rangeCount);
  const metas = new PackedColumn(words, counts.end, terms);
  const lengths = new PackedColumn(words, metas.end, terms);
  const stored = new ByteReader(bytesOf(words.subarray(lengths.end)));
  const memory = new PackedMemory(body.buffer.byteLength);
  const blocks: StoredBlock[] = [];
  let first = 0;
  for (let at = 0; at < table.length; at += 3) {
    const [count, byteLength, storedBytes] = table.subarray(at, at + 3);
    blocks.push(
      new StoredBlock({ terms: count, byteLength, stored: stored.take(storedBytes) }, first, lengths, memory),
    );
    first += count;
  }
  if (first !== terms) throw new RangeError('The blocks have other terms than the segment.');
  if (stored.left > 3) throw new RangeError('The body is longer than what is in it.');
  const [firstOf, countOf] = [yield* firsts.values(), yield* counts.values()];
  const ranges = new Uint32Array(2 * rangeCount);
  for (let range = 0; range < rangeCount; range++) {
    ranges[2 * range] = firstOf[range];
    ranges[2 * range + 1] = countOf[range];
  }
  return { metas: yield* metas.values(), texts: blocks, ranges, hashes: { key, values } };
}

/**
 * Fills a table with the terms of all term segments, in their order. The table shares the segments'
 * memory.
 */
export function* adoptTerms(
  parts: readonly StoredTerms[],
  table: TermTable,
  where: string,
): Generator<void, void, void> {
  try {
    yield* table.adopt(parts);
  } catch (cause) {
    throw cause instanceof RangeError ? corrupt(TERM_SEGMENT, where, cause) : cause;
  }
}

/** Encodes vectors of literals, all by the same embedder. */
export function* encodeVectors(literals: readonly TermId[], vectors: readonly Float32Array[]): Encoded {
  const ids = Uint32Array.from(literals);
  return yield* seal(VECTOR_SEGMENT, [bytesOf(Uint32Array.of(ids.length, 0)), bytesOf(ids), ...vectors.map(bytesOf)]);
}

/** Decodes literals and their concatenated vectors, which share the segment's memory. */
export function* decodeVectors(
  data: Uint8Array,
  dimensions: number,
  where: string,
): Generator<void, { literals: Uint32Array; values: Float32Array }, void> {
  const reader = new ByteReader(yield* unseal(VECTOR_SEGMENT, data, where));
  try {
    const count = reader.uint32();
    reader.uint32();
    const literals = reader.sharedColumn(count);
    const { buffer, byteOffset, length } = reader.sharedColumn(count * dimensions);
    reader.end();
    return { literals, values: new Float32Array(buffer, byteOffset, length) };
  } catch (cause) {
    throw corrupt(VECTOR_SEGMENT, where, cause);
  }
}

/**
 * Encodes a part of a text index. Contains its name, so that another part in its place is noticed.
 */
export function* encodeText(name: string, chunks: readonly Uint8Array[]): Encoded {
  const label = new TextEncoder().encode(name.padEnd(Math.ceil(name.length / 4) * 4));
  return yield* seal(TEXT_SEGMENT, [bytesOf(Uint32Array.of(label.length)), label, ...chunks]);
}

/** Decodes a part of a text index, which shares the segment's memory. */
export function* decodeText(data: Uint8Array, name: string, where: string): Generator<void, Uint8Array, void> {
  try {
    const body = yield* unseal(TEXT_SEGMENT, data, where);
    const reader = new ByteReader(body);
    const length = reader.uint32();
    const found = new TextDecoder().decode(reader.take(length)).trimEnd();
    if (found !== name) throw new RangeError(`It is ${found}.`);
    return body.subarray(4 + length);
  } catch (cause) {
    // It can be repaired without a backup.
    throw new WorldsError('CORRUPT', `The ${TEXT_SEGMENT.name} of ${where} differs from what was written.`, { cause });
  }
}

/** End of the log at the time of a checkpoint. The log is truncated only at marks. */
export interface LogMark {
  readonly position: number;
  readonly timeMs: number;
  /** Bytes of the records between the previous mark and this one. */
  readonly bytes: number;
}

export interface TermSegment {
  readonly name: string;
  readonly first: number;
  readonly last: number;
  /** Number of terms in the segment; undefined if all terms of the range exist. */
  readonly count?: number;
}

export interface VectorSegment {
  readonly name: string;
  /** Id of the embedder that computed the vectors. */
  readonly embedder: string;
  readonly dimensions: number;
}

/**
 * The state of a namespace without its terms and quads, and the names of the segments that contain
 * these.
 */
export interface CheckpointState {
  readonly revision: number;
  readonly timeMs: number;
  readonly nextWorld: number;
  readonly nextContext: number;
  readonly terms: readonly TermSegment[];
  /** Names of the run segments, oldest delta first; null for an empty run. */
  readonly deltas: readonly { readonly inserted: string | null; readonly deleted: string | null }[];
  /**
   * Memory of the terms and quads once all of them are decompressed, approximately. Missing in
   * checkpoints of earlier versions, whose segments take as much.
   */
  readonly memoryBytes?: number;
  /** Oldest first; the last one is this checkpoint. */
  readonly marks: readonly LogMark[];
  readonly vectors: readonly VectorSegment[];
  /** Undefined if the checkpoint has no text index. */
  readonly texts?: TextSegments | undefined;
  readonly worlds: readonly WorldState[];
  /** Undefined if the namespace has no history. */
  readonly history?: StoredHistory;
}

/** First line of the state's JSON. Each further line is a list of worlds. */
interface StateHead extends Omit<CheckpointState, 'worlds'> {
  readonly worlds: number;
}

interface StoredWorld {
  readonly record: Omit<World, 'namespace'>;
  readonly world: number;
  readonly defaultContext: number;
  /** Number of named graphs. Their ids, then their contexts, are in the columns. */
  readonly graphs: number;
}

/** Number of worlds per line. */
const WORLDS_A_LINE = 1024;

export function* encodeState({ worlds, ...rest }: CheckpointState): Encoded {
  const head: StateHead = { ...rest, worlds: worlds.length };
  const lines = [encodeLine(head)];
  for (let start = 0; start < worlds.length; start += WORLDS_A_LINE) {
    yield;
    lines.push(encodeLine(worlds.slice(start, start + WORLDS_A_LINE).map(storedWorld)));
  }
  const columns = worlds.flatMap(({ graphs }) => [graphs.graphs, graphs.contexts]).filter(({ length }) => length > 0);
  return yield* seal(STATE_SEGMENT, [bytesOf(Uint32Array.of(lengthOf(lines))), ...lines, ...columns.map(bytesOf)]);
}

export function* decodeState(
  data: Uint8Array,
  namespace: string,
  where: string,
): Generator<void, CheckpointState, void> {
  const reader = new ByteReader(yield* unseal(STATE_SEGMENT, data, where));
  try {
    const lines = new ByteReader(reader.take(reader.uint32()));
    const { worlds: count, ...rest } = lines.jsonLine<StateHead>();
    const worlds: WorldState[] = [];
    while (worlds.length < count) {
      yield;
      for (const { record, world, defaultContext, graphs } of lines.jsonLine<StoredWorld[]>()) {
        const columns = [reader.column(graphs), reader.column(graphs)] as const;
        worlds.push({
          record: { ...record, namespace },
          graphs: new WorldGraphs(world, defaultContext, ...columns),
          size: NO_DATA,
        });
      }
    }
    lines.end();
    reader.end();
    return { ...rest, worlds };
  } catch (cause) {
    throw corrupt(STATE_SEGMENT, where, cause);
  }
}

function storedWorld({ record: { namespace, ...record }, graphs }: WorldState): StoredWorld {
  return { record, world: graphs.world, defaultContext: graphs.defaultContext, graphs: graphs.graphs.length };
}

function encodeLine(value: unknown): Uint8Array {
  return new TextEncoder().encode(`${JSON.stringify(value)}\n`);
}
