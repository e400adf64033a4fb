import { WorldsError } from '../model/worlds-error.ts';
import type { MemoryLimits } from './memory-default.ts';

/**
 * This part of the limit (1 of 4) is left for what cannot be counted: typed arrays that have left
 * and wait for the collector, and what the allocator keeps between those that are there. Measured:
 * docs/benchmarks.md.
 */
const USED_PART = 1 - 1 / 4;

/** So long after nobody could leave it is tried again. */
const RETRY_MS = 100;

/** A commit counts at least so much: its record, and what its columns take beside their rows. */
const COMMIT_BYTES = 1 << 10;

/** Commits may take this part of the room that is left (1 of 16) before it is measured again. */
const SLACK_PART = 16;

/** A namespace, as far as its memory goes. */
export interface MemoryUser {
  readonly name: string;
  /** Everything that it holds in memory, in bytes. */
  readonly byteLength: number;
  /** The part of it that is JavaScript objects. */
  readonly heapByteLength: number;
  /** Larger for those that were named later. */
  readonly lastNamed: number;
  /** Whether nobody needs it in memory. */
  readonly isIdle: boolean;
  /** Whether it has left memory. */
  readonly dropped: boolean;
}

/** How namespaces leave memory, where there is a storage to read them from again. */
export interface Eviction {
  /** Makes a namespace ready to leave memory. */
  readonly finish: (namespace: MemoryUser) => Promise<void>;
  readonly letGo: (namespace: MemoryUser) => Promise<void>;
}

export interface MemoryLimitOptions extends MemoryLimits {
  /** Without it nothing leaves, and the limit is for all namespaces together. */
  readonly eviction?: Eviction;
}

interface Size {
  readonly bytes: number;
  /** Of JavaScript objects, part of `bytes`. */
  readonly heapBytes: number;
}

const NO_SIZE: Size = { bytes: 0, heapBytes: 0 };

/** Memory that an import takes before it commits. */
export interface MemoryReservation {
  /** Sets its size. Throws LIMIT_EXCEEDED when there is no room for it. */
  resize(bytes: number): void;
  /** Ends it; a second call does nothing. */
  release(): void;
}

/**
 * Keeps the namespaces in memory below a size. With a storage those leave above it that were named
 * longest ago and that nobody uses, and one alone that would be larger is refused; it looks after
 * everything that may have made one grow - loading, a commit, a query, an index - and before one
 * comes. Without a storage nothing can leave, and what would make all of them together larger is
 * refused.
 */
export class MemoryLimit {
  private readonly options: MemoryLimitOptions;
  private readonly sizes = new Map<MemoryUser, Size>();
  /** Of `sizes`. */
  private total = 0;
  private totalHeap = 0;
  /** For imports that have not committed yet. */
  private reserved = 0;
  /** So much commits may still add before anything is measured. */
  private slack = 0;
  /** Committed to since they were measured last. */
  private readonly grown = new Set<MemoryUser>();
  /** For namespaces on their way into memory. */
  private expected = 0;
  /** Used since they were measured last. */
  private readonly used = new Set<MemoryUser>();
  /**
   * How many requests wait for namespaces of these names, which must not leave before they are
   * used.
   */
  private readonly awaited = new Map<string, number>();
  private trimming: Promise<void> | undefined;
  private retry: NodeJS.Timeout | undefined;
  private closed = false;

  constructor(options: MemoryLimitOptions) {
    this.options = options;
  }

  /** Told that a namespace is in memory now, or that somebody has used it. */
  touch(namespace: MemoryUser): void {
    // One that was dropped is still released by its last users.
    if (this.closed || namespace.dropped) return;
    if (!this.sizes.has(namespace)) this.measureOne(namespace);
    if (this.used.size === 0) setImmediate(() => this.measure());
    this.used.add(namespace);
  }

  /** Told that a namespace has left memory, or will when its readers are done. */
  remove(namespace: MemoryUser): void {
    this.used.delete(namespace);
    this.grown.delete(namespace);
    const { bytes, heapBytes } = this.sizes.get(namespace) ?? NO_SIZE;
    this.total -= bytes;
    this.totalHeap -= heapBytes;
    this.sizes.delete(namespace);
  }

