import type * as RDF from '@rdfjs/types';
import type { BindingsBatch, QuadsBatch, SolutionRow } from '../storage/sparql-engine.ts';

/** The solutions of a SELECT: iterate over rows, over batches for speed, or take them all. They can be read once. */
export class SelectResult implements AsyncIterable<SolutionRow> {
  /** Names without `?`, in the order of the query. */
  readonly variables: readonly string[];
  readonly batches: AsyncIterable<BindingsBatch>;

  constructor(variables: readonly string[], batches: AsyncIterable<BindingsBatch>) {
    this.variables = variables;
    this.batches = batches;
  }

  async *[Symbol.asyncIterator](): AsyncIterator<SolutionRow> {
    for await (const batch of this.batches) yield* batch;
  }

  /** All rows; `row.get('name')` gives a term. */
  async array(): Promise<SolutionRow[]> {
    const rows: SolutionRow[] = [];
    for await (const batch of this.batches) for (const row of batch) rows.push(row);
    return rows;
  }
}

/** The triples of a CONSTRUCT or DESCRIBE. They can be read once. */
export class QuadsResult implements AsyncIterable<RDF.Quad> {
  readonly batches: AsyncIterable<QuadsBatch>;

  constructor(batches: AsyncIterable<QuadsBatch>) {
    this.batches = batches;
  }

  async *[Symbol.asyncIterator](): AsyncIterator<RDF.Quad> {
    for await (const batch of this.batches) yield* batch;
  }

  async array(): Promise<RDF.Quad[]> {
    const quads: RDF.Quad[] = [];
    for await (const batch of this.batches) for (const quad of batch) quads.push(quad);
    return quads;
  }
}

/** What an update did to its target world, net. */
export interface UpdateResult {
  readonly inserted: number;
  readonly deleted: number;
  /** The world's revision afterwards. */
  readonly revision: number;
}

export type QueryResult =
  | { readonly type: 'bindings'; readonly variables: readonly string[]; readonly batches: AsyncIterable<BindingsBatch> }
  | { readonly type: 'boolean'; readonly value: boolean }
  | { readonly type: 'quads'; readonly batches: AsyncIterable<QuadsBatch> }
  | ({ readonly type: 'update' } & UpdateResult);
