import { allowExit, setImmediate } from '#platform';
import { WorldsError } from '../model/worlds-error.ts';
import type { MemoryLimits } from './memory-default.ts';

/**
 * Eviction starts above 3/4 of the limit. The rest covers what cannot be counted: released typed
 * arrays that are not yet collected, and fragmentation of the allocator. Measured:
 * docs/benchmarks.md.
 */
const USED_PART = 1 - 1 / 4;

/** Delay before eviction is retried when every namespace was in use. */
const RETRY_MS = 100;

/** Minimum size of a commit: its record and the overhead of its columns. */
const COMMIT_BYTES = 1 << 10;

/** Commits may use 1/16 of the free memory before namespaces are measured again. */
const SLACK_PART = 16;

/** A namespace, as the memory limit sees it. */
export interface MemoryUser {
  readonly name: string;
  /** Total memory, in bytes. */
  readonly byteLength: number;
  /** The part of `byteLength` on the JavaScript heap. */
  readonly heapByteLength: number;
  /** LRU clock: the larger, the later a request named the namespace. */
  readonly lastNamed: number;
  /** Whether the namespace may be evicted. */
  readonly isIdle: boolean;
  /** Whether the namespace is no longer in memory. */
  readonly dropped: boolean;
}

/** Eviction of namespaces that can be reloaded from storage. */
export interface Eviction {
  /** Prepares a namespace for eviction. */
  readonly finish: (namespace: MemoryUser) => Promise<void>;
  readonly evict: (namespace: MemoryUser) => Promise<void>;
}

export interface MemoryLimitOptions extends MemoryLimits {
  /**
   * Undefined without storage: nothing is evicted, and the limit applies to all namespaces
   * together.
   */
  readonly eviction?: Eviction;
}

interface Size {
  readonly bytes: number;
  /** The part of `bytes` on the JavaScript heap. */
  readonly heapBytes: number;
}

const NO_SIZE: Size = { bytes: 0, heapBytes: 0 };

/** Memory that an import uses before it commits. */
export interface MemoryReservation {
  /** Sets the size. Throws LIMIT_EXCEEDED if the limit does not allow it. */
  resize(bytes: number): void;
  /** Ends the reservation. Idempotent. */
  release(): void;
}

/**
 * Keeps the memory of all namespaces below a limit.
 *
 * With storage, idle namespaces are evicted in LRU order. The limit is checked after everything
 * that may have grown a namespace (loading, a commit, a query, an index) and before a namespace is
 * loaded. A single namespace that would exceed the limit is refused. Without storage nothing can be
 * evicted, and changes that would take all namespaces together above the limit are refused.
 */
export class MemoryLimit {
  private readonly options: MemoryLimitOptions;
  private readonly sizes = new Map<MemoryUser, Size>();
  /** Sum of `sizes`. */
  private total = 0;
  private totalHeap = 0;
  /** Memory reserved by imports that have not committed yet. */
  private reserved = 0;
  /** Bytes that commits may still add before namespaces are measured again. */
  private slack = 0;
  /** Namespaces with commits since they were last measured. */
  private readonly grown = new Set<MemoryUser>();
  /** Memory reserved for namespaces that are being loaded. */
  private expected = 0;
  /** Namespaces used since they were last measured. */
  private readonly used = new Set<MemoryUser>();
  /** Number of requests that wait for a namespace, by name. These namespaces are not evicted. */
  private readonly awaited = new Map<string, number>();
  private trimming: Promise<void> | undefined;
  private retry: NodeJS.Timeout | undefined;
  private closed = false;

  constructor(options: MemoryLimitOptions) {
    this.options = options;
  }

  /** Records that a namespace was loaded or used. */
  touch(namespace: MemoryUser): void {
    // The last users of a dropped namespace still release it.
    if (this.closed || namespace.dropped) return;
    if (!this.sizes.has(namespace)) this.measureOne(namespace);
    if (this.used.size === 0) setImmediate(() => this.measure());
    this.used.add(namespace);
  }

