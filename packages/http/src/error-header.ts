import type { WorldsError, WorldsErrorCode } from '@rdf-worlds/core';

/** The fields of an error that a client may have. */
export type ErrorDetails = Pick<WorldsError, 'location' | 'commit' | 'revision' | 'oldestRevision' | 'exceeded'>;

/**
 * Returns the header `RDF-Worlds-Error`, from which clients rebuild the error: its code with the
 * details as parameters, an item of Structured Field Values (RFC 9651 section 3.3). The values are
 * numbers and names in ASCII.
 */
export function errorHeader(code: WorldsErrorCode, details: ErrorDetails = {}): string {
  const { location, commit, revision, oldestRevision, exceeded } = details;
  const fields = { ...location, commit, revision, oldestRevision, ...exceeded };
  return [code, ...Object.entries(fields).flatMap(parameter)].join('; ');
}

function parameter([name, value]: readonly [string, string | number | undefined]): string[] {
  if (value === undefined) return [];
  // Section 3.1.2: keys are in lower case.
  return [`${name.toLowerCase()}=${typeof value === 'number' ? value : `"${value.replace(/["\\]/g, '\\$&')}"`}`];
}
