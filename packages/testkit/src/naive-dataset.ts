import { dataFactory } from '@rdf-worlds/core';
import {
  ANY_NAMED_GRAPH,
  DEFAULT_GRAPH,
  NO_TERM,
  type QuadBatch,
  type QuadCursor,
  type QuadSource,
  type TermId,
} from '@rdf-worlds/core/plugin';
import type * as RDF from '@rdfjs/types';
import { NaiveTermSource } from './naive-term-source.ts';

/** A quad as ids: subject, predicate, object, graph. */
export type NaiveQuad = readonly [subject: TermId, predicate: TermId, object: TermId, graph: TermId];

/** One world: its quads without duplicates, and its named graphs, including empty ones. */
export interface NaiveWorld {
  readonly quads: readonly NaiveQuad[];
  readonly graphs: readonly TermId[];
}

/**
 * The leading positions of the sort order, indexed by the bound positions as bits (1 subject, 2
 * predicate, 4 object).
 */
const ORDER: readonly (readonly number[])[] = [[0, 1, 2], [1, 2], [2, 0], [2], [0, 1], [1], [0], []];

function matcher(subject: TermId, predicate: TermId, object: TermId, graph: TermId): (quad: NaiveQuad) => boolean {
  return (quad) =>
    (subject === NO_TERM || quad[0] === subject) &&
    (predicate === NO_TERM || quad[1] === predicate) &&
    (object === NO_TERM || quad[2] === object) &&
    (graph === NO_TERM || (graph === ANY_NAMED_GRAPH ? quad[3] !== DEFAULT_GRAPH : quad[3] === graph));
}

class NaiveCursor implements QuadCursor {
  private readonly dataset: NaiveDataset;
  private rows: readonly NaiveQuad[] = [];
  private position = 0;

  constructor(dataset: NaiveDataset) {
    this.dataset = dataset;
  }

  seek(subject: TermId, predicate: TermId, object: TermId, graph: TermId): void {
    this.rows = this.dataset.match(subject, predicate, object, graph);
    this.position = 0;
  }

  next(batch: QuadBatch): number {
    const length = Math.min(batch.capacity, this.rows.length - this.position);
    for (let row = 0; row < length; row++) {
      const [subject, predicate, object, graph] = this.rows[this.position + row];
      batch.subject[row] = subject;
      batch.predicate[row] = predicate;
      batch.object[row] = object;
      batch.graph[row] = graph;
    }
    this.position += length;
    batch.length = length;
    return length;
  }
}

/**
 * A {@link QuadSource} too simple to be wrong: arrays, filters and a sort. It is the model that
 * stores and engines are compared with, and a source for tests of engines. Every lookup scans all
 * quads.
 */
export class NaiveDataset implements QuadSource {
  /** The terms of the dataset, possibly shared with others. */
  readonly terms: NaiveTermSource;
  readonly graphs: Uint32Array;
  private readonly worlds: readonly NaiveWorld[];
  private readonly quads: readonly NaiveQuad[];

  constructor(terms: NaiveTermSource, worlds: readonly NaiveWorld[]) {
    this.terms = terms;
    this.worlds = worlds;
    this.quads = distinct(worlds.flatMap((world) => world.quads));
    const graphs = new Set(worlds.flatMap((world) => [...world.graphs, ...world.quads.map((quad) => quad[3])]));
    graphs.delete(DEFAULT_GRAPH);
    this.graphs = Uint32Array.from(graphs).sort();
  }

  /** Returns the matching quads in the order of a cursor. */
  match(subject: TermId, predicate: TermId, object: TermId, graph: TermId): NaiveQuad[] {
    const bound = (subject === NO_TERM ? 0 : 1) | (predicate === NO_TERM ? 0 : 2) | (object === NO_TERM ? 0 : 4);
    const order = [3, ...ORDER[bound]];
    return this.quads.filter(matcher(subject, predicate, object, graph)).sort((left, right) => {
      for (const position of order) {
        if (left[position] !== right[position]) return left[position] - right[position];
      }
      return 0;
    });
  }

  count(subject: TermId, predicate: TermId, object: TermId, graph: TermId): number {
    return this.quads.filter(matcher(subject, predicate, object, graph)).length;
  }

  estimate(subject: TermId, predicate: TermId, object: TermId, graph: TermId): number {
    const matches = matcher(subject, predicate, object, graph);
    return this.worlds.reduce((sum, world) => sum + world.quads.filter(matches).length, 0);
  }

  /** Returns a new cursor over the matches of a pattern. */
  cursor(): QuadCursor {
    return new NaiveCursor(this);
  }

  dataset(defaultGraphs: readonly TermId[], namedGraphs: readonly TermId[] | Uint32Array): NaiveDataset {
    // A graph that does not exist is not in the dataset: FROM NAMED cannot create one (SPARQL 1.1
    // section 13.2).
    const named = new Set([...namedGraphs].filter((graph) => this.graphs.includes(graph)));
    const merged = new Set(defaultGraphs);
    const worlds = this.worlds.map((world) => ({
      quads: distinct([
        ...world.quads.filter((quad) => merged.has(quad[3])).map(([s, p, o]): NaiveQuad => [s, p, o, DEFAULT_GRAPH]),
        ...world.quads.filter((quad) => named.has(quad[3]) && quad[3] !== DEFAULT_GRAPH),
      ]),
      graphs: [...named],
    }));
    return new NaiveDataset(this.terms, worlds);
  }

  merged(): NaiveDataset {
    return this.dataset([DEFAULT_GRAPH, ...this.graphs], []);
  }

  /** Yields every quad as RDF/JS terms, for comparisons. */
  *[Symbol.iterator](): IterableIterator<RDF.Quad> {
    for (const [subject, predicate, object, graph] of this.quads) {
      yield dataFactory.quad(
        this.terms.term(subject) as RDF.Quad_Subject,
        this.terms.term(predicate) as RDF.Quad_Predicate,
        this.terms.term(object) as RDF.Quad_Object,
        this.terms.term(graph) as RDF.Quad_Graph,
      );
    }
  }
}

/** Returns the quads without duplicates, in the order of first occurrence. */
export function distinct(quads: readonly NaiveQuad[]): NaiveQuad[] {
  return [...new Map(quads.map((quad) => [quad.join(' '), quad])).values()];
}

/** Options of {@link naiveDataset} and `NaiveUpdateView`. */
export interface NaiveDatasetOptions {
  /** Shared by datasets that need the same ids. */
  readonly terms?: NaiveTermSource | undefined;
  /** Named graphs of the first world that exist without quads. */
  readonly emptyGraphs?: readonly RDF.Term[] | undefined;
}

/**
 * Returns the model of a dataset over one or more worlds, each given as its quads. A blank-node
 * label denotes the same node in every world, so nodes of different worlds need different labels.
 */
export function naiveDataset(
  worlds: readonly (readonly RDF.BaseQuad[])[],
  { terms = new NaiveTermSource(), emptyGraphs = [] }: NaiveDatasetOptions = {},
): NaiveDataset {
  return new NaiveDataset(
    terms,
    worlds.map((quads, index) => ({
      quads: distinct(
        quads.map((quad) => [
          terms.intern(quad.subject),
          terms.intern(quad.predicate),
          terms.intern(quad.object),
          terms.intern(quad.graph),
        ]),
      ),
      graphs: index === 0 ? emptyGraphs.map((graph) => terms.intern(graph)) : [],
    })),
  );
}
