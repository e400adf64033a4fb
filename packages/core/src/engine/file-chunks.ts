import { readFile } from '#platform';
import { WorldsError } from '../model/worlds-error.ts';

/**
 * Reads a file in chunks; opens it on the first read. Throws INVALID_ARGUMENT with `field` and the
 * file name if it cannot be read.
 */
export async function* fileChunks(url: URL, field: string): AsyncGenerator<Uint8Array> {
  try {
    yield* readFile(url);
  } catch (cause) {
    throw new WorldsError('INVALID_ARGUMENT', `${field}: the file ${url.href} could not be read: ${reasonOf(cause)}`, {
      cause,
    });
  }
}

function reasonOf(cause: unknown): string {
  return (cause as Partial<Error> | null)?.message ?? String(cause);
}
