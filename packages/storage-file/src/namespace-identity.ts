import { createHash } from 'node:crypto';

/** What a file belongs to. Every file of a namespace is bound to it by its content. */
export interface NamespaceIdentity {
  readonly namespace: string;
  /** 32 hexadecimal digits. */
  readonly incarnation: string;
}

/**
 * The SHA-256 of a namespace's name: of its UTF-16 code units, since a name need not be well-formed
 * text.
 */
export function nameDigest(name: string): Buffer {
  return createHash('sha256').update(Buffer.from(name, 'utf16le')).digest();
}
