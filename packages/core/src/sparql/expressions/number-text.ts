/**
 * Returns the canonical form of an xsd:double (XSD 1.1 part 2, E.1): `1.0E6`, `-0.0E0`, `INF`,
 * `NaN`.
 */
export function doubleText(value: number): string {
  return special(value) ?? scientific(value.toExponential());
}

/**
 * Returns the canonical form of an xsd:float, passed as a double of the same value: the fewest
 * digits that identify it.
 */
export function floatText(value: number): string {
  return special(value) ?? scientific(shortestFloat(value));
}

/**
 * Casts a float or double to xsd:string (XPath F&O 17.1.2): decimal notation from 1e-6 to below
 * 1e6, otherwise the canonical form. `isFloat` selects the number of digits.
 */
export function numberAsString(value: number, isFloat: boolean): string {
  const size = Math.abs(value);
  if (value === 0) return Object.is(value, -0) ? '-0' : '0';
  if (!(size >= 1e-6 && size < 1e6)) return isFloat ? floatText(value) : doubleText(value);
  // The double nearest to a float's shortest digits prints as those digits, and numbers of this
  // size never print with an exponent.
  return String(isFloat ? Number(shortestFloat(value)) : value);
}

function special(value: number): string | undefined {
  if (Number.isNaN(value)) return 'NaN';
  if (value === Infinity) return 'INF';
  if (value === -Infinity) return '-INF';
  if (Object.is(value, -0)) return '-0.0E0';
  return undefined;
}

function shortestFloat(value: number): string {
  for (let digits = 0; digits < 8; digits++) {
    const text = value.toExponential(digits);
    if (Math.fround(Number(text)) === value) return text;
  }
  return value.toExponential(8);
}

/** Converts JavaScript's `1e+6` to `1.0E6`. */
function scientific(text: string): string {
  const [mantissa, exponent] = text.split('e') as [string, string];
  return `${mantissa.includes('.') ? mantissa : `${mantissa}.0`}E${Number(exponent)}`;
}
