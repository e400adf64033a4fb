import { createHash } from 'node:crypto';

/** Well below what an entry of a B-tree index may have (2,704 bytes in PostgreSQL). */
const MAX_CHARACTERS = 512;

/**
 * Returns the name of a namespace in printable ASCII: distinct for distinct names, in every
 * encoding and collation of a database, also for ill-formed text and U+0000, which `text` cannot
 * hold. Other UTF-16 units become `%` and four digits.
 */
export function escapedName(name: string): string {
  return name.replace(/[^\x20-\x7e]|[%~]/g, (unit) => `%${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** Reverses {@link escapedName}. */
export function unescapedName(escaped: string): string {
  return escaped.replace(/%([0-9a-f]{4})/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)));
}

/**
 * Returns the primary key of a namespace: its escaped name, or for long ones a part and a digest.
 */
export function namespaceKey(name: string): string {
  const escaped = escapedName(name);
  if (escaped.length <= MAX_CHARACTERS) return escaped;
  const digest = createHash('sha256').update(escaped).digest('hex');
  return `${escaped.slice(0, MAX_CHARACTERS - digest.length - 1)}~${digest}`;
}
