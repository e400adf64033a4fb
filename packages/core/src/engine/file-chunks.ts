import { WorldsError } from '../model/worlds-error.ts';

/**
 * Reads a file in chunks; opens it on the first read. Throws INVALID_ARGUMENT with `field` and the
 * file name if it cannot be read.
 */
export async function* fileChunks(url: URL, field: string): AsyncGenerator<Uint8Array> {
  try {
    // Imported lazily, so that everything else works without a file system.
    const { createReadStream } = await import('node:fs');
    yield* createReadStream(new URL(url.href)) as AsyncIterable<Uint8Array>;
  } catch (cause) {
    throw new WorldsError('INVALID_ARGUMENT', `${field}: the file ${url.href} could not be read: ${reasonOf(cause)}`, {
      cause,
    });
  }
}

function reasonOf(cause: unknown): string {
  return (cause as Partial<Error> | null)?.message ?? String(cause);
}
