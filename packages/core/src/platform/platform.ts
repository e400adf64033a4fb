/**
 * What the core needs of its host beyond the language and the Web APIs that every host has.
 * `node.ts` and `browser.ts` implement it; `imports` in package.json chooses one of them for
 * `#platform`. These interfaces list only what both have, so that code which type-checks against
 * Node runs in browsers too.
 */

/** The methods of Node's Buffer that the core uses. */
export interface PlatformBytes<T extends ArrayBufferLike = ArrayBufferLike> extends Uint8Array<T> {
  subarray(start?: number, end?: number): PlatformBytes<T>;
  toString(encoding?: BytesEncoding, start?: number, end?: number): string;
  /** Writes a text as UTF-8 and returns the number of bytes. Never writes a part of a character. */
  write(text: string, offset?: number, encoding?: 'utf8'): number;
  copy(target: Uint8Array, targetStart?: number, start?: number, end?: number): number;
  equals(other: Uint8Array): boolean;
  readUInt32LE(offset: number): number;
  /** Returns the offset after the number. */
  writeUInt32LE(value: number, offset: number): number;
}

/** DEFLATE (RFC 1951), without headers. */
export interface PlatformDeflate {
  /** Returns compressed data. */
  readonly deflate: (data: Uint8Array) => Uint8Array;
  /** Returns the original data. Throws if it is damaged, or longer than `maxBytes`. */
  readonly inflate: (data: Uint8Array, maxBytes: number) => PlatformBytes;
}

export type BytesEncoding = 'utf8' | 'latin1' | 'utf16le' | 'hex' | 'base64' | 'base64url';

/** The functions of Node's `Buffer` that the core uses. */
export interface PlatformBuffer {
  from(text: string, encoding?: 'utf8' | 'hex' | 'base64' | 'base64url'): PlatformBytes<ArrayBuffer>;
  /** Shares the memory of the buffer. */
  from<T extends ArrayBufferLike>(buffer: T, byteOffset?: number, length?: number): PlatformBytes<T>;
  /** Copies the bytes. */
  from(bytes: Uint8Array | readonly number[]): PlatformBytes<ArrayBuffer>;
  alloc(length: number): PlatformBytes<ArrayBuffer>;
  /** Returns bytes that may be uninitialized, and may share their buffer with others. */
  allocUnsafe(length: number): PlatformBytes<ArrayBuffer>;
  /** Returns bytes with a buffer of their own, which may be uninitialized. */
  allocUnsafeSlow(length: number): PlatformBytes<ArrayBuffer>;
  concat(chunks: readonly Uint8Array[]): PlatformBytes<ArrayBuffer>;
  /** Returns the length of a text in UTF-8. */
  byteLength(text: string): number;
}

export type HashName = 'md5' | 'sha1' | 'sha256' | 'sha384' | 'sha512';

/** An incremental hash. Texts are hashed as UTF-8. */
export interface PlatformHash {
  update(data: string | Uint8Array, encoding?: 'utf8'): PlatformHash;
  digest(): PlatformBytes;
  digest(encoding: 'hex'): string;
  copy(): PlatformHash;
}

/**
 * Memory of the host in bytes. A function returns undefined or throws if the host has no figure.
 */
export interface PlatformMemory {
  total(): number | undefined;
  /** Limit of the cgroup. */
  constrained(): number | undefined;
  /** Heap size at which the host aborts the program. */
  heap(): number | undefined;
}

/** Gzip data that cannot be decompressed. */
export class GzipError extends Error {}
