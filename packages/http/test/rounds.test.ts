import { describe, expect, it } from 'vitest';
import { Rounds } from '../src/rounds.ts';
import { EventLoop } from './event-loop.ts';

function started(count: number, ms: number): { readonly loop: EventLoop; readonly done: number[] } {
  const loop = new EventLoop();
  const rounds = new Rounds(loop.host);
  const done: number[] = [];
  for (let i = 0; i < count; i++)
    rounds.add(() => {
      done.push(i);
      loop.nowMs += ms;
    });
  return { loop, done };
}

describe('Rounds', () => {
  it('runs nothing in the round in which it is added', () => {
    const { loop, done } = started(3, 0);
    expect(done).toEqual([]);
    loop.endRound();
    expect(done).toEqual([0, 1, 2]);
  });

  it('runs tasks in order, for a few milliseconds in each round', () => {
    const { loop, done } = started(10, 1);
    const counts: number[] = [];
    while (loop.pending > 0) {
      const before = done.length;
      loop.endRound();
      counts.push(done.length - before);
    }
    expect(done).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    expect(counts.filter((count) => count > 0)).toEqual([4, 4, 2]);
  });

  it('runs at least one task in each round, and at most 32', () => {
    const slow = started(2, 100);
    slow.loop.endRound();
    expect(slow.done).toEqual([0]);
    const fast = started(100, 0);
    fast.loop.endRound();
    expect(fast.done).toHaveLength(32);
  });

  it('runs what is added later, also by a task', () => {
    const loop = new EventLoop();
    const rounds = new Rounds(loop.host);
    const done: string[] = [];
    rounds.add(() => rounds.add(() => done.push('inner')));
    while (loop.pending > 0) loop.endRound();
    rounds.add(() => done.push('later'));
    while (loop.pending > 0) loop.endRound();
    expect(done).toEqual(['inner', 'later']);
  });

  it('gives each that pauses its turn', async () => {
    const rounds = new Rounds();
    const order: string[] = [];
    await Promise.all(
      ['a', 'b'].map(async (name) => {
        for (let i = 0; i < 2; i++) {
          order.push(name);
          await rounds.pause();
        }
      }),
    );
    expect(order).toEqual(['a', 'b', 'a', 'b']);
  });
});
