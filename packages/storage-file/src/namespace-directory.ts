import { nameDigest } from './namespace-identity.ts';

/**
 * The directory of a namespace: a readable beginning, and a digest that tells names apart on every
 * file system, whatever it makes of cases, accents, points and reserved words.
 */
export function namespaceDirectory(name: string): string {
  const readable = name
    .slice(0, 40)
    .toLowerCase()
    .replace(/[^a-z0-9-]/g, '_');
  return `${readable}-${nameDigest(name).toString('hex').slice(0, 32)}`;
}
