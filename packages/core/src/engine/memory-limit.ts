import type { Namespace } from './namespace.ts';

/**
 * This part of the limit (1 of 4) is left for what cannot be counted: typed arrays that have left and wait for the collector, and what the allocator
 * keeps between those that are there. Measured: docs/benchmarks.md.
 */
const SPARE_PART = 4;

/** So long after nobody could leave it is tried again. */
const RETRY_MS = 100;

export interface MemoryLimitOptions {
  readonly maxBytes: number;
  /** Makes a namespace ready to be let go of. */
  readonly finish: (namespace: Namespace) => Promise<void>;
  readonly letGo: (namespace: Namespace) => Promise<void>;
}

/**
 * Keeps the namespaces in memory below a size: above it those leave that were named longest ago and that nobody uses. It looks after everything that may
 * have made one grow - loading, a commit, a query, an index - and before one comes.
 */
export class MemoryLimit {
  private readonly options: MemoryLimitOptions;
  private readonly sizes = new Map<Namespace, number>();
  /** Of `sizes`. */
  private total = 0;
  /** For namespaces on their way into memory. */
  private expected = 0;
  /** Used since they were measured last. */
  private readonly used = new Set<Namespace>();
  /** How many requests wait for namespaces of these names, which must not leave before they are used. */
  private readonly awaited = new Map<string, number>();
  private trimming: Promise<void> | undefined;
  private retry: NodeJS.Timeout | undefined;
  private closed = false;

  constructor(options: MemoryLimitOptions) {
    this.options = options;
  }

  /** Told that a namespace is in memory now, or that somebody has used it. */
  touch(namespace: Namespace): void {
    if (this.closed) return;
    if (!this.sizes.has(namespace)) this.measureOne(namespace);
    if (this.used.size === 0) setImmediate(() => this.measure());
    this.used.add(namespace);
  }

  /** Told that a namespace has left memory, or will when its readers are done. */
  remove(namespace: Namespace): void {
    this.used.delete(namespace);
    this.total -= this.sizes.get(namespace) ?? 0;
    this.sizes.delete(namespace);
  }

  /** Makes room for a namespace of so many bytes; the function that it gives is to be called when that is in memory, or is not coming. */
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

  private measureOne(namespace: Namespace): void {
    const bytes = namespace.byteLength;
    this.total += bytes - (this.sizes.get(namespace) ?? 0);
    this.sizes.set(namespace, bytes);
  }

  private get excess(): number {
    const { maxBytes } = this.options;
    return this.total + this.expected - (maxBytes - maxBytes / SPARE_PART);
  }

  private async trim(): Promise<void> {
    // Whoever trims already may be past those that could leave now.
    while (this.trimming) await this.trimming;
    if (this.excess <= 0 || this.closed) return;
    this.trimming = this.trimOnce().finally(() => {
      this.trimming = undefined;
    });
    await this.trimming;
  }

  private async trimOnce(): Promise<void> {
    const seen = new Set<Namespace>();
    while (this.excess > 0 && !this.closed) {
      const oldest = this.oldest(seen);
      if (!oldest) {
        this.tryLater();
        return;
      }
      seen.add(oldest);
      const { lastNamed } = oldest;
      await this.options.finish(oldest);
      // Whoever has named it meanwhile has come as far as to use it after a turn of the event loop.
      await new Promise((resolve) => setImmediate(resolve));
      if (oldest.lastNamed === lastNamed && this.mayLeave(oldest)) await this.options.letGo(oldest);
    }
  }

  /** Whoever stops using a namespace tells; what works in its background does not. */
  private tryLater(): void {
    clearTimeout(this.retry);
    this.retry = setTimeout(() => void this.trim(), RETRY_MS);
    this.retry.unref();
  }

  /** The one that was named longest ago of those that nobody uses. */
  private oldest(seen: ReadonlySet<Namespace>): Namespace | undefined {
    let oldest: Namespace | undefined;
    let newest: Namespace | undefined;
    for (const namespace of this.sizes.keys()) {
      if (!newest || namespace.lastNamed > newest.lastNamed) newest = namespace;
      if (oldest && namespace.lastNamed > oldest.lastNamed) continue;
      if (!seen.has(namespace) && this.mayLeave(namespace)) oldest = namespace;
    }
    // One that is allowed to be there may take the spare part.
    const fits = this.total + this.expected <= this.options.maxBytes;
    return oldest === newest && fits ? undefined : oldest;
  }

  private mayLeave(namespace: Namespace): boolean {
    return namespace.isIdle && !namespace.dropped && !this.awaited.has(namespace.name);
  }
}
