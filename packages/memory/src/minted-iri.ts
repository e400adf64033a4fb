import { WorldsError } from '@rdf-worlds/core';
import { ENTITY_IRIS, VOCABULARY_IRIS } from './memory-vocabulary.ts';

/** Longer names are texts, not names. */
const MAX_NAME_LENGTH = 200;

/**
 * Returns the IRI of an entity that is known only by a name. The same name always gives the same
 * IRI, also in another world, so that worlds can be joined.
 */
export function entityIri(name: string): string {
  return ENTITY_IRIS + localPart(name);
}

/** Returns the IRI of a predicate or a class that is known only by a name. */
export function vocabularyIri(name: string): string {
  return VOCABULARY_IRIS + localPart(name);
}

/** Spaces become underscores; other characters that an IRI cannot hold are percent-encoded. */
function localPart(name: string): string {
  const plain = name.trim().normalize('NFC');
  if (plain === '' || plain.length > MAX_NAME_LENGTH || !plain.isWellFormed()) {
    throw new WorldsError(
      'INVALID_ARGUMENT',
      `${JSON.stringify(plain.slice(0, 50))} is not a name; a name has 1 to ${MAX_NAME_LENGTH} characters. Put longer texts into value.`,
    );
  }
  return encodedName(plain.replace(/\s+/g, '_'));
}

/**
 * Percent-encodes what RFC 3987 does not allow in a segment, and `:` and `/`, which mean something.
 */
export function encodedName(name: string): string {
  return name.replace(/[^\p{L}\p{N}._~-]/gu, (char) => encodeURIComponent(char).replace(/[!'()*]/g, hexEscape));
}

function hexEscape(char: string): string {
  return `%${char.charCodeAt(0).toString(16).toUpperCase()}`;
}
