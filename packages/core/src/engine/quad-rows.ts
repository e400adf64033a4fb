import type * as RDF from '@rdfjs/types';
import type { QuadBatch } from '../contracts/quad-batch.ts';
import { QuadList } from '../contracts/quad-list.ts';
import { NO_TERM, type TermId, type TermSource } from '../contracts/term-source.ts';
import type { MemoryBudget } from '../model/memory-budget.ts';
import { requirePositions } from '../model/quad-positions.ts';
import { dataFactory } from '../model/term.ts';
import { WorldsError } from '../model/worlds-error.ts';

/** Number of quads between two checks of the clock. */
const STRIDE = 256;

/**
 * Converts RDF/JS quads to columns of ids. With `make`, unknown terms are created; otherwise quads
 * with unknown terms are omitted, because they cannot be in the store. A kernel.
 *
 * @param memory budget for the columns
 */
export function* quadsAsRows(
  quads: unknown,
  field: string,
  terms: TermSource,
  make: boolean,
  memory?: MemoryBudget,
): Generator<void, QuadList | undefined, void> {
  if (quads === undefined) return undefined;
  if (typeof quads !== 'object' || quads === null || !(Symbol.iterator in quads)) {
    throw new WorldsError('INVALID_ARGUMENT', `${field}: expected an iterable of RDF/JS quads.`);
  }
  const rows = new QuadList(undefined, memory);
  let seen = 0;
  for (const quad of quads as Iterable<RDF.Quad>) {
    if (typeof quad !== 'object' || quad === null)
      throw new WorldsError('INVALID_ARGUMENT', `${field}: expected RDF/JS quads.`);
    requirePositions(quad);
    const { subject, predicate, object, graph } = quad;
    if (make) {
      rows.add(terms.intern(subject), terms.intern(predicate), terms.intern(object), terms.intern(graph));
    } else {
      const [s, p, o, g] = [terms.find(subject), terms.find(predicate), terms.find(object), terms.find(graph)];
      if (s !== NO_TERM && p !== NO_TERM && o !== NO_TERM && g !== NO_TERM) rows.add(s, p, o, g);
    }
    if (++seen % STRIDE === 0) yield;
  }
  return rows;
}

/** Decodes batches into RDF/JS quads. A term that repeats in consecutive rows is decoded once. */
export class QuadDecoder {
  private readonly terms: TermSource;
  private readonly lastIds: TermId[] = [NO_TERM, NO_TERM, NO_TERM, NO_TERM];
  private readonly lastTerms: (RDF.Term | undefined)[] = [undefined, undefined, undefined, undefined];

  constructor(terms: TermSource) {
    this.terms = terms;
  }

  quad({ subject, predicate, object, graph }: QuadBatch, row: number): RDF.Quad {
    return dataFactory.quad(
      this.term(0, subject[row]) as RDF.Quad_Subject,
      this.term(1, predicate[row]) as RDF.Quad_Predicate,
      this.term(2, object[row]) as RDF.Quad_Object,
      this.term(3, graph[row]) as RDF.Quad_Graph,
    );
  }

  private term(position: number, id: TermId): RDF.Term {
    if (this.lastIds[position] !== id) {
      this.lastIds[position] = id;
      this.lastTerms[position] = this.terms.term(id);
    }
    return this.lastTerms[position]!;
  }
}
