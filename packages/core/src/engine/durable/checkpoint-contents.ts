import { FIXED_TERMS } from '../../quads/dictionary.ts';
import { packTerms } from '../../quads/packed-terms.ts';
import type { Run } from '../../quads/run.ts';
import { Slicer } from '../../storage/slicer.ts';
import type { Segment } from '../../storage/storage.ts';
import type { Namespace } from '../namespace.ts';
import {
  type CheckpointState,
  encodeRun,
  encodeState,
  encodeTerms,
  type LogMark,
  type TermSegment,
} from './segments.ts';

import type { VectorContents } from './stored-vectors.ts';

/** What a checkpoint is made of: see {@link takeContents}. */
export interface CheckpointContents {
  readonly terms: readonly TermSegment[];
  /** The names of run segments. */
  readonly runs: ReadonlyMap<Run, string>;
  readonly segments: readonly Segment[];
}

export interface ContentsOptions {
  /** How many terms of the dictionary belong to it. */
  readonly termCount: number;
  readonly timeMs: number;
  readonly marks: readonly LogMark[];
  /** What an earlier checkpoint had, and need not be written again. */
  readonly last?: Pick<CheckpointContents, 'terms' | 'runs'>;
  readonly vectors?: Pick<VectorContents, 'vectors' | 'segments'>;
  readonly newId: () => string;
}

/** A term segment that is not so many times larger than what is new behind it is written together with that: so there are O(log n) of them. */
const GROWTH = 2;

/**
 * Everything that is visible of a namespace now, as segments that are encoded when they are written. It is taken in one synchronous step, and what it refers
 * to is immutable: so commits go on while it is being written.
 */
export function takeContents(namespace: Namespace, options: ContentsOptions): CheckpointContents {
  const { termCount, timeMs, marks, last, vectors, newId } = options;
  const { store } = namespace;
  const runs = new Map<Run, string>();
  const nameOf = (run: Run): string | null => {
    if (run.length === 0) return null;
    const name = last?.runs.get(run) ?? `run-${newId()}`;
    runs.set(run, name);
    return name;
  };
  const state: CheckpointState = {
    revision: namespace.revision,
    timeMs,
    nextWorld: namespace.nextWorld,
    nextContext: store.nextContext,
    terms: termSegments(last?.terms ?? [], termCount),
    deltas: store.snapshot.deltas.map(({ inserted, deleted }) => ({
      inserted: nameOf(inserted),
      deleted: nameOf(deleted),
    })),
    marks,
    vectors: vectors?.vectors ?? [],
    worlds: [...namespace.worlds.values()],
  };
  const { table } = store.dictionary;
  return {
    terms: state.terms,
    runs,
    segments: [
      segmentOf(`state-${newId()}`, () => encodeState(state)),
      ...state.terms.map((part) => segmentOf(part.name, () => encodeTerms(packTerms(table, part.first, part.last)))),
      ...Array.from(runs, ([run, name]) => segmentOf(name, () => encodeRun(run))),
      ...(vectors?.segments ?? []),
    ],
  };
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

/** The segments for the terms up to `size`: those that are there, and one for what is new, which takes small ones before it along. */
function termSegments(known: readonly TermSegment[], size: number): readonly TermSegment[] {
  const kept = [...known];
  let first = (kept.at(-1)?.last ?? FIXED_TERMS) + 1;
  if (first > size) return known;
  for (let newest = kept.at(-1); newest && newest.last - newest.first < GROWTH * (size - first); newest = kept.at(-1)) {
    first = newest.first;
    kept.pop();
  }
  return [...kept, { name: `terms-${first}-${size}`, first, last: size }];
}
