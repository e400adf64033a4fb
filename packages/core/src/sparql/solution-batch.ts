import type * as RDF from '@rdfjs/types';
import { dataFactory } from '../model/term.ts';
import type { BindingsBatch, SolutionRow } from '../storage/sparql-engine.ts';
import { NO_TERM, type TermId, type TermSource } from '../storage/term-source.ts';

/** Terms kept by id; a power of two. */
const CACHE_SIZE = 1 << 12;

/** Decodes ids, and keeps what was decoded lately: results repeat their terms. */
export class TermCache {
  private readonly terms: TermSource;
  private readonly ids = new Int32Array(CACHE_SIZE);
  private readonly cached: (RDF.Term | undefined)[] = new Array(CACHE_SIZE).fill(undefined);

  constructor(terms: TermSource) {
    this.terms = terms;
  }

  term(id: TermId): RDF.Term {
    const at = id & (CACHE_SIZE - 1);
    if (this.ids[at] !== id) {
      this.cached[at] = this.terms.term(id);
      this.ids[at] = id;
    }
    return this.cached[at]!;
  }

  triple(subject: TermId, predicate: TermId, object: TermId): RDF.Quad {
    return dataFactory.quad(
      this.term(subject) as RDF.Quad_Subject,
      this.term(predicate) as RDF.Quad_Predicate,
      this.term(object) as RDF.Quad_Object,
    );
  }
}

/** Solutions as columns of ids; a term is made when it is asked for. */
export class SolutionBatch implements BindingsBatch {
  readonly length: number;
  private readonly variables: readonly string[];
  private readonly columns: readonly (Uint32Array | undefined)[];
  private readonly terms: TermCache;

  constructor(
    variables: readonly string[],
    columns: readonly (Uint32Array | undefined)[],
    length: number,
    terms: TermCache,
  ) {
    this.variables = variables;
    this.columns = columns;
    this.length = length;
    this.terms = terms;
  }

  term(row: number, column: number): RDF.Term | undefined {
    const id = this.columns[column]?.[row] ?? NO_TERM;
    return id === NO_TERM ? undefined : this.terms.term(id);
  }

  *[Symbol.iterator](): Iterator<SolutionRow> {
    for (let row = 0; row < this.length; row++) {
      yield { get: (variable) => this.term(row, this.variables.indexOf(variable)) };
    }
  }
}
