/**
 * Storage plug-in: persists commits. A storage is a set of namespaces; each has one head with
 * compare-and-swap, a log of records, and checkpoints made of immutable segments. Records and
 * segments are opaque bytes; only the engine interprets them.
 *
 * The full contract as test cases: `storageContract` of `@rdf-worlds/testkit`.
 */
export interface Storage {
  /** What the storage can do; constant. */
  readonly capabilities: StorageCapabilities;
  /**
   * Identity of the storage location, valid after `open`: all storages of this process that share
   * the same data return the same object. Engines with the same `place` notify each other of their
   * writes. Undefined if two storages never share data.
   */
  readonly place?: object | undefined;
  /**
   * Prepares the storage; called once, before any other method except `close`. A second call, and
   * any other method before it, throws INVALID_ARGUMENT. Throws a `WorldsError` that tells the user
   * what to do if the location cannot be used.
   */
  open(): Promise<void>;
  /**
   * Releases all resources; acknowledged data stays. Every later call throws INVALID_ARGUMENT, on
   * handles and segments too, as do reads and checkpoints in progress; a second `close` is a no-op.
   * A storage that was never opened can be closed.
   */
  close(): Promise<void>;
  /**
   * Implement for a storage that works in the background, such as one that deletes files late.
   * Registers a listener, after `open`, and returns a function that removes it. The listener is
   * called with each failure that no engine call throws, and with `null` when that work succeeds
   * again; `namespace` is null for work that belongs to no single namespace. If several storages of
   * this process share their `place`, each failure goes to the listeners of all of them. A listener
   * never throws.
   */
  onBackgroundError?(listener: StorageErrorListener): () => void;
  /**
   * Implement for a storage whose location may contain foreign files. Returns the paths that the
   * storage does not own; it ignores and never removes them. Without a name: those that `open` and
   * `namespaces` met; with a name: those among the files of that namespace.
   */
  strays?(namespace?: string): Promise<readonly string[]>;
  /** Returns the names of the namespaces that were written to and not dropped, in any order. */
  namespaces(): AsyncIterable<string>;
  /**
   * Returns a handle; creates nothing before the first append. Every name is valid: the driver
   * escapes names that it cannot use as they are.
   */
  namespace(name: string): NamespaceStorage;
}

/** See {@link Storage.onBackgroundError}. */
export type StorageErrorListener = (error: Error | null, namespace: string | null) => void;

/** What a storage can do. */
export interface StorageCapabilities {
  /** Whether acknowledged data outlives the process. */
  readonly durable: boolean;
  /** Whether several processes may have the storage open at the same time. */
  readonly shared: boolean;
  /** True for a read-only storage: every writing call throws UNSUPPORTED. */
  readonly readOnly?: boolean | undefined;
}

/**
 * Version of a namespace. `position` counts the records of this incarnation's log, truncated ones
 * included; 0 before the first. `incarnation` is a new random string each time a namespace starts
 * after being dropped, and '' before its first append. `generation` counts the checkpoints that
 * omitted terms (see {@link ConfirmHead}); a storage returns the current one in every head, of
 * whatever position.
 *
 * A shared storage also counts each drop as a generation, and a new incarnation continues from
 * there. So the head of a namespace that was dropped differs from the one that it had before it was
 * created, and a first append that was held up for the whole life of a namespace is refused. Other
 * storages may start with 0 again.
 */
export interface Head {
  readonly incarnation: string;
  readonly position: number;
  readonly generation: number;
}

/**
 * Makes a checkpoint raise the generation. Called once all segments are stored, and again each time
 * that the head has moved meanwhile: returns the head at which the checkpoint may become the
 * newest. Gives up by throwing.
 */
export type ConfirmHead = () => Promise<Head>;

/** A record to append. After a crash it is present in full or not at all. */
export interface LogRecord {
  /**
   * 128 random bits as 32 lower-case hexadecimal digits. Identifies the record when the outcome of
   * an append is unknown.
   */
  readonly id: string;
  /**
   * The content in one or more pieces, stored as one. A driver neither modifies nor retains them.
   */
  readonly chunks: readonly Uint8Array[];
}

