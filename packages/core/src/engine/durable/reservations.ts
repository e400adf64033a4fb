import { setImmediate } from '#platform';
import { raceAbort } from '../../contracts/abort-race.ts';
import type { NamespaceStorage } from '../../contracts/storage.ts';

/**
 * A write reserves its next attempt after it was overtaken so often, or after the engine was: calls
 * that give up before that are followed by others.
 */
const PATIENCE = 4;
/**
 * Number of turns without a commit of others after which writes are attempted without a reservation
 * again.
 */
const EAGER_TURNS = 16;
/** How long writes that arrive during a turn share it, in milliseconds. */
const SHARED_MS = 50;
const FIRST_TURN_MS = 2000;
const LONGEST_TURN_MS = 30_000;

/** What reservations need of the log. */
export interface ReservedLog {
  /** Number of times that commits of others were found in the log. */
  readonly follows: number;
  /** Number of appends that others have overtaken since one was accepted. */
  readonly losses: number;
  /** Makes the next write read the head of the log before it is attempted. */
  lookBeforeWriting(): void;
}

/** A reservation of the log, shared by writes of one engine. */
class Turn {
  users = 0;
  isEnded = false;
  /** Resolves when the turn has come, to a function that ends it. */
  readonly begun: Promise<() => Promise<void>>;
  private sharedUntilMs = Number.POSITIVE_INFINITY;

  constructor(reserved: Promise<() => Promise<void>>, log: ReservedLog) {
    this.begun = reserved.then((end) => {
      this.sharedUntilMs = performance.now() + SHARED_MS;
      // Others may have written while this engine waited.
      log.lookBeforeWriting();
      return end;
    });
  }

  get isShared(): boolean {
    return performance.now() < this.sharedUntilMs;
  }
}

/**
 * Reservations of the log of one namespace, for writes that other processes have overtaken (see
 * `NamespaceStorage.reserve`). While others write too, all writes reserve before their first
 * attempt, and those of one engine share a turn: an attempt that is overtaken costs as much as one
 * that succeeds, and passing the turn costs several round trips.
 */
export class Reservations {
  private readonly storage: NamespaceStorage;
  private readonly log: ReservedLog;
  private readonly onFailure: (cause: unknown) => void;
  /** The turn that new writes share. */
  private current: Turn | undefined;
  private readonly ending = new Set<Promise<void>>();
  /** Turns for which writes still reserve before they are overtaken. */
  private eagerTurns = 0;
  /** {@link ReservedLog.follows} at the end of the last turn. */
  private follows = 0;

  constructor(storage: NamespaceStorage, log: ReservedLog, onFailure: (cause: unknown) => void) {
    this.storage = storage;
    this.log = log;
    this.onFailure = onFailure;
  }

  /** Whether writes reserve before they are overtaken. */
  get isContended(): boolean {
    return this.eagerTurns > 0 || this.isLosing || this.current?.isShared === true;
  }

  private get isLosing(): boolean {
    return this.log.losses >= PATIENCE;
  }

  /**
   * Reserves the log for the next attempt of a write. Returns a function that ends that; undefined
   * if too few attempts were overtaken and there is no turn to share, or the storage has no
   * reservations. Throws ABORTED if the signal fires first.
   *
   * @param count how often the write was overtaken
   */
  async take(count: number, signal: AbortSignal | undefined): Promise<(() => void) | undefined> {
    const { storage } = this;
    if (!storage.reserve || (count < PATIENCE && !this.isContended)) return undefined;
    const isLosing = count >= PATIENCE || this.isLosing;
    if (!this.current?.isShared) {
      // What was reserved for too short a time is reserved for longer.
      const forMs = Math.min(LONGEST_TURN_MS, FIRST_TURN_MS * 2 ** Math.max(0, count - PATIENCE));
      this.current = new Turn(storage.reserve(forMs), this.log);
    }
    const turn = this.current;
    turn.users++;
    const release = (): void => {
      if (isLosing) this.eagerTurns = EAGER_TURNS;
      if (--turn.users > 0) return;
      // Whose writes were acknowledged together may write again.
      if (turn === this.current && turn.isShared) setImmediate(() => this.end(turn));
      else this.end(turn);
    };
    // The next write reserves again.
    turn.begun.catch(() => {
      if (turn === this.current) this.current = undefined;
    });
    try {
      await raceAbort(turn.begun, signal);
      return release;
    } catch (cause) {
      release();
      if (signal?.aborted) throw cause;
      // The write is attempted without.
      return undefined;
    }
  }

  /** Ends a turn that no write uses, and waits for those that are ending. */
  async settle(): Promise<void> {
    if (this.current) this.end(this.current);
    await Promise.all(this.ending);
  }

  /** Ends a turn, unless it is used again. */
  private end(turn: Turn): void {
    if (turn.users > 0 || turn.isEnded) return;
    turn.isEnded = true;
    if (turn === this.current) this.current = undefined;
    if (this.log.follows !== this.follows && this.eagerTurns > 0) this.eagerTurns = EAGER_TURNS;
    else if (this.eagerTurns > 0) this.eagerTurns--;
    this.follows = this.log.follows;
    const ending = turn.begun
      .then((end) => end())
      .catch(this.onFailure)
      .finally(() => this.ending.delete(ending));
    this.ending.add(ending);
  }
}
