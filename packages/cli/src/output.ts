import { createWriteStream } from 'node:fs';
import { rename, rm, stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import { Option } from 'commander';
import { ProgressBar } from './progress-bar.ts';

export const OUTPUT_OPTION = new Option('--output <FILE>', 'where to write; standard output when not given');

/**
 * Writes an answer as it comes. A file is there whole or not at all: what breaks off leaves the one
 * that was there before. How far a file is shows on a terminal.
 */
export async function writeOutput(response: Response, file: string | undefined): Promise<void> {
  const chunks = response.body ? Readable.fromWeb(response.body as ReadableStream) : Readable.from([]);
  const body = file === undefined ? chunks : Readable.from(new ProgressBar(file, lengthOf(response)).follow(chunks));
  if (file === undefined) {
    for await (const chunk of body) await writeChunk(chunk);
    return;
  }
  // A device or a pipe is written, not replaced. A file that cannot be looked at fails below, where
  // it is opened.
  if ((await stat(file).catch(() => undefined))?.isFile() === false) return pipeline(body, createWriteStream(file));
  const partial = `${file}.${process.pid}.partial`;
  try {
    await pipeline(body, createWriteStream(partial, { flags: 'wx' }));
    await rename(partial, file);
  } catch (error) {
    await rm(partial, { force: true });
    throw error;
  }
}

/** In bytes; undefined for one that is made as it is sent. */
function lengthOf({ headers }: Response): number | undefined {
  return Number(headers.get('content-length')) || undefined;
}

/**
 * Waits until standard output has taken a chunk; rejects with EPIPE when nobody reads it any more.
 */
function writeChunk(chunk: Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => {
    process.stdout.write(chunk, (error) => (error ? reject(error) : resolve()));
  });
}

/** Writes a text, and waits until it is taken. */
export async function writeText(text: string, file?: string): Promise<void> {
  await writeOutput(new Response(text), file);
}
