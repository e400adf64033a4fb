import { createWriteStream } from 'node:fs';
import { rename, rm, stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import { createGzip } from 'node:zlib';
import { Option } from 'commander';
import { ProgressBar } from './progress-bar.ts';

export const OUTPUT_OPTION = new Option(
  '--output <FILE>',
  'file to write to, in gzip if its name ends with .gz (default: standard output)',
);

/**
 * Streams an answer to a file or to standard output. A file is written atomically: a failure leaves
 * the previous file in place. A file whose name ends with `.gz` is written in gzip. Shows progress
 * on a terminal.
 */
export async function writeOutput(response: Response, file: string | undefined): Promise<void> {
  const chunks = response.body ? Readable.fromWeb(response.body as ReadableStream) : Readable.from([]);
  const body = file === undefined ? chunks : Readable.from(new ProgressBar(file, lengthOf(response)).follow(chunks));
  if (file === undefined) {
    for await (const chunk of body) await writeChunk(chunk);
    return;
  }
  // A device or pipe is written directly, not replaced. If stat fails, opening the file below
  // reports the error.
  if ((await stat(file).catch(() => undefined))?.isFile() === false) return pipeline(body, createWriteStream(file));
  const packing = isGzipName(file) ? [createGzip()] : [];
  const partial = `${file}.${process.pid}.partial`;
  try {
    await pipeline([body, ...packing, createWriteStream(partial, { flags: 'wx' })]);
    await rename(partial, file);
  } catch (error) {
    await rm(partial, { force: true });
    // Its user knows the file by its own name.
    if ((error as NodeJS.ErrnoException).path === partial) Object.assign(error as object, { path: file });
    throw error;
  }
}

/** Whether a file of this name is in gzip. */
export function isGzipName(file: string): boolean {
  return /\.gz$/i.test(file);
}

/** Returns the length in bytes; undefined for a streamed answer. */
function lengthOf({ headers }: Response): number | undefined {
  return Number(headers.get('content-length')) || undefined;
}

/** Resolves when standard output has accepted a chunk. Rejects with EPIPE if the reader is gone. */
function writeChunk(chunk: Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => {
    process.stdout.write(chunk, (error) => (error ? reject(error) : resolve()));
  });
}

/** Writes a text and waits until it has been accepted. */
export async function writeText(text: string, file?: string): Promise<void> {
  await writeOutput(new Response(text), file);
}
