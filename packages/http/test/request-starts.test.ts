import { describe, expect, it } from 'vitest';
import { RequestStarts, type Sender } from '../src/request-starts.ts';
import { EventLoop } from './event-loop.ts';

class Loop extends EventLoop {
  readonly starts = new RequestStarts(this.host);
}

const STRANGER: Sender = { credentials: '', caller: undefined };
const known = (caller: string): Sender => ({ credentials: `of ${caller}`, caller });

describe('RequestStarts', () => {
  const startAll = (loop: Loop, count: number, ms: number, started: string[] = [], name = 'r', sender = STRANGER) => {
    for (let i = 0; i < count; i++)
      loop.starts.start(sender, () => {
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

  it('starts a request of a sender of whom none waits before those that wait', () => {
    const loop = new Loop();
    const started = startAll(loop, 50, 3, [], 'many', known('many'));
    loop.endRound();
    startAll(loop, 1, 1, started, 'other', known('other'));
    startAll(loop, 1, 1, started, 'stranger');
    expect(started).toEqual(['many0', 'many1', 'other0', 'stranger0']);
  });

  it('starts the requests of a sender in their order, also those that arrive in later rounds', () => {
    for (const sender of [STRANGER, known('many')]) {
      const loop = new Loop();
      const started = startAll(loop, 20, 1, [], 'first', sender);
      loop.endRound();
      startAll(loop, 20, 1, started, 'later', sender);
      while (loop.pending > 0) loop.endRound();
      const names = (name: string) => Array.from({ length: 20 }, (_, i) => `${name}${i}`);
      expect(started).toEqual([...names('first'), ...names('later')]);
    }
  });

  it('starts several that wait in a round, and leaves time for those that arrive', () => {
    const loop = new Loop();
    const started = startAll(loop, 50, 0.5, [], 'many', known('many'));
    expect(started).toHaveLength(8);
    loop.endRound();
    startAll(loop, 20, 0.5, started, 'other', known('other'));
    expect(started).toHaveLength(8 + 4);
    loop.endRound();
    expect(started).toHaveLength(8 + 4 + 4);
  });

  it('starts the one waiting request of a caller in turn with the many of another', () => {
    const loop = new Loop();
    const started = startAll(loop, 50, 5, [], 'many', known('many'));
    startAll(loop, 2, 5, started, 'other', known('other'));
    for (let i = 0; i < 5; i++) loop.endRound();
    expect(started).toEqual(['many0', 'many1', 'other0', 'many2', 'other1']);
  });

  it('gives all senders that are not known one turn among them, by credentials', () => {
    const loop = new Loop();
    const started: string[] = [];
    for (let i = 0; i < 50; i++)
      startAll(loop, 2, 5, started, `guess ${i}-`, { credentials: `guess ${i}`, caller: undefined });
    startAll(loop, 3, 5, started, 'known', known('known'));
    for (let i = 0; i < 7; i++) loop.endRound();
    expect(started).toEqual(['guess 0-0', 'guess 0-1', 'known0', 'guess 1-0', 'known1', 'guess 2-0', 'known2']);
    while (loop.pending > 0) loop.endRound();
    expect(started).toHaveLength(103);
    expect(new Set(started).size).toBe(103);
  });
});
