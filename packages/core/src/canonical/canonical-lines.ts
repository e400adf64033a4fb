import { textBytes } from '../model/memory-budget.ts';
import type { QuadSource } from '../storage/quad-source.ts';
import type { TermBytesSource } from '../storage/term-bytes.ts';
import type { TermId } from '../storage/term-source.ts';
import { canonicalNumbers } from './canonical-labels.ts';
import type { CanonicalWork } from './canonical-work.ts';
import { lineOf, readLines } from './dataset-lines.ts';
import { sortTexts } from './sort-texts.ts';

const STRIDE = 256;

/** A dataset in its canonical form. */
export interface CanonicalLines {
  /** Lines of canonical N-Quads in the order of code points, each with its line feed. */
  readonly lines: readonly string[];
  /** By N: the blank node that has the canonical label `c14nN`. */
  readonly nodes: readonly TermId[];
}

/**
 * RDF Dataset Canonicalization (https://www.w3.org/TR/rdf-canon/, RDFC-1.0): a dataset as lines
 * that are the same for all datasets that differ only in the labels of their blank nodes. Empty
 * named graphs do not show. Throws LIMIT_EXCEEDED, UNSUPPORTED and what the memory of the work
 * throws. A kernel.
 *
 * @param tripleTerms whether blank nodes in triple terms get labels too, in a way of this library's
 *   own; UNSUPPORTED otherwise
 */
export function* canonicalLines(
  source: QuadSource,
  terms: TermBytesSource,
  work: CanonicalWork,
  tripleTerms: boolean,
): Generator<void, CanonicalLines> {
  const dataset = yield* readLines(source, terms, work, tripleTerms);
  const numbers = yield* canonicalNumbers(dataset, work);
  const label = (node: number) => `_:c14n${numbers[node]}`;
  const lines = dataset.ground;
  let bytes = 0;
  for (const [i, quad] of dataset.quads.entries()) {
    const line = lineOf(quad, label);
    lines.push(line);
    bytes += textBytes(line.length);
    if (i % STRIDE !== 0) continue;
    work.memory.claimMemory(bytes);
    bytes = 0;
    yield;
  }
  work.memory.claimMemory(bytes);
  const nodes: TermId[] = new Array(numbers.length);
  for (const [node, number] of numbers.entries()) nodes[number] = dataset.nodes[node];
  return { lines: yield* sortTexts(lines), nodes };
}
