import { dataFactory } from '@rdf-worlds/core';
import { DEFAULT_GRAPH, NO_TERM, QuadBatch, type QuadSource, type TermId } from '@rdf-worlds/core/plugin';
import type * as RDF from '@rdfjs/types';
import { type NaiveDataset, naiveDataset } from '../naive-dataset.ts';
import { termKey } from '../term-key.ts';

const LABEL = dataFactory.namedNode('urn:contract:label');

function mapQuad(quad: RDF.BaseQuad, map: (term: RDF.Term) => RDF.Term): RDF.Quad {
  const nested = (term: RDF.Term): RDF.Term => (term.termType === 'Quad' ? mapQuad(term, map) : map(term));
  return dataFactory.quad(
    nested(quad.subject) as RDF.Quad_Subject,
    nested(quad.predicate) as RDF.Quad_Predicate,
    nested(quad.object) as RDF.Quad_Object,
    nested(quad.graph) as RDF.Quad_Graph,
  );
}

/**
 * Worlds whose blank nodes can be recognised in any store. A store assigns its own blank-node
 * labels, and the same label in two worlds denotes two nodes; every blank node therefore gets a
 * triple that identifies it.
 */
export class LabelledWorlds {
  /** The input for the store: all worlds use the same labels. */
  readonly worlds: readonly (readonly RDF.Quad[])[];
  /** The expected content: the blank nodes of world 1 are named `1/label`. */
  readonly model: NaiveDataset;

  constructor(worlds: readonly (readonly RDF.Quad[])[]) {
    const unique = (world: number) => (term: RDF.Term) =>
      term.termType === 'BlankNode' ? dataFactory.blankNode(`${world}/${term.value}`) : term;
    this.worlds = worlds.map((quads, world) => {
      const labels = new Set<string>();
      const collect = (term: RDF.Term) => {
        if (term.termType === 'BlankNode') labels.add(term.value);
        return term;
      };
      for (const quad of quads) mapQuad(quad, collect);
      const named = [...labels].map((label) =>
        dataFactory.quad(dataFactory.blankNode(label), LABEL, dataFactory.literal(`${world}/${label}`)),
      );
      return [...quads, ...named];
    });
    this.model = naiveDataset(this.worlds.map((quads, world) => quads.map((quad) => mapQuad(quad, unique(world)))));
  }

  /** Returns a function that prints terms of a store like those of the model. */
  keysOf(source: QuadSource): (id: TermId) => string {
    const labels = new Map<string, string>();
    const label = source.terms.find(LABEL);
    if (label !== NO_TERM) {
      const cursor = source.cursor();
      const batch = new QuadBatch(100);
      cursor.seek(NO_TERM, label, NO_TERM, DEFAULT_GRAPH);
      while (cursor.next(batch) > 0) {
        for (let row = 0; row < batch.length; row++) {
          labels.set(source.terms.term(batch.subject[row]).value, source.terms.term(batch.object[row]).value);
        }
      }
    }
    const keys = new Map<TermId, string>();
    return (id) => {
      let key = keys.get(id);
      if (key === undefined) {
        key = termKey(source.terms.term(id), (value) => labels.get(value) ?? `unknown ${value}`);
        keys.set(id, key);
      }
      return key;
    };
  }
}
