/**
 * What a terminal or a reader of lines may take for more than a sign: DEL and the C1 controls, line
 * and paragraph separators, marks that change the direction of text. JSON escapes only the C0
 * controls by itself.
 */
const UNSAFE = /[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g;

/** A value as one line of JSON, whatever its texts hold. */
export function jsonLine(value: object): string {
  const text = JSON.stringify(value, plain);
  return text.replace(UNSAFE, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** JSON shows nothing of an error by itself, and throws for integers of any size. */
function plain(_key: string, value: unknown): unknown {
  if (typeof value === 'bigint') return String(value);
  if (!(value instanceof Error)) return value;
  const { name: type, message, stack, cause } = value;
  const { code } = value as { code?: unknown };
  return { type, code, message, stack, cause };
}
