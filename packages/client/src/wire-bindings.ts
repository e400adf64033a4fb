import type { BindingsBatch } from '@rdf-worlds/core/plugin';
import { fromWireValue, ResultRow } from '@rdf-worlds/core/remote';
import type * as RDF from '@rdfjs/types';

/** Solutions in SPARQL JSON, as parsed; terms are created on demand. */
export class WireBindings implements BindingsBatch {
  private readonly rows: readonly Readonly<Record<string, unknown>>[];
  private readonly variables: readonly string[];

  constructor(rows: readonly unknown[], variables: readonly string[]) {
    this.rows = rows as readonly Readonly<Record<string, unknown>>[];
    this.variables = variables;
  }

  get length(): number {
    return this.rows.length;
  }

  term(row: number, column: number): RDF.Term | undefined {
    const name = this.variables[column];
    const binding = this.rows[row];
    // A variable may have the name of a field of Object.prototype.
    if (name === undefined || !Object.hasOwn(binding, name)) return undefined;
    return fromWireValue(binding[name], `?${name}`);
  }

  *[Symbol.iterator](): Iterator<ResultRow> {
    for (let row = 0; row < this.rows.length; row++) yield new ResultRow(this, row, this.variables);
  }
}
