import type { PlatformBytes } from '../platform/platform.ts';

/** Consecutive strings in compressed form, which an arena decompresses when one is first read. */
export interface ArenaBlock {
  /** Number of strings. */
  readonly terms: number;
  /** Bytes of the decompressed strings. */
  readonly byteLength: number;
  /** What the block refers to while it is compressed; several blocks share one. */
  readonly memory: { readonly byteLength: number };
  /** Returns the decompressed strings, always the same. Throws CORRUPT if they are damaged. */
  read(): PlatformBytes;
}
