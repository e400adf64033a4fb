import type * as RDF from '@rdfjs/types';
import { QuadBatch } from '../../../../src/contracts/quad-batch.ts';
import type { QuadSource } from '../../../../src/contracts/quad-source.ts';
import { DEFAULT_GRAPH, NO_TERM, type TermId } from '../../../../src/contracts/term-source.ts';
import { dataFactory } from '../../../../src/index.ts';

export interface Triple {
  readonly subject: RDF.Term;
  readonly predicate: RDF.Term;
  readonly object: RDF.Term;
}

/** A term as a string: equal for equal terms only. */
export function keyOf(term: RDF.Term): string {
  switch (term.termType) {
    case 'NamedNode':
      return `<${term.value}>`;
    case 'BlankNode':
      return `_:${term.value}`;
    case 'Literal':
      return `${JSON.stringify(term.value)}@${term.language}-${term.direction ?? ''}^${term.datatype.value}`;
    case 'Quad':
      return `<<${keyOf(term.subject)} ${keyOf(term.predicate)} ${keyOf(term.object)}>>`;
    default:
      return term.termType;
  }
}

/** One object a term, so that terms are equal when they are identical. */
export class TermPool {
  private readonly terms = new Map<string, RDF.Term>();

  of(term: RDF.Term): RDF.Term {
    const key = keyOf(term);
    let known = this.terms.get(key);
    if (!known) {
      known = term;
      this.terms.set(key, term);
    }
    return known;
  }
}

/** An RDF dataset as lists of triples. */
export class NaiveDataset {
  readonly pool: TermPool;
  readonly defaultGraph: readonly Triple[];
  readonly named: ReadonlyMap<RDF.Term, readonly Triple[]>;

  constructor(pool: TermPool, defaultGraph: readonly Triple[], named: ReadonlyMap<RDF.Term, readonly Triple[]>) {
    this.pool = pool;
    this.defaultGraph = defaultGraph;
    this.named = named;
  }

  static of(source: QuadSource): NaiveDataset {
    const pool = new TermPool();
    const named = new Map<RDF.Term, readonly Triple[]>();
    for (const graph of source.graphs) named.set(pool.of(source.terms.term(graph)), triplesOf(source, graph, pool));
    return new NaiveDataset(pool, triplesOf(source, DEFAULT_GRAPH, pool), named);
  }

  /** The dataset of FROM and FROM NAMED (section 13.2). */
  withClause(defaultGraphs: readonly string[], namedGraphs: readonly string[]): NaiveDataset {
    const graphOf = (iri: string) => this.pool.of(dataFactory.namedNode(iri));
    const merged = new Set<string>();
    const triples: Triple[] = [];
    for (const iri of new Set(defaultGraphs)) {
      for (const triple of this.named.get(graphOf(iri)) ?? []) {
        const key = [triple.subject, triple.predicate, triple.object].map(keyOf).join(' ');
        if (merged.has(key)) continue;
        merged.add(key);
        triples.push(triple);
      }
    }
    const named = new Map<RDF.Term, readonly Triple[]>();
    for (const iri of namedGraphs) {
      const graph = graphOf(iri);
      const found = this.named.get(graph);
      if (found) named.set(graph, found);
    }
    return new NaiveDataset(this.pool, triples, named);
  }
}

function triplesOf(source: QuadSource, graph: TermId, pool: TermPool): Triple[] {
  const triples: Triple[] = [];
  const batch = new QuadBatch();
  const cursor = source.cursor();
  cursor.seek(NO_TERM, NO_TERM, NO_TERM, graph);
  while (cursor.next(batch) > 0) {
    for (let row = 0; row < batch.length; row++) {
      const [subject, predicate, object] = [batch.subject[row], batch.predicate[row], batch.object[row]].map((id) =>
        pool.of(source.terms.term(id)),
      );
      triples.push({ subject, predicate, object });
    }
  }
  return triples;
}
