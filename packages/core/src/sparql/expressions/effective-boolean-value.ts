import type { Value } from './value.ts';
import { KIND } from './value-kind.ts';

/**
 * Returns the effective boolean value (SPARQL 1.2 section 17.2.2), or undefined for a type error.
 */
export function effectiveBooleanValue(value: Value | undefined): boolean | undefined {
  if (value === undefined) return undefined;
  switch (value.kind) {
    case KIND.boolean:
      return value.number === 1;
    // SPARQL 1.2 section 17.2.2 covers xsd:string only. In SPARQL 1.1, language-tagged literals,
    // then plain literals, had an effective boolean value, too.
    case KIND.string:
      return value.lexical.length > 0;
    case KIND.integer:
    case KIND.decimal:
    case KIND.float:
    case KIND.double:
      return value.number !== 0 && !Number.isNaN(value.number);
    // SPARQL 1.2 section 17.2.2 makes `"abc"^^xsd:integer` a type error; in SPARQL 1.1 it was
    // false.
    default:
      return undefined;
  }
}
