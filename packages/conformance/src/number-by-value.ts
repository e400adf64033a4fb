const NUMBER = /^"([^"\\\\]*)"\^\^<http:\/\/www\.w3\.org\/2001\/XMLSchema#(decimal|double|float)>$/;
const DECIMAL = /^([+-]?)0*(\d*)(?:\.(\d*?)0*)?$/;

/**
 * A cell with an xsd:decimal, xsd:double or xsd:float spelt in one way for each value, so that
 * cells of one datatype are equal when their values are. Other cells, xsd:integer and its kin too,
 * stay as they are.
 */
export function numberByValue(cell: string): string {
  const match = NUMBER.exec(cell);
  if (!match) return cell;
  const [, lexical, type] = match;
  const value = type === 'decimal' ? decimalValue(lexical) : floatValue(lexical);
  return value === undefined ? cell : `${type} ${value}`;
}

/** Exact: the digits decide, since a decimal has more of them than a JavaScript number holds. */
function decimalValue(lexical: string): string | undefined {
  const match = DECIMAL.exec(lexical);
  if (!match || !/\d/.test(lexical)) return undefined;
  const [, sign, whole, fraction = ''] = match;
  const digits = `${whole || '0'}.${fraction || '0'}`;
  return sign === '-' && digits !== '0.0' ? `-${digits}` : digits;
}

function floatValue(lexical: string): string | undefined {
  const value = lexical === 'INF' ? Infinity : lexical === '-INF' ? -Infinity : Number(lexical || 'none');
  if (Number.isNaN(value)) return lexical === 'NaN' ? 'NaN' : undefined;
  return Object.is(value, -0) ? '-0' : String(value);
}
