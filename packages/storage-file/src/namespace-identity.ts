import { createHash } from 'node:crypto';

/** The owner of a file. Every file of a namespace contains its identity. */
export interface NamespaceIdentity {
  readonly namespace: string;
  /** 32 hexadecimal digits. */
  readonly incarnation: string;
}

/**
 * Returns the SHA-256 of a namespace's name, over its UTF-16 code units, since a name may be
 * ill-formed text.
 */
export function nameDigest(name: string): Buffer {
  return createHash('sha256').update(Buffer.from(name, 'utf16le')).digest();
}
