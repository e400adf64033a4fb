/**
 * The platform of browsers, with the same names as `node.ts`. There are no files, no streams of
 * Node and no worker threads.
 */

import type { Readable } from 'node:stream';
import type { Worker } from 'node:worker_threads';
import { BrowserBytes } from './browser/browser-bytes.ts';
import { ItemStream } from './browser/item-stream.ts';
import { pipeToWeb } from './browser/pipe-to-web.ts';
import type { PlatformBuffer, PlatformBytes, PlatformDeflate, PlatformMemory } from './platform.ts';

export { BrowserEmitter as EventEmitter } from './browser/browser-emitter.ts';
export { createHash, hexHash } from './browser/browser-hash.ts';
export { crc32 } from './browser/crc32.ts';
export { gunzip } from './browser/gunzip.ts';
export { setImmediate } from './browser/set-immediate.ts';
export { GzipError, type HashName, type PlatformHash } from './platform.ts';
export { pipeToWeb };

// The compiler compares the names; the types differ in overloads.
export const Buffer: PlatformBuffer = BrowserBytes satisfies Record<
  keyof PlatformBuffer,
  unknown
> as unknown as PlatformBuffer;
export type Buffer<T extends ArrayBufferLike = ArrayBufferLike> = PlatformBytes<T>;

export const { TextDecoder } = globalThis;

const STRICT = new TextDecoder('utf-8', { fatal: true });

export function isUtf8(bytes: Uint8Array): boolean {
  try {
    STRICT.decode(bytes);
    return true;
  } catch {
    return false;
  }
}

/** Decodes the bytes from `start` to `end`, which are valid UTF-8. */
export function utf8Text(bytes: PlatformBytes, start: number, end: number): string {
  return bytes.toString('utf8', start, end);
}

/**
 * RFC 9562 section 5.4. `crypto.randomUUID` exists only on pages served over HTTPS or localhost.
 */
export function randomUUID(): `${string}-${string}-${string}-${string}-${string}` {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6] & 0x0f) | 0x40;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  const hex = Buffer.from(bytes).toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

/** A page ends when it is closed, whatever waits. */
export function allowExit(_timer: unknown): void {}

export const nextTick: (task: () => void) => void = (task) => queueMicrotask(task);

/** Browsers do not limit the number of listeners. */
export function allowManyListeners(_signal: AbortSignal): void {}

interface BrowserFigures {
  readonly navigator?: { readonly deviceMemory?: number };
  readonly performance?: { readonly memory?: { readonly jsHeapSizeLimit?: number } };
}

/** Only Chromium has these figures. */
export const memory: PlatformMemory = {
  total: () => ((globalThis as BrowserFigures).navigator?.deviceMemory ?? 0) * 2 ** 30 || undefined,
  constrained: () => undefined,
  heap: () => (globalThis as BrowserFigures).performance?.memory?.jsHeapSizeLimit,
};

export function objectStream(items: AsyncIterable<unknown>): Readable {
  return new ItemStream(items) as unknown as Readable;
}

/** Collects the items of a stream that has only the events of RDF/JS. */
export async function* itemsOf<T>(stream: object): AsyncIterable<T> {
  const source = stream as { on(event: string, listener: (value: never) => void): unknown };
  yield* await new Promise<T[]>((resolve, reject) => {
    const items: T[] = [];
    source.on('end', () => resolve(items));
    source.on('error', reject);
    source.on('data', (item: T) => items.push(item));
  });
}

export async function pipeToNode(): Promise<void> {
  throw new TypeError('Browsers have no streams of Node: pass a WritableStream.');
}

// biome-ignore lint/correctness/useYield: a reader of files that cannot read
export async function* readFile(_url: URL): AsyncGenerator<Uint8Array> {
  throw new Error('browsers read no files by their address; pass a Blob, or the bytes that "fetch" returned');
}

export const deflating: PlatformDeflate | undefined = undefined;

export async function workerThreads(): Promise<typeof Worker | undefined> {
  return undefined;
}
