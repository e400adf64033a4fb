import { ResultRow } from '@rdf-worlds/core';
import type { BindingsBatch } from '@rdf-worlds/core/plugin';
import type * as RDF from '@rdfjs/types';
import type { BlankNodes } from './blank-nodes.ts';
import type { Solution } from './evaluation.ts';

/** The columns of a SELECT: the variable names that callers see, and those used inside Comunica. */
export interface Columns {
  readonly outer: readonly string[];
  readonly inner: readonly string[];
}

/** A batch of Comunica's solutions. Blank nodes get their labels when terms are read. */
export class SolutionsBatch implements BindingsBatch {
  private readonly solutions: readonly Solution[];
  private readonly columns: Columns;
  private readonly blankNodes: BlankNodes;

  constructor(solutions: readonly Solution[], columns: Columns, blankNodes: BlankNodes) {
    this.solutions = solutions;
    this.columns = columns;
    this.blankNodes = blankNodes;
  }

  get length(): number {
    return this.solutions.length;
  }

  term(row: number, column: number): RDF.Term | undefined {
    const name = this.columns.inner[column];
    const term = name === undefined ? undefined : this.solutions[row]?.get(name);
    return term && this.blankNodes.outer(term);
  }

  *[Symbol.iterator](): Iterator<ResultRow> {
    for (let row = 0; row < this.solutions.length; row++) yield new ResultRow(this, row, this.columns.outer);
  }
}
