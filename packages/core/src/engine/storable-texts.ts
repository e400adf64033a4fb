import type { Segment } from '../contracts/storage.ts';
import type { StoredSearch } from '../search/stored-search.ts';

/** The text index of a checkpoint. */
export interface TextSegments {
  /** Name of the segment that names the others. */
  readonly state: string;
  /** Numbers of the indexed worlds as pairs of a first and a last one, ascending. */
  readonly worlds: readonly number[];
}

/** The text index in the checkpoint from which a namespace was read. */
export interface StoredTexts {
  /** Numbers of the indexed worlds. */
  readonly worlds: ReadonlySet<number>;
  /** Reads the state of the index. Throws if it is damaged or no longer stored. */
  open(): Promise<StoredSearch>;
  /** Memory of the index, approximately. */
  readonly byteLength: number;
  /** Returns what a checkpoint of the same texts contains, without reading it. */
  carry(worlds: Iterable<number>): Pick<TextContents, 'texts' | 'segments'>;
}

/** What a checkpoint writes of a text index. One of the functions is called afterwards. */
export interface TextContents {
  /** Undefined if the checkpoint has no text index. */
  readonly texts: TextSegments | undefined;
  readonly segments: readonly Segment[];
  readonly written: () => void;
  readonly failed: () => void;
}

export interface TextContentsOptions {
  readonly newId: () => string;
  /** Whether another engine may write checkpoints of the namespace. */
  readonly isShared: boolean;
}

/** A text index that checkpoints may contain. */
export interface StorableTexts {
  /** Whether the next checkpoint would contain texts that the last one lacks. */
  readonly isUnsaved: boolean;
  /** Indexes the commits so far, if there is an index. Does not throw. */
  catchUpToStore(): Promise<void>;
  /**
   * Captures the index, synchronously. Contains nothing unless it is up to date with every visible
   * commit of the worlds that it has. If another engine may replace the newest checkpoint
   * meanwhile, everything is captured that the index has, whether it is stored or not.
   */
  contents(options: TextContentsOptions): TextContents;
  /** Removes every trace of deleted texts from the index. Does not throw. */
  compact(): Promise<void>;
}
