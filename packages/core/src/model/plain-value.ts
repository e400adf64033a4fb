import type * as RDF from '@rdfjs/types';
import { XSD } from './vocabulary.ts';

/** The terms of a triple term as plain values. */
export interface PlainTriple {
  readonly subject: PlainValue;
  readonly predicate: PlainValue;
  readonly object: PlainValue;
}

/** A term as a JavaScript value; `ResultRow.toObject` describes the mapping. */
export type PlainValue = string | number | bigint | boolean | Date | PlainTriple;

const INTEGER = /^[+-]?[0-9]+$/;
const DECIMAL = /^[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)$/;
const DOUBLE = /^[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?$/;
const INSTANT = /^-?[0-9]{4,6}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]+)?(?:Z|[+-][0-9]{2}:[0-9]{2})$/;

type Reader = (text: string) => PlainValue | undefined;

const integer: Reader = (text) => {
  if (!INTEGER.test(text)) return undefined;
  const value = Number(text);
  // BigInt rejects a plus sign. Adding 0 turns negative zero into zero.
  return Number.isSafeInteger(value) ? value + 0 : BigInt(text.replace('+', ''));
};

const decimal: Reader = (text) => (DECIMAL.test(text) ? Number(text) : undefined);

const double: Reader = (text) => {
  if (DOUBLE.test(text)) return Number(text);
  // XSD 1.1 Datatypes 3.3.5.2
  if (text === 'INF' || text === '+INF') return Number.POSITIVE_INFINITY;
  if (text === '-INF') return Number.NEGATIVE_INFINITY;
  return text === 'NaN' ? Number.NaN : undefined;
};

const boolean: Reader = (text) => {
  if (text === 'true' || text === '1') return true;
  return text === 'false' || text === '0' ? false : undefined;
};

/** A dateTime without a time zone does not denote an instant. */
const instant: Reader = (text) => {
  if (!INSTANT.test(text)) return undefined;
  // ECMAScript writes years of more than four digits with a sign and six digits (21.4.1.32.1).
  const value = new Date(
    text.replace(/^(-?)([0-9]{4,6})(?=-)/, (_, sign, year) =>
      sign || year.length > 4 ? `${sign || '+'}${year.padStart(6, '0')}` : year,
    ),
  );
  return Number.isNaN(value.getTime()) ? undefined : value;
};

const READERS = new Map<string, Reader>([
  ...[
    ...['integer', 'long', 'int', 'short', 'byte', 'nonNegativeInteger', 'positiveInteger', 'nonPositiveInteger'],
    ...['negativeInteger', 'unsignedLong', 'unsignedInt', 'unsignedShort', 'unsignedByte'],
  ].map((name): [string, Reader] => [XSD + name, integer]),
  [`${XSD}decimal`, decimal],
  [`${XSD}double`, double],
  [`${XSD}float`, double],
  [`${XSD}boolean`, boolean],
  [`${XSD}dateTime`, instant],
  [`${XSD}dateTimeStamp`, instant],
]);

/**
 * Converts a term to the JavaScript value that programs expect: IRIs and texts become strings,
 * blank nodes `_:label`, integers numbers (bigints beyond the safe range), decimals and doubles
 * numbers, booleans booleans, and `xsd:dateTime` with a time zone a Date. Any other literal, such
 * as an ill-typed number or a date, becomes its lexical form. Languages, datatypes, the digits of a
 * long decimal and the time zone are lost.
 */
export function plainValue(term: RDF.Term): PlainValue {
  switch (term.termType) {
    case 'BlankNode':
      return `_:${term.value}`;
    case 'Literal':
      return READERS.get(term.datatype.value)?.(term.value) ?? term.value;
    case 'Quad':
      return {
        subject: plainValue(term.subject),
        predicate: plainValue(term.predicate),
        object: plainValue(term.object),
      };
    default:
      return term.value;
  }
}

/** Sets an own field of any name; plain assignment to `__proto__` would create none. */
export function setOwn<Value>(object: Record<string, Value>, name: string, value: Value): void {
  if (name !== '__proto__') object[name] = value;
  else Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true });
}
