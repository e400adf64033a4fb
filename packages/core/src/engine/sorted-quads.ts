import type * as RDF from '@rdfjs/types';
import { sortBy } from '../canonical/sort-texts.ts';
import { Slicer } from '../contracts/slicer.ts';
import { turns } from '../contracts/turns.ts';
import { compareUnits } from '../model/code-point-order.ts';
import type { RequestMemory } from '../model/memory-budget.ts';
import { quadKey } from '../model/term-key.ts';
import { throwIfAborted } from '../model/worlds-error.ts';

/** Memory of a quad with its terms and its entry in the list, without texts. */
const QUAD_BYTES = 400;
/** Copies of its texts: in its terms, and in its key. */
const COPIES = 2;

interface KeyedQuad {
  readonly key: string;
  readonly quad: RDF.Quad;
}

/** Options of {@link sortedQuads}. */
export interface SortedQuadsOptions {
  /** What the quads and their keys are claimed from; the caller releases it. */
  readonly memory: RequestMemory;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Returns quads in an order that depends only on their terms. Throws ABORTED if the signal fires,
 * and the errors of `memory`.
 */
export async function sortedQuads(
  quads: Iterable<RDF.Quad>,
  { memory, signal }: SortedQuadsOptions,
): Promise<RDF.Quad[]> {
  // Each quad may have a long text, and one commit may have woken many callers.
  const turn = turns.begin(signal);
  if (turn) await turn;
  throwIfAborted(signal);
  const slicer = new Slicer(signal);
  const keyed = await slicer.run(keyedQuads(quads, memory));
  const sorted = await slicer.run(
    sortBy(
      keyed,
      (a, b) => compareUnits(a.key, b.key),
      ({ key }) => key.length,
    ),
  );
  return sorted.map(({ quad }) => quad);
}

/** A kernel. */
function* keyedQuads(quads: Iterable<RDF.Quad>, memory: RequestMemory): Generator<void, KeyedQuad[], void> {
  const keyed: KeyedQuad[] = [];
  for (const quad of quads) {
    const key = quadKey(quad);
    memory.claimMemory(QUAD_BYTES + COPIES * key.length);
    keyed.push({ key, quad });
    yield;
  }
  return keyed;
}
