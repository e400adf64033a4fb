import { describe, expect, it } from 'vitest';
import { Turns } from '../../src/contracts/turns.ts';

/** A process with a manual event loop, and a clock that advances only when work advances it. */
class Rounds {
  clock = 0;
  tasks: (() => void)[] = [];
  readonly turns = new Turns({ now: () => this.clock, setImmediate: (task) => void this.tasks.push(task) });

  get isIdle(): boolean {
    return this.tasks.length === 0;
  }

  /** The tasks that were there when the round began, each with the promise jobs that it leaves. */
  async round(): Promise<void> {
    const { tasks } = this;
    this.tasks = [];
    for (const task of tasks) {
      task();
      for (let i = 0; i < 10; i++) await undefined;
    }
  }

  async rounds(count: number): Promise<void> {
    for (let i = 0; i < count; i++) await this.round();
  }

  signalOf(name: string, weight?: number): AbortSignal {
    const { signal } = new AbortController();
    this.turns.assign(signal, { name, weight });
    return signal;
  }

  /** Runs work of `turns` turns, which logs its name at each. */
  async work(name: string, signal: AbortSignal | undefined, turns: number, log: string[], sliceMs = 4): Promise<void> {
    for (let had = 1; had <= turns; had++) {
      await this.turns.wait(signal, had);
      log.push(name);
      this.clock += sliceMs;
    }
  }
}

const share = (log: readonly string[], name: string): number => log.filter((each) => each.startsWith(name)).length;

