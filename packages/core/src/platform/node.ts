/** The platform of Node, and of runtimes with its modules: Bun, Deno, Cloudflare Workers. */
import * as buffers from 'node:buffer';
import * as crypto from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { totalmem } from 'node:os';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { constants, deflateRawSync, inflateRawSync } from 'node:zlib';
import {
  GzipError,
  type HashName,
  type PlatformBuffer,
  type PlatformBytes,
  type PlatformDeflate,
  type PlatformHash,
  type PlatformMemory,
} from './platform.ts';

export { isUtf8 } from 'node:buffer';
export { randomUUID } from 'node:crypto';
export { EventEmitter } from 'node:events';
export { TextDecoder } from 'node:util';
export { crc32 } from 'node:zlib';
export { GzipError, type HashName, type PlatformHash } from './platform.ts';

export const Buffer: PlatformBuffer = buffers.Buffer;
export type Buffer<T extends ArrayBufferLike = ArrayBufferLike> = PlatformBytes<T>;

export const createHash: (name: HashName) => PlatformHash = crypto.createHash;

/** Since Node 20.12; hosts with other versions of the module lack it. */
const hashAtOnce: typeof crypto.hash | undefined = crypto.hash;

/** Returns the hash of a text's UTF-8 as lower-case hexadecimal digits. */
export function hexHash(name: HashName, text: string): string {
  return hashAtOnce ? hashAtOnce(name, text, 'hex') : createHash(name).update(text, 'utf8').digest('hex');
}

/** Bytes from which {@link utf8Text} looks for the fastest decoder. */
const LONG_BYTES = 1 << 16;
/** ICU decodes text that is not ASCII five times as fast as V8 does. Other hosts may lack it. */
const { isAscii, transcode }: Partial<typeof buffers> = buffers;
const hasTranscode =
  isAscii !== undefined && transcode !== undefined && globalThis.process?.versions?.bun === undefined;

/** Decodes the bytes from `start` to `end`, which are valid UTF-8. */
export function utf8Text(bytes: PlatformBytes, start: number, end: number): string {
  // The encoding is explicit because the Buffer of Cloudflare Workers rejects `undefined`.
  if (!hasTranscode || end - start < LONG_BYTES) return bytes.toString('utf8', start, end);
  const part = bytes.subarray(start, end);
  // V8 keeps ASCII in one byte a character.
  return isAscii(part) ? bytes.toString('latin1', start, end) : transcode(part, 'utf8', 'utf16le').toString('utf16le');
}

/** Runs a task in the next round of the event loop. */
export function setImmediate(task: () => void): void {
  globalThis.setImmediate(task);
}

/** Lets the process end while a timer waits. */
export function allowExit(timer: NodeJS.Timeout | undefined): void {
  timer?.unref();
}

/** Runs a task after the current one, before the event loop continues. */
export function nextTick(task: () => void): void {
  process.nextTick(task);
}

/** Allows any number of listeners on a signal. */
export function allowManyListeners(signal: AbortSignal): void {
  setMaxListeners(0, signal);
}

export const memory: PlatformMemory = {
  total: totalmem,
  // Available since Node 20; other hosts may lack it.
  constrained: () => globalThis.process?.constrainedMemory?.(),
  // Not imported: Cloudflare Workers have no node:v8, and a missing module cannot be caught.
  heap: () => globalThis.process?.getBuiltinModule?.('node:v8')?.getHeapStatistics().heap_size_limit,
};

/** Streams the items of an iterable as objects. */
export function objectStream(items: AsyncIterable<unknown>): Readable {
  return Readable.from(items);
}

/** Iterates over the items of a stream that may have only events. */
export function itemsOf<T>(stream: object): AsyncIterable<T> {
  return new Readable({ objectMode: true }).wrap(stream as NodeJS.ReadableStream);
}

/** Writes chunks to a stream of the Web Streams API and closes it. */
export async function pipeToWeb(chunks: AsyncIterable<Uint8Array>, stream: WritableStream<Uint8Array>): Promise<void> {
  await (Readable.toWeb(Readable.from(chunks)) as ReadableStream<Uint8Array>).pipeTo(stream);
}

/** Writes chunks to a stream of Node and ends it. */
export async function pipeToNode(chunks: AsyncIterable<Uint8Array>, stream: NodeJS.WritableStream): Promise<void> {
  await pipeline(Readable.from(chunks), stream);
}

/** Reads a file in chunks. Opens it on the first read. */
export async function* readFile(url: URL): AsyncGenerator<Uint8Array> {
  // Imported lazily, so that everything else works without a file system.
  const { createReadStream } = await import('node:fs');
  yield* createReadStream(new URL(url.href)) as AsyncIterable<Uint8Array>;
}

/** The least that zlib accepts. */
const MIN_INFLATE_CHUNK = 64;

/** Compresses and decompresses in one step. Undefined where only streams can. */
export const deflating: PlatformDeflate | undefined = {
  deflate: (data) => deflateRawSync(data, { level: constants.Z_BEST_SPEED, chunkSize: data.length }),
  inflate: (data, maxOutputLength) =>
    inflateRawSync(data, { maxOutputLength, chunkSize: Math.max(maxOutputLength + 1, MIN_INFLATE_CHUNK) }),
};

/** Decompresses gzip data. Throws {@link GzipError} if it is damaged, and errors of `chunks`. */
export async function* gunzip(chunks: AsyncIterable<Uint8Array>, chunkSize: number): AsyncGenerator<Uint8Array> {
  const [{ createGunzip }, { pipeline }] = await Promise.all([import('node:zlib'), import('node:stream')]);
  const gunzip = createGunzip({ chunkSize });
  // An error that ends the pipeline is also thrown by the loop below.
  pipeline(chunks, gunzip, () => undefined);
  try {
    yield* gunzip as AsyncIterable<Uint8Array>;
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException;
    throw code?.startsWith('Z_') ? new GzipError(message, { cause }) : cause;
  }
}

/** Returns the class of worker threads. Throws or returns undefined if the host has none. */
export async function workerThreads(): Promise<typeof import('node:worker_threads').Worker | undefined> {
  return (await import('node:worker_threads')).Worker;
}
