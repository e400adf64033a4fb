/**
 * Of so many turns of a caller one goes to what has waited longest, however many turns it has had.
 */
const OLDEST_EVERY = 2;
const MAX_LEVEL = 15;

/** One piece of work that waits for its turn. */
export interface WaitingWork {
  readonly resume: () => void;
  /** Ascends in the order of coming. */
  readonly number: number;
  /** What waits under the same signal; undefined for work that nobody can abort. */
  readonly ofSignal: SignalWork | undefined;
}

/**
 * What waits under one signal: requests may share theirs, and each of them may wait for several
 * things.
 */
export class SignalWork {
  readonly queue: CallerQueue;
  readonly waiting = new Set<WaitingWork>();
  isListening = false;

  constructor(queue: CallerQueue) {
    this.queue = queue;
  }
}

/** What one caller has waiting, and what it has used. */
export class CallerQueue {
  readonly name: string;
  /** A caller of weight 2 gets twice the time of one of weight 1 while both have work. */
  weight = 1;
  /** Milliseconds used, divided by the weight. */
  usedMs = 0;
  /** Pieces of work that wait. */
  size = 0;
  private takes = 0;
  /** By the logarithm of the turns that work has had: what has had few goes first. */
  private readonly levels: WaitingWork[][] = [];

  constructor(name: string) {
    this.name = name;
  }

  /** @param turns how many turns the work has had */
  add(work: WaitingWork, turns: number): void {
    const level = Math.min(MAX_LEVEL, 32 - Math.clz32(turns));
    while (this.levels.length <= level) this.levels.push([]);
    this.levels[level].push(work);
    this.size++;
  }

  /**
   * Takes out the work that goes on next: mostly what has had the fewest turns, now and then the
   * oldest, so that nothing starves.
   */
  take(): WaitingWork | undefined {
    const filled = this.levels.filter((level) => level.length > 0);
    if (filled.length === 0) return undefined;
    this.size--;
    const isOldest = ++this.takes % OLDEST_EVERY === 0;
    const level = isOldest ? filled.reduce((best, each) => (each[0].number < best[0].number ? each : best)) : filled[0];
    return level.shift();
  }

  /** Takes work out before its turn. */
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