  /** Stops counting a namespace that was dropped from memory, even if readers still use it. */
  remove(namespace: MemoryUser): void {
    this.used.delete(namespace);
    this.grown.delete(namespace);
    const { bytes, heapBytes } = this.sizes.get(namespace) ?? NO_SIZE;
    this.total -= bytes;
    this.totalHeap -= heapBytes;
    this.sizes.delete(namespace);
  }

  /**
   * Throws LIMIT_EXCEEDED if a commit of `bytes` would exceed the limit. Most calls measure
   * nothing: small commits draw on a part of the memory that the last measurement found free.
   */
  requireRoom(namespace: MemoryUser, bytes: number): void {
    const wanted = bytes + COMMIT_BYTES;
    if (this.sizes.has(namespace)) this.grown.add(namespace);
    if (wanted <= this.slack) {
      this.slack -= wanted;
      return;
    }
    const room = this.requireMeasuredRoom(namespace, bytes);
    this.slack = Math.max(0, room / SLACK_PART - wanted);
  }

  /** Like {@link requireRoom}, but measures the namespace. Returns the free memory in bytes. */
  requireMeasuredRoom(namespace: MemoryUser, bytes = 0): number {
    const { maxBytes, maxHeapBytes, eviction } = this.options;
    for (const one of this.grown) this.measureOne(one);
    this.grown.clear();
    // A namespace that is being loaded, or read for a comparison, is not in `sizes`.
    const isKnown = this.sizes.has(namespace);
    const own = isKnown ? this.measureOne(namespace) : sizeOf(namespace);
    const others = eviction ? NO_SIZE : { bytes: this.total, heapBytes: this.totalHeap };
    const counted = isKnown && !eviction ? NO_SIZE : own;
    const taken = counted.bytes + others.bytes + this.reserved + bytes;
    const heapTaken = counted.heapBytes + others.heapBytes;
    const who = eviction ? `The namespace ${namespace.name}` : 'The engine';
    const remedy = eviction
      ? 'spread its worlds over several namespaces'
      : 'delete unneeded data, or open the engine with a storage, which loads namespaces on demand';
    if (taken > maxBytes) {
      throw new WorldsError(
        'LIMIT_EXCEEDED',
        `${who} would take ${taken} bytes of memory, more than the ${maxBytes} of maxMemoryBytes; raise the limit, or ${remedy}.`,
      );
    }
    if (heapTaken > maxHeapBytes) {
      throw new WorldsError(
        'LIMIT_EXCEEDED',
        `${who} would take ${heapTaken} bytes of the JavaScript heap, more than ${maxHeapBytes}, a third of what the process may have; raise --max-old-space-size, set maxMemoryBytes, or ${remedy}.`,
      );
    }
    // With eviction, the other loaded namespaces reduce the free memory as well.
    return Math.min(maxBytes - Math.max(taken, this.total + this.reserved), maxHeapBytes - this.totalHeap);
  }

  /** Reserves memory for an import into a namespace, in addition to the namespace's own size. */
  reserve(namespace: MemoryUser): MemoryReservation {
    let held = 0;
    const resize = (bytes: number) => {
      this.reserved += bytes - held;
      held = bytes;
    };
    return {
      resize: (bytes) => {
        const isGrowing = bytes > held;
        resize(bytes);
        if (!isGrowing) return;
        this.requireMeasuredRoom(namespace);
        if (this.excess > 0) void this.trim();
      },
      release: () => resize(0),
    };
  }

  /**
   * Makes room for a namespace of `bytes` that is about to be loaded. The caller must call the
   * returned function once the namespace is loaded or loading has failed.
   */
  async expect(bytes: number): Promise<() => void> {
    this.expected += bytes;
    await this.trim();
    return () => {
      this.expected -= bytes;
    };
  }

  /**
   * Prevents the eviction of namespaces, loaded or still loading, until the returned function is
   * called.
   */
  await(names: readonly string[]): () => void {
    for (const name of names) this.awaited.set(name, (this.awaited.get(name) ?? 0) + 1);
    return () => {
      for (const name of names) {
        const left = this.awaited.get(name)! - 1;
        if (left > 0) this.awaited.set(name, left);
        else this.awaited.delete(name);
      }
      if (this.excess > 0) void this.trim();
    };
  }

