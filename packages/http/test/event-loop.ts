/** Rounds of an event loop whose clock stands still but for what its tasks take. */
export class EventLoop {
  nowMs = 0;
  private tasks: (() => void)[] = [];
  /** What the code under test sees of it. */
  readonly host = {
    now: () => this.nowMs,
    setImmediate: (task: () => void) => void this.tasks.push(task),
  };

  /** Tasks that wait for the end of the round. */
  get pending(): number {
    return this.tasks.length;
  }

  endRound(): void {
    const { tasks } = this;
    this.tasks = [];
    for (const task of tasks) task();
  }
}
