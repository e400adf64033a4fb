import { nameDigest } from './namespace-identity.ts';

/**
 * Returns the directory name of a namespace: a readable prefix and a digest that keeps names
 * distinct on every file system, however it treats case, accents, dots and reserved words.
 */
export function namespaceDirectory(name: string): string {
  const readable = name
    .slice(0, 40)
    .toLowerCase()
    .replace(/[^a-z0-9-]/g, '_');
  return `${readable}-${nameDigest(name).toString('hex').slice(0, 32)}`;
}
