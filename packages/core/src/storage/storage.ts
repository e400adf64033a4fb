/**
 * Where commits are kept. A storage is a set of namespaces; each has one head with
 * compare-and-swap, a log of records, and checkpoints made of immutable segments. Records and
 * segments are bytes to it: what they mean is the engine's.
 *
 * The contract in full, as test cases: `storageContract` of `@rdf-worlds/testkit`.
 */
export interface Storage {
  readonly capabilities: StorageCapabilities;
  /**
   * The same object for all storages of this process that keep the same things, from `open` on:
   * engines that have one of these tell each other what they wrote. Undefined where no two storages
   * do.
   */
  readonly place?: object | undefined;
  /**
   * Makes ready; called once, before anything else. Throws a `WorldsError` that says what to do
   * when the place cannot be used.
   */
  open(): Promise<void>;
  /**
   * Lets go of everything. What was acknowledged stays. Every later call throws INVALID_ARGUMENT. A
   * second close does nothing.
   */
  close(): Promise<void>;
  /**
   * For a storage that works in its own background, such as one that removes files late. Registers
   * a listener from `open` on, and returns a function that ends it. The listener is called with
   * each failure that no call of the engine throws, and with `null` when that work succeeds again;
   * `namespace` is null for work of no one namespace. Where several storages of this process share
   * their `place`, each failure goes to the listeners of all of them. A listener never throws.
   */
  onBackgroundError?(listener: StorageErrorListener): () => void;
  /**
   * For a storage in a place where others may put things: the paths that are none of its own, which
   * it ignores and never removes. Without a name those that `open` and `namespaces` met; with one
   * those among the files of that namespace.
   */
  strays?(namespace?: string): Promise<readonly string[]>;
  /** The names of the namespaces that were written to and not dropped, in any order. */
  namespaces(): AsyncIterable<string>;
  /**
   * A handle; nothing is made before the first append. Any name is safe: what a driver cannot use
   * as it is, it escapes.
   */
  namespace(name: string): NamespaceStorage;
}

/** See {@link Storage.onBackgroundError}. */
export type StorageErrorListener = (error: Error | null, namespace: string | null) => void;

export interface StorageCapabilities {
  /** Whether what was acknowledged outlives the process. */
  readonly durable: boolean;
  /** Whether several processes may have it open at once. */
  readonly shared: boolean;
  /** True if it only reads: everything that would write throws UNSUPPORTED. */
  readonly readOnly?: boolean | undefined;
}

/**
 * How far a namespace has come. `position` counts the records of this incarnation's log, also those
 * that were truncated; 0 when there was none. `incarnation` is another random text each time that a
 * namespace begins after it was dropped, and '' before its first append.
 */
export interface Head {
  readonly incarnation: string;
  readonly position: number;
}

/** What is appended. A record is all there after a crash, or not at all. */
export interface LogRecord {
  /**
   * 128 random bits as 32 lower-case hexadecimal digits: by it a record is found again when nobody
   * knows what became of an append.
   */
  readonly id: string;
  /**
   * The content in one or more pieces, to be kept as one. A driver does not change them and does
   * not keep them.
   */
  readonly chunks: readonly Uint8Array[];
}

/** A record as it is read back. */
export interface StoredRecord {
  readonly id: string;
  /** The head just after this record. */
  readonly head: Head;
  readonly data: Uint8Array;
}

/**
 * A part of a checkpoint that is to be written: immutable, so the same name always means the same
 * bytes.
 */
export interface Segment {
  /** 1 to 128 characters of `[A-Za-z0-9._-]`. */
  readonly name: string;
  /**
   * Gives the content in pieces. Not called when the namespace's newest checkpoint has a segment of
   * this name, which is reused.
   */
  write(): AsyncIterable<Uint8Array> | Iterable<Uint8Array>;
}

/** A part of a checkpoint that is there. */
export interface StoredSegment {
  readonly name: string;
  readonly byteLength: number;
  /**
   * The whole content, in memory of its own that begins at an offset divisible by 8. Throws CORRUPT
   * when it is not what was written, TRUNCATED when it is no longer kept.
   */
  read(): Promise<Uint8Array>;
}

/** What a namespace was at one head. */
export interface Checkpoint {
  readonly at: Head;
  /** In the order in which they were written. */
  readonly segments: readonly StoredSegment[];
}