  /** Evicts namespaces until the memory is below the threshold or nothing more can be evicted. */
  async settle(): Promise<void> {
    this.measure();
    if (this.excess <= 0) return;
    // Requests that received their namespaces in this turn of the event loop release them in the
    // next.
    await new Promise<void>((resolve) => setImmediate(resolve));
    await this.trim();
  }

  /** Waits for pending evictions. Nothing is evicted afterwards. */
  async close(): Promise<void> {
    this.closed = true;
    clearTimeout(this.retry);
    await this.trimming;
  }

  private measure(): void {
    for (const namespace of this.used) {
      if (!namespace.dropped) this.measureOne(namespace);
    }
    this.used.clear();
    if (this.excess > 0) void this.trim();
  }

  private measureOne(namespace: MemoryUser): Size {
    const size = sizeOf(namespace);
    const before = this.sizes.get(namespace) ?? NO_SIZE;
    this.total += size.bytes - before.bytes;
    this.totalHeap += size.heapBytes - before.heapBytes;
    this.sizes.set(namespace, size);
    return size;
  }

  /** Bytes above the threshold for eviction; 0 or less if there are none. */
  private get excess(): number {
    const { maxBytes, maxHeapBytes } = this.options;
    const bytes = this.total + this.expected + this.reserved - maxBytes * USED_PART;
    return Math.max(bytes, this.totalHeap - maxHeapBytes * USED_PART);
  }

  /** Whether more than half of the limit is used, so that namespaces may be evicted soon. */
  get isTight(): boolean {
    const { maxBytes, maxHeapBytes } = this.options;
    return this.total + this.expected + this.reserved > maxBytes / 2 || this.totalHeap > maxHeapBytes / 2;
  }

  private async trim(): Promise<void> {
    const { eviction } = this.options;
    if (!eviction) return;
    // The running eviction may already have passed over namespaces that are idle now.
    while (this.trimming) await this.trimming;
    if (this.excess <= 0 || this.closed) return;
    this.trimming = this.trimOnce(eviction).finally(() => {
      this.trimming = undefined;
    });
    await this.trimming;
  }

  private async trimOnce({ finish, evict }: Eviction): Promise<void> {
    const seen = new Set<MemoryUser>();
    while (this.excess > 0 && !this.closed) {
      const oldest = this.oldest(seen);
      if (!oldest) {
        this.tryLater();
        return;
      }
      seen.add(oldest);
      const { lastNamed } = oldest;
      await finish(oldest);
      // One turn of the event loop lets a request that just named the namespace pin it.
      await new Promise<void>((resolve) => setImmediate(resolve));
      if (oldest.lastNamed === lastNamed && this.mayEvict(oldest)) await evict(oldest);
    }
  }

  /** Retries after a delay, because the end of background work does not trigger eviction. */
  private tryLater(): void {
    clearTimeout(this.retry);
    this.retry = setTimeout(() => void this.trim(), RETRY_MS);
    allowExit(this.retry);
  }

  /** The least recently named namespace that may be evicted. */
  private oldest(seen: ReadonlySet<MemoryUser>): MemoryUser | undefined {
    let oldest: MemoryUser | undefined;
    let newest: MemoryUser | undefined;
    for (const namespace of this.sizes.keys()) {
      if (!newest || namespace.lastNamed > newest.lastNamed) newest = namespace;
      if (oldest && namespace.lastNamed > oldest.lastNamed) continue;
      if (!seen.has(namespace) && this.mayEvict(namespace)) oldest = namespace;
    }
    // The most recently named namespace may exceed the threshold as long as the limit is kept.
    const { maxBytes, maxHeapBytes } = this.options;
    const fits = this.total + this.expected + this.reserved <= maxBytes && this.totalHeap <= maxHeapBytes;
    return oldest === newest && fits ? undefined : oldest;
  }

  private mayEvict(namespace: MemoryUser): boolean {
    return namespace.isIdle && !namespace.dropped && !this.awaited.has(namespace.name);
  }
}

function sizeOf({ byteLength: bytes, heapByteLength: heapBytes }: MemoryUser): Size {
  return { bytes, heapBytes };
}
