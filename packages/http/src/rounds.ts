import { type EventLoopHost, PROCESS } from './event-loop-host.ts';

/** How long tasks run in one round of the event loop before the others wait, in milliseconds. */
const ROUND_MS = 4;
/** Tasks started in a round, as long as there is time. */
const MAX_TASKS_A_ROUND = 32;

/**
 * Runs tasks of a millisecond or less in order of arrival, for {@link ROUND_MS} in each round of
 * the event loop. Node runs everything that was queued by `setImmediate` in one round: a hundred
 * bodies that are parsed in slices would hold it for a hundred slices, and a thousand connections
 * that close together for as long as a thousand requests take to end.
 */
export class Rounds {
  private readonly host: EventLoopHost;
  private readonly waiting: (() => void)[] = [];
  private isRunning = false;
  /** Immediates that have been asked for, each to run one task. */
  private starts = 0;
  private roundEnd = 0;

  constructor(host: EventLoopHost = PROCESS) {
    this.host = host;
  }

  /** Runs a task in the next round that has time for it. */
  add(task: () => void): void {
    this.waiting.push(task);
    if (!this.isRunning) {
      this.isRunning = true;
      this.host.setImmediate(this.startRound);
    }
    this.askForStart();
  }

  /** Resolves in the next round that has time for what follows. */
  pause(): Promise<void> {
    return new Promise((resolve) => this.add(resolve));
  }

  /** One immediate a task, because promise jobs run behind it and are part of the task. */
  private askForStart(): void {
    if (this.starts === MAX_TASKS_A_ROUND) return;
    this.starts++;
    this.host.setImmediate(this.startTask);
  }

  /**
   * Runs before the tasks of its round, and asks for the next round, in case they take too long.
   */
  private readonly startRound = (): void => {
    this.roundEnd = this.host.now() + ROUND_MS;
    this.starts = 0;
    this.isRunning = this.waiting.length > 0;
    if (!this.isRunning) return;
    this.host.setImmediate(this.startRound);
    for (let i = 0; i < this.waiting.length && i < MAX_TASKS_A_ROUND; i++) this.askForStart();
  };

  private readonly startTask = (): void => {
    if (this.host.now() < this.roundEnd) this.waiting.shift()?.();
  };
}

/** One per process, because all servers share its event loop. */
export const ROUNDS = new Rounds();
