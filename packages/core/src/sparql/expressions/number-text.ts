/** The canonical form of an xsd:double (XSD 1.1 part 2, E.1): `1.0E6`, `-0.0E0`, `INF`, `NaN`. */
export function doubleText(value: number): string {
  return special(value) ?? scientific(value.toExponential());
}

/**
 * The canonical form of an xsd:float, which is given as the double of the same value: as few digits
 * as tell it from its neighbours.
 */
export function floatText(value: number): string {
  return special(value) ?? scientific(shortestFloat(value));
}

/**
 * How xsd:string is made of a float or double (XPath F&O 17.1.2): between 1e-6 and 1e6 as a
 * decimal, else as the canonical form. `isFloat` chooses the digits.
 */
export function numberAsString(value: number, isFloat: boolean): string {
  const size = Math.abs(value);
  if (value === 0) return Object.is(value, -0) ? '-0' : '0';
  if (!(size >= 1e-6 && size < 1e6)) return isFloat ? floatText(value) : doubleText(value);
  // The nearest double of the shortest digits of a float prints as those digits; numbers of this
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

/** `1e+6` of JavaScript as `1.0E6`. */
function scientific(text: string): string {
  const [mantissa, exponent] = text.split('e') as [string, string];
  return `${mantissa.includes('.') ? mantissa : `${mantissa}.0`}E${Number(exponent)}`;
}
