import type { QuadSource } from '../contracts/quad-source.ts';
import type { TermBytesSource } from '../contracts/term-bytes.ts';
import type { TermId } from '../contracts/term-source.ts';
import { textBytes } from '../model/memory-budget.ts';
import { canonicalNumbers } from './canonical-labels.ts';
import type { CanonicalWork } from './canonical-work.ts';
import { type DatasetLines, lineOf, readLines } from './dataset-lines.ts';
import { sortTexts } from './sort-texts.ts';

const STRIDE = 256;
/** Lines are claimed at least when they take this much together. */
const CLAIM_BYTES = 1 << 18;

/** Canonical form of a dataset. */
export interface CanonicalLines {
  /** Lines of canonical N-Quads in code point order, each with its line feed. */
  readonly lines: readonly string[];
  /** By N: the blank node with the canonical label `c14nN`. */
  readonly nodes: readonly TermId[];
}

/**
 * RDF Dataset Canonicalization (https://www.w3.org/TR/rdf-canon/, RDFC-1.0): returns lines that are
 * equal for datasets that differ only in blank node labels. Empty named graphs leave no trace.
 * Throws LIMIT_EXCEEDED, UNSUPPORTED and the errors of the memory budget. A kernel.
 *
 * @param tripleTerms if true, blank nodes in triple terms are labelled too, by an extension of this
 * library; if false, they throw UNSUPPORTED
 */
export function* canonicalLines(
  source: QuadSource,
  terms: TermBytesSource,
  work: CanonicalWork,
  tripleTerms: boolean,
): Generator<void, CanonicalLines> {
  const dataset = yield* readLines(source, terms, work, { tripleTerms, ground: true });
  const numbers = yield* canonicalNumbers(dataset, work);
  const label = (node: number) => `_:c14n${numbers[node]}`;
  const lines = dataset.ground;
  let bytes = 0;
  for (const [i, quad] of dataset.quads.entries()) {
    const line = lineOf(quad, label);
    lines.push(line);
    bytes += textBytes(line.length);
    if (i % STRIDE !== 0 && bytes < CLAIM_BYTES) continue;
    work.memory.claimMemory(bytes);
    bytes = 0;
    yield;
  }
  work.memory.claimMemory(bytes);
  return { lines: yield* sortTexts(lines), nodes: nodesByLabel(dataset, numbers) };
}

/**
 * Returns only the nodes of {@link canonicalLines}, in memory that does not depend on the quads
 * without blank nodes. A kernel.
 */
export function* canonicalNodes(
  source: QuadSource,
  terms: TermBytesSource,
  work: CanonicalWork,
): Generator<void, CanonicalLines['nodes']> {
  const dataset = yield* readLines(source, terms, work, { tripleTerms: true, ground: false });
  return nodesByLabel(dataset, yield* canonicalNumbers(dataset, work));
}

function nodesByLabel(dataset: DatasetLines, numbers: Int32Array): TermId[] {
  const nodes: TermId[] = new Array(numbers.length);
  for (const [node, number] of numbers.entries()) nodes[number] = dataset.nodes[node];
  return nodes;
}
