import type * as RDF from '@rdfjs/types';
import { QuadBatch } from '../contracts/quad-batch.ts';
import type { QuadCursor } from '../contracts/quad-source.ts';
import { Slicer } from '../contracts/slicer.ts';
import { NO_TERM, type TermId } from '../contracts/term-source.ts';
import { turns } from '../contracts/turns.ts';
import { throwIfAborted } from '../model/worlds-error.ts';
import type { Overlay } from '../quads/overlay.ts';
import { heldStream } from './held-stream.ts';
import type { OpenSource } from './open-source.ts';
import { QuadDecoder } from './quad-rows.ts';
import { readingOverlay } from './reading-overlay.ts';

/** Terms of a pattern; null, undefined and variables match any term. */
interface QuadPattern {
  readonly subject?: RDF.Term | null;
  readonly predicate?: RDF.Term | null;
  readonly object?: RDF.Term | null;
  readonly graph?: RDF.Term | null;
}

/** Iterates over the quads of a world that match a pattern, as of the call. */
export function readQuads(
  { home, state, snapshot, dictionary }: OpenSource,
  { subject, predicate, object, graph }: QuadPattern,
  signal: AbortSignal | undefined,
): AsyncIterable<RDF.Quad> {
  const overlay = readingOverlay(dictionary);
  const pattern = [subject, predicate, object, graph].map((term) => idInPattern(term, overlay));
  if (pattern.includes(undefined)) return noQuads(signal);
  const [s, p, o, g] = pattern as TermId[];
  const cursor = home.store.view(overlay, [state.graphs], snapshot).cursor();
  cursor.seek(s, p, o, g);
  return heldStream([home], (release) => decodedQuads(cursor, overlay, signal, release));
}

/** Lookups that find nothing take turns too: thousands may follow one another. */
function noQuads(signal: AbortSignal | undefined): AsyncIterable<RDF.Quad> {
  const next = async (): Promise<IteratorResult<RDF.Quad>> => {
    const turn = turns.begin(signal);
    if (turn) await turn;
    return { done: true, value: undefined };
  };
  return { [Symbol.asyncIterator]: () => ({ next }) };
}

async function* decodedQuads(
  cursor: QuadCursor,
  overlay: Overlay,
  signal: AbortSignal | undefined,
  release: () => void,
): AsyncGenerator<RDF.Quad> {
  const batch = new QuadBatch(256);
  const rows = new QuadDecoder(overlay);
  try {
    const turn = turns.begin(signal);
    if (turn) await turn;
    const slicer = new Slicer(signal);
    while (cursor.next(batch) > 0) {
      throwIfAborted(signal);
      for (let row = 0; row < batch.length; row++) yield rows.quad(batch, row);
      if (slicer.due) await slicer.pause();
    }
  } finally {
    release();
  }
}

/**
 * Returns the id of a pattern's term; NO_TERM for a wildcard; undefined for a term that is not in
 * the store, so that nothing matches.
 */
function idInPattern(term: RDF.Term | null | undefined, overlay: Overlay): TermId | undefined {
  if (term === null || term === undefined || term.termType === 'Variable') return NO_TERM;
  return overlay.find(term) || undefined;
}
