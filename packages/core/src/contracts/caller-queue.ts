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
  private readonly levels: Set<WaitingWork>[] = [];
  /** Waiting work whose signal has fired. It goes first: it only has to end. */
  private readonly aborted = new Set<WaitingWork>();

  constructor(name: string) {
    this.name = name;
  }

  /** @param turns number of turns that the work has had */
  add(work: WaitingWork, turns: number): void {
    const level = Math.min(MAX_LEVEL, 32 - Math.clz32(turns));
    while (this.levels.length <= level) this.levels.push(new Set());
    this.levels[level].add(work);
    this.size++;
  }

  /**
   * Removes and returns the next work to resume: usually the one with the fewest turns, at
   * intervals the oldest, to prevent starvation. Aborted work goes before all other.
   */
  take(): WaitingWork | undefined {
    const work = this.next();
    if (!work) return undefined;
    this.size--;
    if (!this.aborted.delete(work)) for (const level of this.levels) if (level.delete(work)) break;
    return work;
  }

  private next(): WaitingWork | undefined {
    for (const work of this.aborted) return work;
    const isOldest = ++this.takes % OLDEST_EVERY === 0;
    let best: WaitingWork | undefined;
    for (const level of this.levels) {
      const [first] = level;
      if (first && (!best || (isOldest && first.number < best.number))) best = first;
    }
    return best;
  }

  /** Moves waiting work to the front. */
  abort(work: WaitingWork): void {
    for (const level of this.levels) if (level.delete(work)) this.aborted.add(work);
  }
}
