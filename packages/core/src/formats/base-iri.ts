import { isAbsoluteIri } from '../model/iri.ts';
import { WorldsError } from '../model/worlds-error.ts';

/**
 * Returns the base IRI of a read, or undefined if there is none. Throws INVALID_ARGUMENT if it is
 * not absolute.
 */
export function checkedBaseIri(baseIri: string | undefined): string | undefined {
  if (baseIri !== undefined && !isAbsoluteIri(baseIri))
    throw new WorldsError('INVALID_ARGUMENT', `The base IRI <${baseIri}> is not an absolute, valid IRI.`);
  return baseIri;
}