describe('turns', () => {
  it('lets the event loop turn among short calls that follow one another as promise jobs', async () => {
    const rounds = new Rounds();
    const signal = rounds.signalOf('chain');
    let calls = 0;
    const chain = async () => {
      for (; calls < 100; calls++) {
        await rounds.turns.begin(signal);
        rounds.clock += 1;
      }
    };
    const done = chain();
    const counts: number[] = [];
    while (calls < 100) {
      const before = calls;
      await rounds.round();
      counts.push(calls - before);
    }
    await done;
    // 8 ms is a slice while nothing else waits.
    expect(Math.max(...counts)).toBeLessThanOrEqual(9);
  });

  it('lets the event loop turn among writers that pass a lock on as promise jobs', async () => {
    const rounds = new Rounds();
    const ended: number[] = [];
    let turn = 0;
    let lock = Promise.resolve();
    for (let i = 0; i < 50; i++) {
      const signal = rounds.signalOf('writers');
      lock = lock.then(async () => {
        await rounds.turns.goOn(signal);
        rounds.turns.beginSlice();
        rounds.clock += 6;
        ended.push(turn);
      });
    }
    while (ended.length < 50) {
      await rounds.round();
      turn++;
    }
    for (let i = 0; i <= turn; i++) expect(ended.filter((each) => each === i).length).toBeLessThanOrEqual(3);
  });

  it('lets the event loop turn between calls that are longer than a slice', async () => {
    const rounds = new Rounds();
    let calls = 0;
    // As when a commit wakes many feeds: one promise job after the other.
    const done = Promise.all(
      Array.from({ length: 20 }, async (_, i) => {
        await undefined;
        const turn = rounds.turns.begin(rounds.signalOf(`caller ${i % 3}`));
        if (turn) await turn;
        calls++;
        rounds.clock += 30;
      }),
    );
    for (let i = 0; i < 5; i++) await undefined;
    const counts = [calls];
    while (calls < 20) {
      const before = calls;
      await rounds.round();
      counts.push(calls - before);
    }
    await done;
    expect(Math.max(...counts)).toBeLessThanOrEqual(2);
  });

  it('gives one in a round of the event loop, whatever waits', async () => {
    const rounds = new Rounds();
    const log: string[] = [];
    for (let i = 0; i < 50; i++) void rounds.work('a', rounds.signalOf('a'), 3, log);
    for (let i = 1; i <= 20; i++) {
      await rounds.round();
      expect(log).toHaveLength(i);
    }
  });

  it('gives each caller as much, however many requests it has', async () => {
    const rounds = new Rounds();
    const log: string[] = [];
    for (let i = 0; i < 200; i++) void rounds.work('many', rounds.signalOf('many'), 100, log);
    void rounds.work('one', rounds.signalOf('one'), 100, log);
    await rounds.rounds(100);
    expect(share(log, 'one')).toBe(50);
  });

  it('counts time, not turns', async () => {
    const rounds = new Rounds();
    const log: string[] = [];
    void rounds.work('long', rounds.signalOf('long'), 1_000, log, 40);
    void rounds.work('short', rounds.signalOf('short'), 1_000, log, 4);
    await rounds.rounds(110);
    expect(share(log, 'long')).toBeGreaterThanOrEqual(9);
    expect(share(log, 'long')).toBeLessThanOrEqual(11);
  });

  it('counts by weight', async () => {
    const rounds = new Rounds();
    const log: string[] = [];
    void rounds.work('heavy', rounds.signalOf('heavy', 3), 1_000, log);
    void rounds.work('light', rounds.signalOf('light'), 1_000, log);
    await rounds.rounds(80);
    expect(share(log, 'heavy')).toBeGreaterThanOrEqual(58);
    expect(share(log, 'heavy')).toBeLessThanOrEqual(62);
  });

  it('gives a caller that rested no credit for it', async () => {
    const rounds = new Rounds();
    const log: string[] = [];
    void rounds.work('busy', rounds.signalOf('busy'), 1_000, log);
    await rounds.rounds(100);
    void rounds.work('rested', rounds.signalOf('rested'), 1_000, log);
    log.length = 0;
    await rounds.rounds(20);
    expect(share(log, 'busy')).toBeGreaterThanOrEqual(9);
  });

  it('gives light work of one caller the first turns, and lets heavy work go on', async () => {
    const rounds = new Rounds();
    const log: string[] = [];
    const signal = rounds.signalOf('a');
    for (let i = 0; i < 20; i++) void rounds.work('heavy', signal, 1_000, log);
    await rounds.rounds(200);
    void rounds.work('light', signal, 1, log);
    log.length = 0;
    await rounds.rounds(2);
    expect(log).toContain('light');
    // Light work that never ends gets most turns, not all.
    const stream = async () => {
      for (;;) await rounds.work('light', signal, 1, log);
    };
    void stream();
    log.length = 0;
    await rounds.rounds(80);
    expect(share(log, 'heavy')).toBeGreaterThanOrEqual(10);
  });

  it('starts new work immediately unless its caller has work waiting', async () => {
    const rounds = new Rounds();
    const log: string[] = [];
    const many = rounds.signalOf('many');
    expect(rounds.turns.begin(many)).toBeUndefined();
    void rounds.work('many', many, 100, log);
    expect(rounds.turns.begin(rounds.signalOf('other'))).toBeUndefined();
    expect(rounds.turns.begin(undefined)).toBeUndefined();
    const turn = rounds.turns.begin(rounds.signalOf('many'));
    expect(turn).toBeInstanceOf(Promise);
    await rounds.round();
    await turn;
  });

  it('gives work that is aborted the next turn of its caller', async () => {
    const rounds = new Rounds();
    const log: string[] = [];
    for (let i = 0; i < 10; i++) void rounds.work('a', rounds.signalOf('a'), 100, log);
    const controller = new AbortController();
    rounds.turns.assign(controller.signal, { name: 'a' });
    const ended = rounds.work('aborted', controller.signal, 2, log);
    expect(rounds.turns.depth).toBe(11);
    await rounds.round();
    controller.abort();
    log.length = 0;
    await rounds.rounds(2);
    // The second time, it waits under a signal that has already fired.
    expect(log.slice(0, 2)).toEqual(['aborted', 'aborted']);
    await ended;
    expect(rounds.turns.depth).toBe(10);
  });

  it('lets the event loop turn while much work ends that is aborted together', async () => {
    const rounds = new Rounds();
    const log: string[] = [];
    const controller = new AbortController();
    rounds.turns.assign(controller.signal, { name: 'a' });
    for (let i = 0; i < 500; i++) void rounds.work('aborted', controller.signal, 1, log, 1);
    void rounds.work('other', rounds.signalOf('b'), 100, log);
    controller.abort();
    const most: number[] = [];
    while (share(log, 'aborted') < 500) {
      const before = rounds.clock;
      await rounds.round();
      most.push(rounds.clock - before);
    }
    // A slice, and the last turn that began within it.
    expect(Math.max(...most)).toBeLessThanOrEqual(8 + 4);
    expect(share(log, 'other')).toBe(100);
  });

  it('passes the caller of a signal to signals derived from it', async () => {
    const rounds = new Rounds();
    const first = rounds.signalOf('a');
    const { signal } = new AbortController();
    rounds.turns.inherit(signal, first);
    void rounds.turns.wait(first, 1);
    expect(rounds.turns.begin(signal)).toBeInstanceOf(Promise);
  });

  it('rests when nothing waits', async () => {
    const rounds = new Rounds();
    const log: string[] = [];
    void rounds.work('a', undefined, 3, log);
    await rounds.rounds(4);
    expect(log).toHaveLength(3);
    await rounds.rounds(2);
    expect(rounds.isIdle).toBe(true);
    expect(rounds.turns.sliceMs).toBe(8);
  });

  it('forgets callers that have nothing to do', async () => {
    const rounds = new Rounds();
    for (let i = 0; i < 20_000; i++) rounds.signalOf(`caller ${i}`);
    expect(rounds.turns.remembered).toBeLessThanOrEqual(1_024);
  });
});

describe('a slice', () => {
  it('is shared by all work that begins before the event loop turns', async () => {
    const rounds = new Rounds();
    const ends: number[] = [];
    for (let i = 0; i < 100; i++) {
      ends.push(rounds.turns.beginSlice());
      rounds.clock += 1;
    }
    expect(new Set(ends)).toEqual(new Set([8]));
    await rounds.round();
    expect(rounds.turns.beginSlice()).toBe(rounds.clock + 8);
  });

  it('does not ask for the turn for short work', async () => {
    const rounds = new Rounds();
    for (let i = 0; i < 100; i++) {
      expect(rounds.turns.beginSlice()).toBe(8);
      rounds.clock += 0.005;
    }
    expect(rounds.isIdle).toBe(true);
    rounds.clock = 20;
    expect(rounds.turns.beginSlice()).toBe(28);
    expect(rounds.tasks).toHaveLength(1);
    await rounds.round();
    expect(rounds.turns.beginSlice()).toBe(28);
    expect(rounds.isIdle).toBe(true);
  });

  it('is shared with work that waits before the others begin', async () => {
    const rounds = new Rounds();
    const end = rounds.turns.beginSlice();
    rounds.clock += 9;
    void rounds.turns.wait(undefined, 1);
    expect(rounds.turns.beginSlice()).toBeLessThanOrEqual(end);
    await rounds.round();
    expect(rounds.turns.beginSlice()).toBe(rounds.clock + 8);
  });
});
