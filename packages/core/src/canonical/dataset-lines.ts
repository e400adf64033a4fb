import { QuadBatch } from '../contracts/quad-batch.ts';
import type { QuadSource } from '../contracts/quad-source.ts';
import type { TermBytesSource } from '../contracts/term-bytes.ts';
import { DEFAULT_GRAPH, NO_TERM, type TermId } from '../contracts/term-source.ts';
import { textBytes } from '../model/memory-budget.ts';
import { WorldsError } from '../model/worlds-error.ts';
import type { CanonicalWork } from './canonical-work.ts';
import { LineCutter } from './cut-line.ts';
import { flat } from './flat-text.ts';

/** Lines are claimed at least when they take this much together. */
const CLAIM_BYTES = 1 << 18;
const BATCH_ROWS = 256;
/** Memory of a text and its list entry, without its characters. */
const LINE_BYTES = 40;
/** Memory of a quad with blank nodes, without its texts. */
const QUAD_BYTES = 200;
/** Memory of a blank node: its number, list of quads, hash and labels. */
const NODE_BYTES = 600;

/** A quad with blank nodes, which are numbered from 0. */
export interface BlankNodeQuad {
  /** As in `CutLine`. */
  readonly texts: readonly string[];
  readonly nodes: readonly number[];
  readonly positions: readonly string[];
}

/** A dataset as lines of canonical N-Quads. */
export interface DatasetLines {
  /** Lines without blank nodes, in any order. */
  readonly ground: string[];
  readonly quads: readonly BlankNodeQuad[];
  /** Blank nodes by number. */
  readonly nodes: readonly TermId[];
  /** By node: the quads that mention it (RDFC-1.0 section 4.4.3, blank node to quads map). */
  readonly quadsOf: readonly (readonly BlankNodeQuad[])[];
  /**
   * Whether the parts of a quad that RDFC-1.0 hashes describe it completely: all quads with two or
   * more blank nodes are in the default graph and contain no triple terms.
   */
  readonly isPlain: boolean;
}

export interface ReadLinesOptions {
  /** Whether triple terms may contain blank nodes; if not, they throw UNSUPPORTED. */
  readonly tripleTerms: boolean;
  /** Whether lines without blank nodes are read. They take most of the memory; labels need none. */
  readonly ground: boolean;
}

/** Reads a dataset as lines. A kernel. */
export function* readLines(
  source: QuadSource,
  terms: TermBytesSource,
  work: CanonicalWork,
  { tripleTerms, ground: readsGround }: ReadLinesOptions,
): Generator<void, DatasetLines> {
  const cutter = new LineCutter(terms);
  const numbers = new Map<TermId, number>();
  const nodes: TermId[] = [];
  const ground: string[] = [];
  const quads: BlankNodeQuad[] = [];
  const quadsOf: BlankNodeQuad[][] = [];
  let isPlain = true;
  const numberOf = (id: TermId): number => {
    let number = numbers.get(id);
    if (number === undefined) {
      numbers.set(id, (number = nodes.push(id) - 1));
      quadsOf.push([]);
      work.memory.claimMemory(NODE_BYTES);
    }
    return number;
  };
  const cursor = source.cursor();
  const batch = new QuadBatch(BATCH_ROWS);
  for (const graph of [DEFAULT_GRAPH, ...source.graphs]) {
    cursor.seek(NO_TERM, NO_TERM, NO_TERM, graph);
    const readsAll = readsGround || mayHaveNodes(graph, terms);
    while (cursor.next(batch) > 0) {
      let bytes = 0;
      for (let row = 0; row < batch.length; row++) {
        const subject = batch.subject[row];
        const object = batch.object[row];
        if (!readsAll && !mayHaveNodes(subject, terms) && !mayHaveNodes(object, terms)) continue;
        const line = cutter.line(subject, batch.predicate[row], object, graph);
        const { texts, positions } = line;
        for (const text of texts) bytes += LINE_BYTES + textBytes(text.length);
        // A batch of the longest texts is gigabytes.
        if (bytes > CLAIM_BYTES) {
          work.memory.claimMemory(bytes);
          bytes = 0;
          yield;
        }
        if (line.nodes.length === 0) {
          ground.push(flat(texts[0]));
          continue;
        }
        if (line.nodes.length > 1 && (graph !== DEFAULT_GRAPH || positions.some(isInTripleTerm))) isPlain = false;
        if (!tripleTerms && positions.some(isInTripleTerm)) throw undefinedLabels();
        bytes += QUAD_BYTES;
        const quad: BlankNodeQuad = { texts, nodes: line.nodes.map(numberOf), positions };
        quads.push(quad);
        for (const node of quad.nodes) if (quadsOf[node].at(-1) !== quad) quadsOf[node].push(quad);
      }
      work.memory.claimMemory(bytes);
      yield;
    }
  }
  return { ground, quads, nodes, quadsOf, isPlain };
}

/** Returns the line of a quad with these labels, `_:` included. */
export function lineOf({ texts, nodes }: BlankNodeQuad, label: (node: number) => string): string {
  let line = texts[0];
  for (let i = 0; i < nodes.length; i++) line += label(nodes[i]) + texts[i + 1];
  return line;
}

function mayHaveNodes(id: TermId, terms: TermBytesSource): boolean {
  if (id === DEFAULT_GRAPH) return false;
  const kind = terms.kind(id);
  return kind === 'blank' || kind === 'triple';
}

/** Returns whether the path to a node has two predicates. */
function isInTripleTerm(position: string): boolean {
  return position.startsWith('o<') && position.indexOf('<', 2) > 0;
}

function undefinedLabels(): WorldsError {
  return new WorldsError(
    'UNSUPPORTED',
    'The data has a triple term that mentions a blank node: RDF Dataset Canonicalization (RDFC-1.0) defines labels only for RDF 1.1. ' +
      'Give the blank node an IRI, or compare worlds with isIsomorphic, which needs no labels.',
  );
}
