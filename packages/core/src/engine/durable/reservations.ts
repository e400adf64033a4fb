import { raceAbort } from '../../contracts/abort-race.ts';
import type { NamespaceStorage } from '../../contracts/storage.ts';

/** A write reserves its next attempt after it was overtaken so often. */
const PATIENCE = 4;
/**
 * Number of writes after a reservation that reserve when they were first overtaken, because others
 * write a lot.
 */
const EAGER_WRITES = 16;
const FIRST_TURN_MS = 2000;
const LONGEST_TURN_MS = 30_000;

/**
 * Reservations of the log of one namespace, for writes that other processes have overtaken (see
 * `NamespaceStorage.reserve`). The writes of this engine share one.
 */
export class Reservations {
  private readonly storage: NamespaceStorage;
  private readonly onFailure: (cause: unknown) => void;
  private held: Promise<() => Promise<void>> | undefined;
  private users = 0;
  private eagerWrites = 0;

  constructor(storage: NamespaceStorage, onFailure: (cause: unknown) => void) {
    this.storage = storage;
    this.onFailure = onFailure;
  }

  /**
   * Reserves the log for the next attempt of a write. Returns a function that ends that; undefined
   * if the write was overtaken too few times, or the storage has no reservations. Throws ABORTED if
   * the signal fires first.
   *
   * @param count how often the write was overtaken
   */
  async take(count: number, signal: AbortSignal | undefined): Promise<(() => void) | undefined> {
    const { storage } = this;
    if (!storage.reserve || (count < PATIENCE && this.eagerWrites === 0)) return undefined;
    if (count < PATIENCE) this.eagerWrites--;
    this.users++;
    // What was reserved for too short a time is reserved for longer.
    const forMs = Math.min(LONGEST_TURN_MS, FIRST_TURN_MS * 2 ** Math.max(0, count - PATIENCE));
    this.held ??= storage.reserve(forMs);
    const { held } = this;
    const release = (): void => {
      if (count >= PATIENCE) this.eagerWrites = EAGER_WRITES;
      if (--this.users > 0) return;
      this.held = undefined;
      held.then((end) => end()).catch(this.onFailure);
    };
    try {
      await raceAbort(held, signal);
      return release;
    } catch (cause) {
      release();
      if (signal?.aborted) throw cause;
      // The write is attempted without.
      return undefined;
    }
  }
}