/** A record read from the log. */
export interface StoredRecord {
  /** The `id` with which it was appended. */
  readonly id: string;
  /** The head directly after this record. */
  readonly head: Head;
  /** The content: the chunks of the appended record, joined. */
  readonly data: Uint8Array;
}

/** A part of a checkpoint to be written. Immutable: the same name always means the same bytes. */
export interface Segment {
  /** 1 to 128 characters of `[A-Za-z0-9._-]`. */
  readonly name: string;
  /**
   * Produces the content in pieces. Not called if the namespace's newest checkpoint already has a
   * segment of this name, which is reused. The next piece may reuse the buffer of the last.
   */
  write(): AsyncIterable<Uint8Array> | Iterable<Uint8Array>;
}

/** A stored part of a checkpoint. */
export interface StoredSegment {
  readonly name: string;
  /** Length of the content, in bytes. */
  readonly byteLength: number;
  /**
   * Returns the whole content in a buffer of its own, at an offset divisible by 8. Throws CORRUPT
   * if the bytes are not those written, TRUNCATED if the segment is no longer kept.
   */
  read(): Promise<Uint8Array>;
}

/** State of a namespace at one head. */
export interface Checkpoint {
  /** The head whose state the segments hold, with the generation when it was returned. */
  readonly at: Head;
  /** In the order of writing. */
  readonly segments: readonly StoredSegment[];
}

/**
 * Persistent state of one namespace: its head, log and checkpoints. Any method may throw CORRUPT if
 * stored data is damaged.
 */
export interface NamespaceStorage {
  /**
   * Returns the head, after resolving the outcome of any append that was IN_DOUBT. Throws IN_DOUBT
   * while that is impossible. Of a namespace that does not exist, the position is 0.
   */
  head(): Promise<Head>;

  /**
   * Appends records to the log atomically and returns the new head; on a durable storage they are
   * durable when it resolves. Several appends may be in flight: each passes the head that its
   * predecessor will return, and none becomes durable before its predecessor. (The first append of
   * an incarnation must be awaited, because the incarnation is unknown until then.) If one fails,
   * those after it throw CONFLICT.
   *
   * Throws CONFLICT, without writing, if the head is not `expected` (incarnation and generation
   * included), and INVALID_ARGUMENT, without writing, for an empty list or a malformed id. Throws
   * IN_DOUBT if the records are not in the log now but may be there after the storage is reopened;
   * `head` resolves that. After any other error the log is authoritative: the caller must look for
   * the record's id before it retries.
   */
  append(expected: Head, records: readonly LogRecord[]): Promise<Head>;

  /**
   * Reads the records after `after`, oldest first, up to the head at the start of the call.
   * `NO_HEAD` means the start of the current incarnation; the generation of `after` does not
   * matter. Throws TRUNCATED if the log no longer reaches back to `after`, never reached it, or
   * belongs to another incarnation (all three also while iterating). Throws ABORTED once the signal
   * fires. Throws CORRUPT if the bytes of an acknowledged record are not those written. The caller
   * owns the `data` of a record.
   */
  read(after: Head, signal?: AbortSignal): AsyncIterable<StoredRecord>;

  /**
   * Returns the newest complete checkpoint. Its segments stay readable until two further
   * checkpoints have been written; a storage keeps the two newest.
   */
  checkpoint(): Promise<Checkpoint | undefined>;

  /**
   * Writes a checkpoint of the namespace at `at` and replaces the newest one atomically: readers
   * see the old one or the new one. Appends may run concurrently. Throws CONFLICT if the namespace
   * was dropped meanwhile, if the checkpoint is older than the newest, or if the generation is not
   * that of `at`; INVALID_ARGUMENT if `at` is beyond the head, or a segment's name is malformed or
   * duplicated. On any failure the newest checkpoint is unchanged.
   *
   * With `confirm`, the checkpoint omits terms that others may still use: it becomes the newest
   * only if the head is the one that `confirm` returned last, and raises the generation by one in
   * the same step. Heads of the generation before are then no longer accepted by `append` and
   * `writeCheckpoint`. A failure may raise the generation too.
   */
  writeCheckpoint(at: Head, segments: AsyncIterable<Segment> | Iterable<Segment>, confirm?: ConfirmHead): Promise<void>;