  /**
   * Throws LIMIT_EXCEEDED when there is no room in a namespace for a commit of so many bytes. Most
   * calls measure nothing: short commits take from a part of the room that was found free before.
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

  /**
   * As {@link requireRoom}, by the present size of the namespace; gives the bytes that are left.
   */
  requireMeasuredRoom(namespace: MemoryUser, bytes = 0): number {
    const { maxBytes, maxHeapBytes, eviction } = this.options;
    for (const one of this.grown) this.measureOne(one);
    this.grown.clear();
    // One that is on its way into memory, or is read for a comparison, is not among those that are
    // there.
    const isKnown = this.sizes.has(namespace);
    const own = isKnown ? this.measureOne(namespace) : sizeOf(namespace);
    const others = eviction ? NO_SIZE : { bytes: this.total, heapBytes: this.totalHeap };
    const counted = isKnown && !eviction ? NO_SIZE : own;
    const taken = counted.bytes + others.bytes + this.reserved + bytes;
    const heapTaken = counted.heapBytes + others.heapBytes;
    const who = eviction ? `The namespace ${namespace.name}` : 'The engine';
    const remedy = eviction
      ? 'spread its worlds over several namespaces'
      : 'delete what is not needed, or open the engine with a storage, from which namespaces are read when they are named';
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
    // With eviction the other namespaces take room too, as long as they are there.
    return Math.min(maxBytes - Math.max(taken, this.total + this.reserved), maxHeapBytes - this.totalHeap);
  }

  /** Counts what an import into a namespace takes beside it. */
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
   * Makes room for a namespace of so many bytes; the function that it gives is to be called when
   * that is in memory, or is not coming.
   */
  async expect(bytes: number): Promise<() => void> {
    this.expected += bytes;
    await this.trim();
    return () => {
      this.expected -= bytes;
    };
  }

  /** Keeps namespaces that are there or on their way until the function is called that it gives. */
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

  /** Waits until as many have left as have to and can. */
  async settle(): Promise<void> {
    this.measure();
    if (this.excess <= 0) return;
    // Requests that got their namespaces in this turn are done with waiting for them in the next.
    await new Promise((resolve) => setImmediate(resolve));
    await this.trim();
  }

  /** Waits for what is leaving; from then on nothing leaves. */
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

  /** How far it is above the limit without the spare part, in bytes; 0 or less when it is not. */
  private get excess(): number {
    const { maxBytes, maxHeapBytes } = this.options;
    const bytes = this.total + this.expected + this.reserved - maxBytes * USED_PART;
    return Math.max(bytes, this.totalHeap - maxHeapBytes * USED_PART);
  }

  /** Whether so much of the limit is taken that namespaces may have to leave soon. */
  get isTight(): boolean {
    const { maxBytes, maxHeapBytes } = this.options;
    return this.total + this.expected + this.reserved > maxBytes / 2 || this.totalHeap > maxHeapBytes / 2;
  }

  private async trim(): Promise<void> {
    const { eviction } = this.options;
    if (!eviction) return;
    // Whoever trims already may be past those that could leave now.
    while (this.trimming) await this.trimming;
    if (this.excess <= 0 || this.closed) return;
    this.trimming = this.trimOnce(eviction).finally(() => {
      this.trimming = undefined;
    });
    await this.trimming;
  }

  private async trimOnce({ finish, letGo }: Eviction): Promise<void> {
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
      // Whoever has named it meanwhile has come as far as to use it after a turn of the event loop.
      await new Promise((resolve) => setImmediate(resolve));
      if (oldest.lastNamed === lastNamed && this.mayLeave(oldest)) await letGo(oldest);
    }
  }

  /** Whoever stops using a namespace tells; what works in its background does not. */
  private tryLater(): void {
    clearTimeout(this.retry);
    this.retry = setTimeout(() => void this.trim(), RETRY_MS);
    this.retry.unref();
  }

  /** The one that was named longest ago of those that nobody uses. */
  private oldest(seen: ReadonlySet<MemoryUser>): MemoryUser | undefined {
    let oldest: MemoryUser | undefined;
    let newest: MemoryUser | undefined;
    for (const namespace of this.sizes.keys()) {
      if (!newest || namespace.lastNamed > newest.lastNamed) newest = namespace;
      if (oldest && namespace.lastNamed > oldest.lastNamed) continue;
      if (!seen.has(namespace) && this.mayLeave(namespace)) oldest = namespace;
    }
    // One that is allowed to be there may take the spare part.
    const { maxBytes, maxHeapBytes } = this.options;
    const fits = this.total + this.expected + this.reserved <= maxBytes && this.totalHeap <= maxHeapBytes;
    return oldest === newest && fits ? undefined : oldest;
  }

  private mayLeave(namespace: MemoryUser): boolean {
    return namespace.isIdle && !namespace.dropped && !this.awaited.has(namespace.name);
  }
}

function sizeOf({ byteLength: bytes, heapByteLength: heapBytes }: MemoryUser): Size {
  return { bytes, heapBytes };
}