export interface NamespaceStorage {
  /**
   * The head, after settling what an append that was IN_DOUBT became. Throws IN_DOUBT while that is
   * impossible.
   */
  head(): Promise<Head>;

  /**
   * Puts records behind the log, all or none, and gives the new head; on a durable storage they are
   * durable by then. Several appends may be under way: each names the head that the one before it
   * will give, and none is durable before that one. (The first of an incarnation is waited for:
   * nobody knows the incarnation before.) When one fails, those behind it are CONFLICT.
   *
   * Throws CONFLICT, with nothing written, when the head is not `expected` (the incarnation counts
   * too), and INVALID_ARGUMENT, with nothing written, for no records or an id of another form.
   * Throws IN_DOUBT when the records may be there after the storage is opened again although they
   * are not in the log now; `head` settles that. After any other error the log says whether they
   * are there: the caller reads it to find the record's id before it tries again.
   */
  append(expected: Head, records: readonly LogRecord[]): Promise<Head>;

  /**
   * The records behind `after`, oldest first, up to the head when it begins.
   * `{ incarnation: '', position: 0 }` is the beginning of whatever incarnation there is. Throws
   * TRUNCATED when the log no longer reaches back so far, never came so far, or the incarnation is
   * another (all three also midway), CORRUPT when a record that was acknowledged is not what was
   * written.
   */
  read(after: Head, signal?: AbortSignal): AsyncIterable<StoredRecord>;

  /**
   * The newest complete checkpoint. Its segments stay readable until the next but one is written.
   */
  checkpoint(): Promise<Checkpoint | undefined>;

  /**
   * Writes a checkpoint of the namespace at `at`, and puts it in the place of the newest in one
   * step: whoever reads sees the old one or the new one. Appends go on meanwhile. Throws CONFLICT
   * when the namespace was dropped meanwhile; a checkpoint older than the newest is refused with
   * CONFLICT too. INVALID_ARGUMENT for an `at` beyond the head, and for a segment's name that is
   * malformed or comes twice. Whatever fails, the newest checkpoint stays as it was.
   */
  writeCheckpoint(at: Head, segments: AsyncIterable<Segment> | Iterable<Segment>): Promise<void>;

  /**
   * Forgets the records up to and with `upTo`. The head stays. What is newer than the newest
   * checkpoint is never forgotten: INVALID_ARGUMENT. CONFLICT when the incarnation is another.
   */
  truncate(upTo: Head): Promise<void>;

  /** A shared storage tells when the head may have moved. */
  watch?(signal: AbortSignal): AsyncIterable<Head>;

  /** How many bytes it keeps, and of what. */
  stats(): Promise<NamespaceStorageStats>;

  /**
   * Forgets everything. The next append begins a new incarnation. Dropping what is not there does
   * nothing.
   */
  drop(): Promise<void>;

  /**
   * For a storage whose data can be salvaged: what is left where damage makes the other calls throw
   * CORRUPT. Undefined if there is no such namespace. Throws CORRUPT if nothing says what belongs
   * to it.
   */
  remains?(): Promise<Remains | undefined>;

  /**
   * Beside `remains`: copies everything as it is, then puts one checkpoint in the place of the log
   * and of all checkpoints, in one step. The head is `at` from then on. Gives the place of the
   * copy; undefined for a storage in memory, which makes none. Until the last step a failure
   * changes nothing. The caller has proven that the head was at `at`, and nobody writes meanwhile.
   */
  rebuild?(at: Head, segments: AsyncIterable<Segment> | Iterable<Segment>): Promise<string | undefined>;
}

/** What is kept of a namespace, part of which may be damaged. Nothing here changes anything. */
export interface Remains {
  /** All that are kept, newest first. A damaged segment throws CORRUPT when it is read. */
  readonly checkpoints: readonly Checkpoint[];
  /** What the log reaches back to: the last record before it. */
  readonly logStart: Head;
  /**
   * The records behind `after`, oldest first, as far as each provably follows the one before.
   * Returns only where the head is proven to be; otherwise throws CORRUPT behind the last record
   * before the damage. Damage before `after` is no obstacle unless the record there cannot be found
   * without what is damaged.
   */
  read(after: Head, signal?: AbortSignal): AsyncIterable<StoredRecord>;
}

export interface NamespaceStorageStats {
  readonly logBytes: number;
  readonly logRecords: number;
  readonly segmentBytes: number;
  readonly segments: number;
}
