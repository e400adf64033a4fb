import type { Value } from './value.ts';
import { KIND } from './value-kind.ts';

/** SPARQL 1.2 section 17.2.2. Undefined is a type error. */
export function effectiveBooleanValue(value: Value | undefined): boolean | undefined {
  if (value === undefined) return undefined;
  switch (value.kind) {
    case KIND.boolean:
      return value.number === 1;
    // SPARQL 1.2 section 17.2.2 names xsd:string alone; in SPARQL 1.1 a literal with a language,
    // which was a plain literal, had a value too.
    case KIND.string:
      return value.lexical.length > 0;
    case KIND.integer:
    case KIND.decimal:
    case KIND.float:
    case KIND.double:
      return value.number !== 0 && !Number.isNaN(value.number);
    // Section 17.2.2 of SPARQL 1.2 has no value for `"abc"^^xsd:integer`, which was false in SPARQL
    // 1.1.
    default:
      return undefined;
  }
}
