import { GzipError } from '../platform.ts';
import { pipeToWeb } from './pipe-to-web.ts';

/**
 * Decompresses gzip data of one member; browsers reject further members (Compression Standard,
 * section 5). Throws {@link GzipError} if it is damaged, and errors of `chunks`.
 */
export async function* gunzip(chunks: AsyncIterable<Uint8Array>, _chunkSize: number): AsyncGenerator<Uint8Array> {
  const { readable, writable } = new DecompressionStream('gzip');
  let failure: { readonly cause: unknown } | undefined;
  const source = (async function* () {
    try {
      yield* chunks;
    } catch (cause) {
      failure = { cause };
      throw cause;
    }
  })();
  // Its errors are also those of the readable side.
  pipeToWeb(source, writable).catch(() => undefined);
  const reader = readable.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } catch (cause) {
    if (failure) throw failure.cause;
    throw new GzipError(cause instanceof Error ? cause.message : String(cause), { cause });
  } finally {
    // Already closed if the data was read to its end or failed.
    await reader.cancel().catch(() => undefined);
  }
}