  /**
   * Deletes the records up to and including `upTo`; the head does not move. Throws INVALID_ARGUMENT
   * if a record is newer than the newest checkpoint, CONFLICT for another incarnation.
   */
  truncate(upTo: Head): Promise<void>;

  /**
   * Implement for a shared storage: reserves the next appends for this handle, so that a writer
   * that others have overtaken again and again gets its turn. Resolves when the turn has come, in
   * the order of the calls. Until the returned function was called, or `forMs` are over, appends of
   * other handles wait a while, or throw CONFLICT. For fairness only: whether an append is accepted
   * is decided by the head alone.
   */
  reserve?(forMs: number): Promise<() => Promise<void>>;

  /**
   * Implement for a shared storage: claims the writing of checkpoints, so that processes do not
   * write the same one at the same time. The claim lasts for `forMs`, or until it is released;
   * claiming again with the same handle prolongs it. A hint only: `writeCheckpoint` needs no claim.
   */
  claimCheckpoint?(forMs: number): Promise<CheckpointClaim>;

  /**
   * Implement for a shared storage: yields the head at first, and when it may have moved. A head
   * may be yielded late, twice, or after a newer one.
   */
  watch?(signal: AbortSignal): AsyncIterable<Head>;

  /** Returns the stored bytes by kind. */
  stats(): Promise<NamespaceStorageStats>;

  /**
   * Deletes everything; the next append starts a new incarnation. A no-op for a namespace that does
   * not exist. Throws CONFLICT, and deletes nothing, if the head is not `expected`, where given.
   */
  drop(expected?: Head): Promise<void>;

  /**
   * Implement for a storage whose data can be salvaged. Returns what remains of a namespace whose
   * other calls throw CORRUPT; undefined if there is no such namespace. Throws CORRUPT if nothing
   * identifies the namespace's data.
   */
  remains?(): Promise<Remains | undefined>;

  /**
   * Required with `remains`. Copies everything as it is, then replaces the log and all checkpoints
   * atomically by one checkpoint; the head is `at` from then on. Returns the location of the copy;
   * undefined for a storage in memory, which makes none. A failure before the last step changes
   * nothing. The caller must have proven that the head was at `at`, and must keep out other
   * writers.
   */
  rebuild?(at: Head, segments: AsyncIterable<Segment> | Iterable<Segment>): Promise<string | undefined>;
}

/** The remaining, possibly damaged, data of a namespace. Read-only. */
export interface Remains {
  /**
   * All checkpoints still stored, newest first. A damaged segment throws CORRUPT when it is read.
   */
  readonly checkpoints: readonly Checkpoint[];
  /** The head directly before the first record of the log. */
  readonly logStart: Head;
  /**
   * Reads the records after `after`, oldest first, as long as each provably follows its
   * predecessor. Returns only at a proven head; otherwise throws CORRUPT after the last record
   * before the damage. Damage before `after` does not matter unless the record there cannot be
   * located without the damaged part.
   */
  read(after: Head, signal?: AbortSignal): AsyncIterable<StoredRecord>;
}

/** The answer to {@link NamespaceStorage.claimCheckpoint}. */
export interface CheckpointClaim {
  /** Position of the newest checkpoint; 0 if there is none. */
  readonly newest: number;
  /** Ends the claim; undefined if another handle has it. */
  readonly release: (() => Promise<void>) | undefined;
}

/** Size of a namespace in a storage. */
export interface NamespaceStorageStats {
  /** Bytes of the log, including what `truncate` has not yet freed. */
  readonly logBytes: number;
  /** Records that can be read from the log. */
  readonly logRecords: number;
  /** Bytes of the segments of all kept checkpoints. */
  readonly segmentBytes: number;
  /** Number of these segments. */
  readonly segments: number;
}
