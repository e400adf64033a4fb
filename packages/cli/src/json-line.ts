/**
 * Characters that terminals or line readers may interpret: DEL and C1 controls, line and paragraph
 * separators, and marks of text direction. JSON itself escapes only the C0 controls.
 */
const UNSAFE = /[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g;

/** Serializes a value as a single safe line of JSON, whatever its strings contain. */
export function jsonLine(value: object): string {
  const text = JSON.stringify(value, plain);
  return text.replace(UNSAFE, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/**
 * Converts values that JSON.stringify cannot handle: it drops the fields of errors and throws for
 * bigints.
 */
function plain(_key: string, value: unknown): unknown {
  if (typeof value === 'bigint') return String(value);
  if (!(value instanceof Error)) return value;
  const { name: type, message, stack, cause } = value;
  const { code } = value as { code?: unknown };
  return { type, code, message, stack, cause };
}
