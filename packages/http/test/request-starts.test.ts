import { describe, expect, it } from 'vitest';
import { RequestStarts } from '../src/request-starts.ts';

/** Rounds of an event loop whose clock stands still but for what requests take. */
class Loop {
  nowMs = 0;
  private tasks: (() => void)[] = [];
  readonly starts = new RequestStarts({
    now: () => this.nowMs,
    setImmediate: (task) => void this.tasks.push(task),
  });

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

describe('RequestStarts', () => {
  const startAll = (loop: Loop, count: number, ms: number, started: string[] = [], name = 'r') => {
    for (let i = 0; i < count; i++)
      loop.starts.start(() => {
        started.push(`${name}${i}`);
        loop.nowMs += ms;
      });
    return started;
  };

  it('starts short requests of a round together', () => {
    const loop = new Loop();
    expect(startAll(loop, 30, 0.1)).toHaveLength(30);
    loop.endRound();
    expect(loop.pending).toBe(0);
  });

  it('bounds the work of a round, and starts all requests in their order', () => {
    const loop = new Loop();
    const started = startAll(loop, 50, 3);
    const perRound = [started.length];
    for (let before = 0; loop.pending > 0; ) {
      before = started.length;
      loop.endRound();
      perRound.push(started.length - before);
    }
    expect(Math.max(...perRound)).toBe(2);
    expect(started).toEqual(Array.from({ length: 50 }, (_, i) => `r${i}`));
  });

  it('starts a request that arrives in a later round before those that wait', () => {
    const loop = new Loop();
    const started = startAll(loop, 50, 3);
    loop.endRound();
    startAll(loop, 1, 1, started, 'other');
    expect(started.at(-1)).toBe('other0');
    expect(started).toHaveLength(4);
  });
});
