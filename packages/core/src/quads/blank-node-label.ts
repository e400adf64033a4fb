import { Buffer } from '#platform';

/**
 * Format of the blank-node labels that the library issues: `b`, the scope's 128 bits as 25 base-36
 * digits, the ordinal in base 36.
 */
const SCOPE_BYTES = 16;
const SCOPE_DIGITS = 25;
const LABEL = /^b([0-9a-z]{25})(0|[1-9a-z][0-9a-z]{0,6})$/;
const MAX_SCOPE = 2n ** 128n;

/**
 * Returns the label prefix shared by all blank nodes of a scope; the ordinal in base 36 follows it.
 * `scope` is the scope's 16 bytes.
 */
export function scopePrefix(scope: Uint8Array): string {
  return `b${BigInt(`0x${Buffer.from(scope).toString('hex')}`)
    .toString(36)
    .padStart(SCOPE_DIGITS, '0')}`;
}

/**
 * Returns the scope and ordinal of a label issued by this library; undefined for any other label.
 */
export function parseBlankNodeLabel(label: string): { scope: Buffer; ordinal: number } | undefined {
  const match = LABEL.exec(label);
  if (!match) return undefined;
  const ordinal = Number.parseInt(match[2], 36);
  if (match[1] !== last.digits) last = { digits: match[1], scope: scopeOf(match[1]) };
  if (last.scope === undefined || ordinal > 0xffff_ffff) return undefined;
  return { scope: last.scope, ordinal };
}

/** The scope of the label before: neighbouring labels mostly share it. */
let last: { readonly digits: string; readonly scope: Buffer | undefined } = { digits: '', scope: undefined };

function scopeOf(digits: string): Buffer | undefined {
  let scope = 0n;
  for (const digit of digits) scope = scope * 36n + BigInt(Number.parseInt(digit, 36));
  return scope < MAX_SCOPE ? Buffer.from(scope.toString(16).padStart(SCOPE_BYTES * 2, '0'), 'hex') : undefined;
}
