import { DATATYPES } from './datatypes.ts';
import type { Value } from './value.ts';
import { KIND } from './value-kind.ts';

/** Section 17.2.2. Undefined is a type error. */
export function effectiveBooleanValue(value: Value | undefined): boolean | undefined {
  if (value === undefined) return undefined;
  switch (value.kind) {
    case KIND.boolean:
      return value.number === 1;
    // "If the argument is a plain literal or a typed literal with a datatype of xsd:string": plain literals may have a language.
    case KIND.string:
    case KIND.langString:
      return value.lexical.length > 0;
    case KIND.integer:
    case KIND.decimal:
    case KIND.float:
    case KIND.double:
      return value.number !== 0 && !Number.isNaN(value.number);
    case KIND.other: {
      // "... is false if the lexical form is not valid for that datatype (e.g. "abc"^^xsd:integer)"
      const kind = DATATYPES.get(value.datatype)?.kind;
      return kind !== undefined && kind >= KIND.boolean && kind <= KIND.double ? false : undefined;
    }
    default:
      return undefined;
  }
}
