/** What a scope must be to run an event: alive and awake. */
interface Deferrable {
  readonly atMs: number;
}

/**
 * The life of one simulated process, from its start to its crash. Events of a paused process wait
 * until it wakes; those of a dead one never happen.
 */
export class ProcessScope<Event extends Deferrable = Deferrable> {
  /** The process, and how often it was started. */
  readonly name: string;
  readonly process: number;
  /** Resolves when the process has crashed. */
  readonly died: Promise<void>;
  isDead = false;
  isPaused = false;
  /** Time until which the process cannot reach the storage. */
  partitionedUntilMs = 0;
  private readonly onDeath: () => void;
  private deferred: Event[] = [];

  constructor(process: number, starts: number) {
    this.process = process;
    this.name = `p${process}.${starts}`;
    let onDeath!: () => void;
    this.died = new Promise((resolve) => {
      onDeath = resolve;
    });
    this.onDeath = onDeath;
  }

  /** Keeps an event until the process wakes. */
  defer(event: Event): void {
    this.deferred.push(event);
  }

  /** Wakes the process and returns the events that have waited, in their order. */
  wake(): readonly Event[] {
    this.isPaused = false;
    const { deferred } = this;
    this.deferred = [];
    return deferred;
  }

  kill(): void {
    this.isDead = true;
    this.deferred = [];
    this.onDeath();
  }
}
