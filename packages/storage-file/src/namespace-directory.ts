import { createHash } from 'node:crypto';

/**
 * The directory of a namespace: a readable beginning, and a digest that tells names apart on every file system, whatever it makes of cases, accents, points and
 * reserved words. The digest is of the UTF-16 code units, for a name may be no well-formed text.
 */
export function namespaceDirectory(name: string): string {
  const readable = name
    .slice(0, 40)
    .toLowerCase()
    .replace(/[^a-z0-9-]/g, '_');
  return `${readable}-${createHash('sha256').update(Buffer.from(name, 'utf16le')).digest('hex').slice(0, 32)}`;
}
