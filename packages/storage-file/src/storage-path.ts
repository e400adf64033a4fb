import { WorldsError } from '@rdf-worlds/core';

/** Throws INVALID_ARGUMENT for what is no path of a directory. */
export function checkStoragePath(path: unknown): void {
  if (typeof path !== 'string' || path === '' || path.includes('\u0000'))
    throw new WorldsError('INVALID_ARGUMENT', 'The path of a file storage is the path of a directory, not empty.');
}
