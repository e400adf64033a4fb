import type * as RDF from '@rdfjs/types';
import type { BindingsBatch, SolutionRow } from '../../../src/contracts/sparql-engine.ts';
import { termKey } from '../../formats/array-source.ts';

export type Solution = readonly (RDF.Term | undefined)[];

/** Solutions in an array, one column a variable, as batches of a given size. */
export class SolutionTable {
  readonly variables: readonly string[];
  readonly rows: readonly Solution[];

  constructor(variables: readonly string[], rows: readonly Solution[]) {
    this.variables = variables;
    this.rows = rows;
  }

  async *batches(size = 1024): AsyncGenerator<BindingsBatch> {
    for (let start = 0; start < this.rows.length; start += size) yield this.batch(this.rows.slice(start, start + size));
  }

  batch(rows: readonly Solution[]): BindingsBatch {
    const { variables } = this;
    return {
      length: rows.length,
      term: (row, column) => rows[row][column],
      *[Symbol.iterator](): Iterator<SolutionRow> {
        for (const row of rows) yield { get: (name) => row[variables.indexOf(name)] };
      },
    };
  }

  /** The same for equal tables alone, the order of rows included. */
  get key(): unknown {
    return { variables: this.variables, rows: this.rows.map((row) => row.map((term) => term && termKey(term))) };
  }
}

export async function textOf(chunks: AsyncIterable<Uint8Array>): Promise<string> {
  const all: Uint8Array[] = [];
  for await (const chunk of chunks) all.push(chunk);
  // Fatal: a writer that cut a character in two is found out.
  return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Buffer.concat(all));
}
