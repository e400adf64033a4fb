import type { LivingTerms } from '../../quads/packed-terms.ts';
import { PERMUTATIONS } from '../../quads/permutation.ts';
import { NO_DATA } from '../../quads/quad-bytes.ts';
import { Run, type TripleColumns } from '../../quads/run.ts';
import type { StoredTerms } from '../../quads/stored-terms.ts';
import type { TermTable } from '../../quads/term-table.ts';
import { WorldGraphs } from '../../quads/world-graphs.ts';
import type { TermId } from '../../storage/term-source.ts';
import type { World } from '../world.ts';
import type { WorldState } from '../world-state.ts';
import { ByteReader } from './byte-reader.ts';
import { bytesOf, corrupt, lengthOf, type SealedKind, seal, unseal } from './sealed-bytes.ts';

/**
 * The encodings of what a checkpoint is made of; `docs/reference/storage-format.md` has their
 * layouts. All functions here are kernels.
 */

const RUN_SEGMENT: SealedKind = { name: 'run segment', magic: 0x52575752, version: 1 };
const TERM_SEGMENT: SealedKind = { name: 'term segment', magic: 0x54575752, version: 2 };
const VECTOR_SEGMENT: SealedKind = { name: 'vector segment', magic: 0x56575752, version: 1 };
const STATE_SEGMENT: SealedKind = { name: 'state segment', magic: 0x53575752, version: 1 };

type Encoded = Generator<void, Uint8Array[], void>;

/** The columns of a run, as they are. */
export function* encodeRun(run: Run): Encoded {
  const columns = [Uint32Array.of(run.contexts.length, run.length), run.contexts, run.starts, ...run.columns.flat()];
  return yield* seal(RUN_SEGMENT, columns.map(bytesOf));
}

/** A run over the segment's own memory. */
export function* decodeRun(data: Uint8Array, where: string): Generator<void, Run, void> {
  const reader = new ByteReader(yield* unseal(RUN_SEGMENT, data, where));
  try {
    const contexts = reader.uint32();
    const rows = reader.uint32();
    const directory = [reader.sharedColumn(contexts), reader.sharedColumn(contexts + 1)] as const;
    const columns = PERMUTATIONS.map(
      ({ order }) => order.map(() => reader.sharedColumn(rows)) as unknown as TripleColumns,
    );
    reader.end();
    return new Run(...directory, columns);
  } catch (cause) {
    throw corrupt(RUN_SEGMENT, where, cause);
  }
}

/** Those that are left of some neighbouring terms of the dictionary. */
export function* encodeTerms({ metas, texts, ranges }: LivingTerms): Encoded {
  const fixed = new DataView(new ArrayBuffer(16));
  fixed.setFloat64(0, lengthOf(texts), true);
  fixed.setUint32(8, metas.length, true);
  fixed.setUint32(12, ranges.length / 2, true);
  return yield* seal(TERM_SEGMENT, [new Uint8Array(fixed.buffer), bytesOf(ranges), bytesOf(metas), ...texts]);
}

/** Terms over the segment's own memory; `first` is the segment's first number. */
export function* decodeTerms(data: Uint8Array, first: number, where: string): Generator<void, StoredTerms, void> {
  const reader = new ByteReader(yield* unseal(TERM_SEGMENT, data, where));
  try {
    const textBytes = reader.float64();
    const terms = reader.uint32();
    const ranges = reader.sharedColumn(2 * reader.uint32());
    const metas = reader.sharedColumn(terms);
    const texts = reader.take(textBytes);
    reader.end();
    // Version 1 had no ranges: all terms were there.
    return { metas, texts, ranges: ranges.length > 0 || terms === 0 ? ranges : Uint32Array.of(first, terms) };
  } catch (cause) {
    throw corrupt(TERM_SEGMENT, where, cause);
  }
}

/** Makes a table of the terms of all term segments, in their order, and keeps their memory. */
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

/** The vectors of some literals, by one embedder. */
export function* encodeVectors(literals: readonly TermId[], vectors: readonly Float32Array[]): Encoded {
  const ids = Uint32Array.from(literals);
  return yield* seal(VECTOR_SEGMENT, [bytesOf(Uint32Array.of(ids.length, 0)), bytesOf(ids), ...vectors.map(bytesOf)]);
}

/** Literals, and their vectors one after the other, over the segment's own memory. */
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

/** Where the log stood at a checkpoint: it is kept from some such place on. */
export interface LogMark {
  readonly position: number;
  readonly timeMs: number;
  /** Bytes of the records between the mark before and this one. */
  readonly bytes: number;
}

export interface TermSegment {
  readonly name: string;
  readonly first: number;
  readonly last: number;
  /** How many of these are in it; all when not given. */
  readonly count?: number;
}

export interface VectorSegment {
  readonly name: string;
  /** The id of the embedder that made them. */
  readonly embedder: string;
  readonly dimensions: number;
}

/** What a namespace is besides its terms and quads, and which segments have these. */
export interface CheckpointState {
  readonly revision: number;
  readonly timeMs: number;
  readonly nextWorld: number;
  readonly nextContext: number;
  readonly terms: readonly TermSegment[];
  /** The names of run segments, oldest delta first; null for no rows. */
  readonly deltas: readonly { readonly inserted: string | null; readonly deleted: string | null }[];
  /** Oldest first; the last one is this checkpoint. */
  readonly marks: readonly LogMark[];
  readonly vectors: readonly VectorSegment[];
  readonly worlds: readonly WorldState[];
}

/** The first line of the state's JSON; each line after it is a list of worlds. */
interface StateHead extends Omit<CheckpointState, 'worlds'> {
  readonly worlds: number;
}

interface StoredWorld {
  readonly record: Omit<World, 'namespace'>;
  readonly world: number;
  readonly defaultContext: number;
  /** How many named graphs: their ids, then their contexts, are in the columns. */
  readonly graphs: number;
}

/** So many worlds are a line. */
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
