import { MemoryStorage } from '../../../src/index.ts';
import type { Head, NamespaceStorage, StorageCapabilities } from '../../../src/plugin.ts';

/**
 * A storage in memory that several engines share as processes would: each over an instance of its
 * own, without a place, and with a delay before each call.
 */
export class SharedMemoryStorage extends MemoryStorage {
  override readonly capabilities: StorageCapabilities = { durable: false, shared: true };
  /** Waited for before and after each call. */
  delay: () => Promise<void> | undefined = () => undefined;
  /** Number of times that the head was read. */
  heads = 0;
  /** Whether the storage tells of the commits of others. */
  watches = false;
  private readonly watchers = new Set<() => void>();

  /** Tells all watchers to look. */
  notify(): void {
    for (const wake of this.watchers) wake();
  }

  override namespace(name: string): NamespaceStorage {
    const real = super.namespace(name);
    const late = async <Result>(call: () => Promise<Result>): Promise<Result> => {
      await this.delay();
      const result = await call();
      await this.delay();
      return result;
    };
    const delayed: NamespaceStorage = Object.create(real);
    delayed.head = () => {
      this.heads++;
      return late(() => real.head());
    };
    delayed.append = (expected, records) => late(() => real.append(expected, records));
    const { delay } = this;
    delayed.read = async function* (after, signal) {
      await delay();
      for await (const record of real.read(after, signal)) {
        yield record;
        await delay();
      }
    };
    delayed.checkpoint = () => late(() => real.checkpoint());
    delayed.writeCheckpoint = (at, segments, confirm) => late(() => real.writeCheckpoint(at, segments, confirm));
    delayed.truncate = (upTo) => late(() => real.truncate(upTo));
    delayed.stats = () => real.stats();
    delayed.drop = (expected) => late(() => real.drop(expected));
    if (this.watches) delayed.watch = (signal) => this.watch(real, signal);
    delayed.remains = () => real.remains!();
    delayed.rebuild = (at, segments) => real.rebuild!(at, segments);
    return delayed;
  }

  private async *watch(real: NamespaceStorage, signal: AbortSignal): AsyncGenerator<Head> {
    let wake = (): void => undefined;
    const awake = () => wake();
    this.watchers.add(awake);
    signal.addEventListener('abort', awake);
    try {
      while (!signal.aborted) {
        const woken = new Promise<void>((resolve) => {
          wake = resolve;
        });
        yield await real.head();
        await woken;
      }
    } finally {
      this.watchers.delete(awake);
    }
  }
}
