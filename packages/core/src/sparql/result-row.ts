import type * as RDF from '@rdfjs/types';
import type { BindingsBatch, SolutionRow } from '../contracts/sparql-engine.ts';
import { isDate } from '../model/any-realm.ts';
import { type PlainTriple, type PlainValue, plainValue, setOwn } from '../model/plain-value.ts';
import { turtleTerm } from './results/turtle-term.ts';

/** Signature of the function that Node's `util.inspect` passes to custom inspectors. */
type Inspect = (value: unknown, options: object) => string;

const INSPECT = Symbol.for('nodejs.util.inspect.custom');

/**
 * One solution of a SELECT: a view of its batch that decodes terms on access. Iterates over the
 * bound variables as `[name, term]`, so `new Map(row)` copies it.
 */
export class ResultRow implements SolutionRow {
  private readonly batch: BindingsBatch;
  private readonly row: number;
  private readonly variables: readonly string[];

  /** @param variables column names of the batch, shared by all rows of a result */
  constructor(batch: BindingsBatch, row: number, variables: readonly string[]) {
    this.batch = batch;
    this.row = row;
    this.variables = variables;
  }

  get(variable: string): RDF.Term | undefined {
    return this.batch.term(this.row, this.variables.indexOf(variable));
  }

  /** Whether a variable (without `?`) is bound. */
  has(variable: string): boolean {
    return this.get(variable) !== undefined;
  }

  /** Yields the bound variables with their terms, in query order. */
  *entries(): IterableIterator<[variable: string, term: RDF.Term]> {
    for (let column = 0; column < this.variables.length; column++) {
      const term = this.batch.term(this.row, column);
      if (term) yield [this.variables[column], term];
    }
  }

  /** Like {@link entries}. */
  [Symbol.iterator](): IterableIterator<[variable: string, term: RDF.Term]> {
    return this.entries();
  }

  /**
   * Returns the bound variables as plain JavaScript values: IRIs and strings as strings, blank
   * nodes as `_:label`, integers as numbers (bigints if a number would be inexact), decimals and
   * doubles as numbers, booleans, `xsd:dateTime` with a time zone as Date, and any other literal as
   * its text. Use `get` where language, datatype or all digits matter.
   */
  toObject(): Record<string, PlainValue> {
    const object: Record<string, PlainValue> = {};
    for (const [variable, term] of this.entries()) setOwn(object, variable, plainValue(term));
    return object;
  }

  /**
   * Like {@link toObject}, with bigints as strings, because JSON has no bigints. For SPARQL JSON,
   * which keeps types and languages, use `engine.sparql`.
   */
  toJSON(): Record<string, unknown> {
    const object: Record<string, unknown> = {};
    for (const [variable, term] of this.entries()) setOwn(object, variable, jsonValue(plainValue(term)));
    return object;
  }

  /** Shows terms in Turtle syntax in the console. */
  [INSPECT](_depth: number, options: object, inspect?: Inspect): unknown {
    const shown: Record<string, unknown> = {};
    for (const [variable, term] of this.entries()) setOwn(shown, variable, { [INSPECT]: () => turtleTerm(term) });
    return inspect ? `ResultRow ${inspect(shown, options)}` : this.toObject();
  }
}

function jsonValue(value: PlainValue): unknown {
  if (typeof value === 'bigint') return String(value);
  if (typeof value !== 'object' || isDate(value)) return value;
  const { subject, predicate, object }: PlainTriple = value;
  return { subject: jsonValue(subject), predicate: jsonValue(predicate), object: jsonValue(object) };
}
