import type * as RDF from '@rdfjs/types';
import { dataFactory } from '../model/term.ts';
import type { NetRows } from '../quads/net-rows.ts';
import type { Overlay } from '../quads/overlay.ts';

/** Quads of a difference, computed in batches. Terms are decoded on each iteration. */
export class NetQuads implements Iterable<RDF.Quad> {
  readonly length: number;
  private readonly rows: NetRows;
  private readonly terms: Overlay;

  constructor(rows: NetRows, terms: Overlay) {
    this.rows = rows;
    this.terms = terms;
    this.length = rows.length;
  }

  /** Yields the quads, by graph. */
  *[Symbol.iterator](): Generator<RDF.Quad> {
    const { terms } = this;
    for (const { graph: name, length, subject, predicate, object } of this.rows.batches()) {
      const graph = terms.term(name) as RDF.Quad_Graph;
      for (let row = 0; row < length; row++) {
        yield dataFactory.quad(
          terms.term(subject[row]) as RDF.Quad_Subject,
          terms.term(predicate[row]) as RDF.Quad_Predicate,
          terms.term(object[row]) as RDF.Quad_Object,
          graph,
        );
      }
    }
  }
}
