import type * as RDF from '@rdfjs/types';
import type { Aggregate } from '../../../../src/sparql/algebra/algebra.ts';
import { aggregateOf } from './aggregates.ts';
import { castTo } from './casts.ts';
import { truthOf } from './comparison.ts';
import { STRICT_FUNCTIONS, type StrictFunction } from './functions.ts';
import { xsdType } from './meaning.ts';

type Result = RDF.Term | undefined;

/** What expressions mean. Undefined is an error everywhere. */
export interface Semantics {
  /** A function or operator whose arguments all have values. */
  call(name: string): StrictFunction | undefined;
  cast(iri: string, argument: RDF.Term): Result;
  /** The effective boolean value. */
  truth(term: Result): boolean | undefined;
  /** `lacks` says of each value whether a variable that it is computed from has none. */
  aggregate(aggregate: Aggregate, values: readonly Result[], lacks: readonly boolean[]): Result;
  /** A computed value as it is written. */
  spell(term: RDF.Term): RDF.Term;
  /** A constant of the text as it is read; itself when not given. */
  constant?(term: RDF.Term): RDF.Term;
}

/** Section 17 of the query language, and what the engine has beyond it. */
export const SPECIFIED: Semantics = {
  call: (name) => STRICT_FUNCTIONS[name],
  cast(iri, argument) {
    const type = xsdType(iri);
    return type === '' ? undefined : castTo(type, argument);
  },
  truth: truthOf,
  aggregate: aggregateOf,
  spell: (term) => term,
};
