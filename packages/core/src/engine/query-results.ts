import type * as RDF from '@rdfjs/types';
import type { BindingsBatch, QuadsBatch } from '../contracts/sparql-engine.ts';
import type { PlainValue } from '../model/plain-value.ts';
import { WorldsError } from '../model/worlds-error.ts';
import { ResultRow } from '../sparql/result-row.ts';

/**
 * Batches that are computed while they are read. A second iteration would see only what the first
 * one left, so it throws INVALID_ARGUMENT.
 */
class ReadOnce<Batch> implements AsyncIterable<Batch> {
  // Private at run time too, so that `console.log` does not print the internals of a query.
  readonly #batches: AsyncIterable<Batch>;
  #taken = false;

  constructor(batches: AsyncIterable<Batch>) {
    this.#batches = batches;
  }

  [Symbol.asyncIterator](): AsyncIterator<Batch> {
    if (this.#taken) {
      throw new WorldsError(
        'INVALID_ARGUMENT',
        'This result has already been read. Results are streamed, so they can be read only once: keep the rows with "await result.array()", or run the query again.',
      );
    }
    this.#taken = true;
    return this.#batches[Symbol.asyncIterator]();
  }
}

/** Returns the result with batches that throw INVALID_ARGUMENT when iterated twice. */
export function readOnce(result: QueryResult): QueryResult {
  if (result.type === 'bindings') {
    const { type, variables, batches } = result;
    return { type, variables, batches: new ReadOnce(batches) };
  }
  if (result.type !== 'quads') return result;
  const { type, batches, prefixes } = result;
  return { type, batches: new ReadOnce(batches), prefixes };
}

/**
 * The solutions of a SELECT query: iterate over rows, iterate over batches for speed, or collect
 * them all. They are computed while they are read; a second reading throws INVALID_ARGUMENT.
 */
export class SelectResult implements AsyncIterable<ResultRow> {
  /** Variable names without `?`, in the order of the query. */
  readonly variables: readonly string[];
  /** The solutions in batches; see {@link BindingsBatch}. Can be read once, like the rows. */
  readonly batches: AsyncIterable<BindingsBatch>;

  constructor(variables: readonly string[], batches: AsyncIterable<BindingsBatch>) {
    this.variables = variables;
    this.batches = new ReadOnce(batches);
  }

  /** Yields the rows. */
  async *[Symbol.asyncIterator](): AsyncIterator<ResultRow> {
    const { variables } = this;
    for await (const batch of this.batches) {
      for (let row = 0; row < batch.length; row++) yield new ResultRow(batch, row, variables);
    }
  }

  /**
   * Returns all rows. `row.get('name')` returns a term, `row.toObject()` an object of plain values.
   */
  async array(): Promise<ResultRow[]> {
    const { variables } = this;
    const rows: ResultRow[] = [];
    for await (const batch of this.batches) {
      for (let row = 0; row < batch.length; row++) rows.push(new ResultRow(batch, row, variables));
    }
    return rows;
  }

  /** Returns all rows as plain objects: `row.toObject()` of each. */
  async objects(): Promise<Record<string, PlainValue>[]> {
    const { variables } = this;
    const objects: Record<string, PlainValue>[] = [];
    for await (const batch of this.batches) {
      for (let row = 0; row < batch.length; row++) objects.push(new ResultRow(batch, row, variables).toObject());
    }
    return objects;
  }
}

/**
 * The triples of a CONSTRUCT or DESCRIBE query. They are computed while they are read; a second
 * reading throws INVALID_ARGUMENT.
 */
export class QuadsResult implements AsyncIterable<RDF.Quad> {
  /** The triples in batches. Can be read once, like the quads. */
  readonly batches: AsyncIterable<QuadsBatch>;
  /**
   * Prefix name (without `:`) to namespace IRI, as declared in the query. Empty if the SPARQL
   * engine does not report them.
   */
  readonly prefixes: Readonly<Record<string, string>>;

  constructor(batches: AsyncIterable<QuadsBatch>, prefixes: Readonly<Record<string, string>> = {}) {
    this.batches = new ReadOnce(batches);
    this.prefixes = prefixes;
  }

  /** Yields the triples, as quads of the default graph. */
  async *[Symbol.asyncIterator](): AsyncIterator<RDF.Quad> {
    for await (const batch of this.batches) yield* batch;
  }

  /** Returns all triples, as quads of the default graph. */
  async array(): Promise<RDF.Quad[]> {
    const quads: RDF.Quad[] = [];
    for await (const batch of this.batches) for (const quad of batch) quads.push(quad);
    return quads;
  }
}

/** The net effect of an update on its target world. */
export interface UpdateResult {
  /** Quads that the world did not have before. */
  readonly inserted: number;
  /** Quads that the world no longer has. */
  readonly deleted: number;
  /** Revision of the world after the update. */
  readonly revision: number;
}

/**
 * Result of a query or an update, by `type`. Batches are computed while they are read; a second
 * reading throws INVALID_ARGUMENT. `variables` are names without `?`, in the order of the query.
 */
export type QueryResult =
  | { readonly type: 'bindings'; readonly variables: readonly string[]; readonly batches: AsyncIterable<BindingsBatch> }
  | { readonly type: 'boolean'; readonly value: boolean }
  | {
      readonly type: 'quads';
      readonly batches: AsyncIterable<QuadsBatch>;
      /** See {@link QuadsResult.prefixes}. */
      readonly prefixes?: Readonly<Record<string, string>> | undefined;
    }
  | ({ readonly type: 'update' } & UpdateResult);
