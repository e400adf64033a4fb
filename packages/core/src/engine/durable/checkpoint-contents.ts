import { Slicer } from '../../contracts/slicer.ts';
import type { Segment } from '../../contracts/storage.ts';
import { type Dictionary, FIXED_TERMS } from '../../quads/dictionary.ts';
import { packLiving } from '../../quads/packed-terms.ts';
import { BYTES_PER_ROW, type Run } from '../../quads/run.ts';
import type { TermTable } from '../../quads/term-table.ts';
import type { NamespaceState } from '../namespace-state.ts';
import type { TextContents } from '../storable-texts.ts';
import { takeHistory } from './history-segments.ts';
import {
  type CheckpointState,
  encodeRun,
  encodeState,
  encodeTerms,
  type LogMark,
  type TermSegment,
} from './segments.ts';
import type { HistorySegment } from './stored-history.ts';
import type { VectorContents } from './stored-vectors.ts';

/** The contents of a checkpoint; see {@link takeContents}. */
export interface CheckpointContents {
  readonly terms: readonly TermSegment[];
  /** Names of the run segments. */
  readonly runs: ReadonlyMap<Run, string>;
  /** The segments of the history; undefined if the checkpoint has none. */
  readonly history: readonly HistorySegment[] | undefined;
  /** Changes whenever a term is freed; term segments must then be checked for freed terms. */
  readonly freed: string;
  readonly segments: readonly Segment[];
}

export interface ContentsOptions {
  /** Number of terms of the dictionary that belong to the checkpoint. */
  readonly termCount: number;
  readonly timeMs: number;
  readonly marks: readonly LogMark[];
  /** An earlier checkpoint, whose segments are reused. */
  readonly last?: Pick<CheckpointContents, 'terms' | 'runs' | 'freed' | 'history'>;
  readonly vectors?: Pick<VectorContents, 'vectors' | 'segments'>;
  readonly texts?: Pick<TextContents, 'texts' | 'segments'> | undefined;
  /** Default: the dictionary of the namespace. */
  readonly dictionary?: Dictionary;
  readonly newId: () => string;
}

/**
 * Growth factor of term segments. A segment that is less than this many times larger than the new
 * terms is merged with them, which keeps the number of segments in O(log n).
 */
const GROWTH = 2;

/**
 * Captures everything visible of a namespace as segments, which are encoded only when they are
 * written. The capture is synchronous and references only immutable data, so commits can proceed
 * during the writing.
 */
export function takeContents(namespace: NamespaceState, options: ContentsOptions): CheckpointContents {
  const { termCount, timeMs, marks, last, vectors, texts, newId } = options;
  const { store } = namespace;
  const { dictionary = store.dictionary } = options;
  const runs = new Map<Run, string>();
  const nameOf = (run: Run): string | null => {
    if (run.length === 0) return null;
    const name = last?.runs.get(run) ?? `run-${newId()}`;
    runs.set(run, name);
    return name;
  };
  namespace.expireHistory();
  const history = namespace.history && takeHistory(namespace.history, last?.history ?? [], newId);
  const { table } = dictionary;
  const freed = freedOf(dictionary);
  const deltas = store.snapshot.deltas.map(({ inserted, deleted }) => ({
    inserted: nameOf(inserted),
    deleted: nameOf(deleted),
  }));
  const state: CheckpointState = {
    revision: namespace.revision,
    timeMs,
    nextWorld: namespace.nextWorld,
    nextContext: store.nextContext,
    terms: termSegments(last?.terms ?? [], termCount, { table, wasFreed: last?.freed !== freed, newId }),
    deltas,
    memoryBytes: table.byteLength + memoryOfRuns(runs.keys()),
    marks,
    vectors: vectors?.vectors ?? [],
    ...(texts?.texts && { texts: texts.texts }),
    worlds: [...namespace.worlds.values()],
    ...(history && { history: history.stored }),
  };
  return {
    terms: state.terms,
    runs,
    freed,
    history: history?.stored.segments,
    segments: [
      segmentOf(`state-${newId()}`, () => encodeState(state)),
      ...state.terms.map((part) => segmentOf(part.name, () => encodeLiving(table, part))),
      ...Array.from(runs, ([run, name]) => segmentOf(name, () => encodeRun(run))),
      ...(vectors?.segments ?? []),
      ...(history?.contents ?? []).map(({ name, encode }) => segmentOf(name, encode)),
      ...(texts?.segments ?? []),
    ],
  };
}

/** Excludes what queries have built for the runs. */
function memoryOfRuns(runs: Iterable<Run>): number {
  let bytes = 0;
  for (const { length, contexts, starts } of runs)
    bytes += length * BYTES_PER_ROW + contexts.byteLength + starts.byteLength;
  return bytes;
}

function segmentOf(name: string, encode: () => Generator<void, Uint8Array[], void>): Segment {
  return {
    name,
    write: async function* () {
      const slicer = new Slicer();
      for (const chunk of await slicer.run(encode())) {
        yield chunk;
        if (slicer.due) await slicer.pause();
      }
    },
  };
}

function* encodeLiving(table: TermTable, { first, last }: TermSegment): Generator<void, Uint8Array[], void> {
  return yield* encodeTerms(yield* packLiving(table, first, last), table.key);
}

/** Returns the current value of `CheckpointContents.freed`. */
export function freedOf({ generation, table }: Dictionary): string {
  return `${generation} ${table.size - table.living}`;
}

interface NewTerms {
  readonly table: TermTable;
  /** Whether terms of the known segments may have been freed since. */
  readonly wasFreed: boolean;
  readonly newId: () => string;
}

/**
 * Returns the segments for the terms up to `size`: known ones without freed terms, and new ones for
 * the rest. A new segment absorbs small ones before it, which keeps the number of segments in O(log
 * n).
 */
function termSegments(
  known: readonly TermSegment[],
  size: number,
  { table, wasFreed, newId }: NewTerms,
): readonly TermSegment[] {
  const parts = known.map((segment) => {
    const count = sizeOf(segment);
    const living = wasFreed ? livingWithin(table, segment) : count;
    return { segment: living === count ? segment : undefined, first: segment.first, last: segment.last, living };
  });
  const first = (known.at(-1)?.last ?? FIXED_TERMS) + 1;
  if (first <= size)
    parts.push({ segment: undefined, first, last: size, living: livingWithin(table, { first, last: size }) });
  const kept: typeof parts = [];
  for (let part of parts) {
    for (let before = kept.at(-1); before; before = kept.at(-1)) {
      const isNew = part.segment === undefined || before.segment === undefined;
      if (!isNew || before.living >= GROWTH * part.living) break;
      part = { segment: undefined, first: before.first, last: part.last, living: before.living + part.living };
      kept.pop();
    }
    kept.push(part);
  }
  return kept.map(({ segment, first, last, living }) => {
    if (segment) return segment;
    // The same range may have contained more terms earlier, and a name must always denote the same
    // bytes.
    if (table.isGapless) return { name: `terms-${first}-${last}`, first, last };
    return { name: `terms-${first}-${last}-${newId()}`, first, last, count: living };
  });
}

function sizeOf({ first, last, count }: TermSegment): number {
  return count ?? last - first + 1;
}

function livingWithin(table: TermTable, { first, last }: Pick<TermSegment, 'first' | 'last'>): number {
  if (table.isGapless) return last - first + 1;
  let living = 0;
  for (let number = table.nextLiving(first, last); number <= last; number = table.nextLiving(number + 1, last))
    living++;
  return living;
}
