import type * as RDF from '@rdfjs/types';
import { isDate, isMap } from '../model/any-realm.ts';
import { dataFactory } from '../model/term.ts';
import { XSD_BOOLEAN, XSD_DATE_TIME, XSD_DOUBLE, XSD_INTEGER } from '../model/vocabulary.ts';
import { WorldsError } from '../model/worlds-error.ts';

/** A value that stands for an RDF term: a term itself, or a JavaScript value for a literal. */
export type TermValue = RDF.Term | string | number | bigint | boolean | Date;

/**
 * Converts a value to a term. Safe integers become xsd:integer, other numbers xsd:double. Throws
 * INVALID_ARGUMENT that names `field`.
 */
export function toTerm(value: unknown, field: string): RDF.Term {
  switch (typeof value) {
    case 'string':
      return dataFactory.literal(value);
    case 'boolean':
      return typed(String(value), XSD_BOOLEAN);
    case 'bigint':
      return typed(String(value), XSD_INTEGER);
    case 'number':
      return Number.isSafeInteger(value) && !Object.is(value, -0)
        ? typed(String(value), XSD_INTEGER)
        : typed(doubleText(value), XSD_DOUBLE);
    case 'object':
      if (isDate(value) && !Number.isNaN(value.getTime())) return typed(dateTimeText(value), XSD_DATE_TIME);
      if (value !== null && typeof (value as RDF.Term).termType === 'string') {
        requireShallow(value as RDF.Term, field);
        return value as RDF.Term;
      }
  }
  throw new WorldsError(
    'INVALID_ARGUMENT',
    `${field}: expected an RDF/JS term, a string, number, bigint, boolean or valid Date, not ${value === null ? 'null' : typeof value}.`,
  );
}

/** Maximum nesting of triple terms, the same as in data. */
const MAX_TRIPLE_DEPTH = 64;

function requireShallow(term: RDF.Term, field: string): void {
  let one = term;
  for (let depth = 0; one.termType === 'Quad'; depth++) {
    if (depth === MAX_TRIPLE_DEPTH || one.subject.termType === 'Quad' || one.predicate.termType === 'Quad') {
      throw new WorldsError(
        'INVALID_ARGUMENT',
        `${field}: a triple term may contain another one only as its object, nested at most ${MAX_TRIPLE_DEPTH} levels deep.`,
      );
    }
    one = one.object;
  }
}

/**
 * XSD 1.1 Datatypes 3.3.7.1: no plus sign, and no leading zeros in years of more than four digits.
 */
function dateTimeText(value: Date): string {
  return value.toISOString().replace(/^([+-])0{0,2}(\d{4,})-/, (_, sign, year) => `${sign === '-' ? '-' : ''}${year}-`);
}

/** XSD 1.1 Datatypes 3.3.5.2: the infinities are INF and -INF. */
function doubleText(value: number): string {
  if (Number.isFinite(value)) return Object.is(value, -0) ? '-0.0E0' : String(value).toUpperCase().replace('E+', 'E');
  return Number.isNaN(value) ? 'NaN' : value > 0 ? 'INF' : '-INF';
}

function typed(text: string, datatype: string): RDF.Literal {
  return dataFactory.literal(text, dataFactory.namedNode(datatype));
}

/** Returns bindings by variable name, from an object or a Map. A leading `?` or `$` is removed. */
export function toBindings(bindings: object | undefined): ReadonlyMap<string, RDF.Term> | undefined {
  if (bindings === undefined) return undefined;
  const entries = isMap(bindings) ? bindings.entries() : Object.entries(bindings);
  const terms = new Map<string, RDF.Term>();
  for (const [name, value] of entries) {
    const variable = String(name).replace(/^[?$]/, '');
    terms.set(variable, toTerm(value, `bindings.${variable}`));
  }
  return terms;
}
