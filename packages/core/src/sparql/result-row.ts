import type * as RDF from '@rdfjs/types';
import { isDate } from '../model/any-realm.ts';
import { type PlainTriple, type PlainValue, plainValue, setOwn } from '../model/plain-value.ts';
import type { BindingsBatch, SolutionRow } from '../storage/sparql-engine.ts';
import { turtleTerm } from './results/turtle-term.ts';

/** What `util.inspect` of Node passes to the objects that describe themselves. */
type Inspect = (value: unknown, options: object) => string;

const INSPECT = Symbol.for('nodejs.util.inspect.custom');

/**
 * One solution of a SELECT, a view of its batch: terms are made when they are read. Iterates over
 * the variables that are bound, as `[name, term]`, so that `new Map(row)` copies it.
 */
export class ResultRow implements SolutionRow {
  private readonly batch: BindingsBatch;
  private readonly row: number;
  private readonly variables: readonly string[];

  /** @param variables the columns of the batch, shared by all rows of a result */
  constructor(batch: BindingsBatch, row: number, variables: readonly string[]) {
    this.batch = batch;
    this.row = row;
    this.variables = variables;
  }

  get(variable: string): RDF.Term | undefined {
    return this.batch.term(this.row, this.variables.indexOf(variable));
  }

  /** Whether a variable, named without `?`, is bound. */
  has(variable: string): boolean {
    return this.get(variable) !== undefined;
  }

  /** The bound variables with their terms, in the order of the query. */
  *entries(): IterableIterator<[variable: string, term: RDF.Term]> {
    for (let column = 0; column < this.variables.length; column++) {
      const term = this.batch.term(this.row, column);
      if (term) yield [this.variables[column], term];
    }
  }

  [Symbol.iterator](): IterableIterator<[variable: string, term: RDF.Term]> {
    return this.entries();
  }

  /**
   * The bound variables as an object of JavaScript values: IRIs and texts as strings, blank nodes
   * as `_:label`, integers as numbers, or bigints where a number is not exact, decimals and doubles
   * as numbers, booleans, `xsd:dateTime` with a time zone as a Date, any other literal as its text.
   * Use `get` where language, datatype or all digits matter.
   */
  toObject(): Record<string, PlainValue> {
    const object: Record<string, PlainValue> = {};
    for (const [variable, term] of this.entries()) setOwn(object, variable, plainValue(term));
    return object;
  }

  /**
   * As {@link toObject}, with bigints as texts, since JSON has none. `engine.sparql` gives SPARQL
   * JSON, which keeps types and languages.
   */
  toJSON(): Record<string, unknown> {
    const object: Record<string, unknown> = {};
    for (const [variable, term] of this.entries()) setOwn(object, variable, jsonValue(plainValue(term)));
    return object;
  }

  /** In the console: the terms as Turtle writes them. */
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
