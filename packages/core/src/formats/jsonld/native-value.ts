import { XSD_BOOLEAN, XSD_DOUBLE, XSD_INTEGER } from '../../model/vocabulary.ts';

/**
 * Returns the lexical form and datatype of a number or boolean of JSON (JSON-LD 1.1 API section
 * 8.2.2, steps 9 to 11); undefined for any other value. `datatype` is the `@type` of the value.
 */
export function nativeValue(
  value: unknown,
  datatype: string | undefined,
): { readonly value: string; readonly datatype: string } | undefined {
  if (typeof value === 'boolean') return { value: String(value), datatype: datatype ?? XSD_BOOLEAN };
  if (typeof value !== 'number' && typeof value !== 'bigint') return undefined;
  const number = Number(value);
  if (number % 1 !== 0 || Math.abs(number) >= 1e21 || datatype === XSD_DOUBLE)
    return { value: canonicalDouble(number), datatype: datatype ?? XSD_DOUBLE };
  // A bigint holds an integer that a double would round.
  const digits = typeof value === 'bigint' ? String(value) : value.toFixed(0);
  return { value: digits, datatype: datatype ?? XSD_INTEGER };
}

/**
 * Returns the canonical lexical form of xsd:double for JSON-LD: at most 15 digits after the point
 * (JSON-LD 1.1 section 8.6, Data Round Tripping).
 */
function canonicalDouble(value: number): string {
  return value.toExponential(15).replace(/(\d)0*e\+?/, '$1E');
}
