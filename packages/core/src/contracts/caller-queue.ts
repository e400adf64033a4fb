/**
 * Every n-th turn of a caller goes to its oldest work, regardless of the turns that work has had.
 */
const OLDEST_EVERY = 2;
const MAX_LEVEL = 15;

/** A piece of work waiting for its turn. */
export interface WaitingWork {
  readonly resume: () => void;
  /** Ascending in order of arrival. */
  readonly number: number;
  /** The work waiting under the same signal; undefined for work that cannot be aborted. */
  readonly ofSignal: SignalWork | undefined;
}

/**
 * Work waiting under one signal. Requests may share a signal, and each may wait for several things.
 */
export class SignalWork {
  readonly queue: CallerQueue;
  readonly waiting = new Set<WaitingWork>();
  isListening = false;

  constructor(queue: CallerQueue) {
    this.queue = queue;
  }
}

/** Waiting work and used time of one caller. */
export class CallerQueue {
  readonly name: string;
  /** A caller of weight 2 gets twice the time of one of weight 1 while both have work. */
  weight = 1;
  /** Milliseconds used, divided by the weight. */
  usedMs = 0;
  /** Number of waiting pieces of work. */
  size = 0;
  private takes = 0;
  /** Queues by the logarithm of the turns that the work has had; lower levels go first. */
  private readonly levels: WaitingWork[][] = [];

  constructor(name: string) {
    this.name = name;
  }

  /** @param turns number of turns that the work has had */
  add(work: WaitingWork, turns: number): void {
    const level = Math.min(MAX_LEVEL, 32 - Math.clz32(turns));
    while (this.levels.length <= level) this.levels.push([]);
    this.levels[level].push(work);
    this.size++;
  }

  /**
   * Removes and returns the next work to resume: usually the one with the fewest turns, at
   * intervals the oldest, to prevent starvation.
   */
  take(): WaitingWork | undefined {
    const filled = this.levels.filter((level) => level.length > 0);
    if (filled.length === 0) return undefined;
    this.size--;
    const isOldest = ++this.takes % OLDEST_EVERY === 0;
    const level = isOldest ? filled.reduce((best, each) => (each[0].number < best[0].number ? each : best)) : filled[0];
    return level.shift();
  }

  /** Removes work before its turn. */
  remove(work: WaitingWork): void {
    for (const level of this.levels) {
      const index = level.indexOf(work);
      if (index < 0) continue;
      level.splice(index, 1);
      this.size--;
      return;
    }
  }
}
