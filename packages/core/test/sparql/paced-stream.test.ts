import { describe, expect, it } from 'vitest';
import type { RequestMemory } from '../../src/model/memory-budget.ts';
import { PAUSE } from '../../src/sparql/exec/batch.ts';
import type { Execution } from '../../src/sparql/exec/execution.ts';
import { PacedStream, type Steps } from '../../src/sparql/paced-stream.ts';

type Step = Item | typeof PAUSE;

interface Item {
  readonly number: number;
}

/** As much of an execution as a stream uses. */
function execution(pause: () => Promise<void> = () => new Promise((resolve) => setImmediate(resolve))): Execution {
  return { pause } as Execution;
}

function items(...numbers: number[]): Item[] {
  return numbers.map((number) => ({ number }));
}

function* steps(list: readonly Step[], atEnd: () => void = () => undefined): Steps<Item> {
  try {
    yield* list;
  } finally {
    atEnd();
  }
}

describe('PacedStream', () => {
  it('returns the items in order, and pauses in between', async () => {
    let pauses = 0;
    const paused = execution(async () => {
      pauses++;
    });
    const [one, two, three] = items(1, 2, 3);
    const found: Item[] = [];
    for await (const item of new PacedStream(steps([PAUSE, one, PAUSE, PAUSE, two, three, PAUSE]), paused))
      found.push(item);
    expect(found).toEqual([one, two, three]);
    expect(pauses).toBe(4);
  });

  it('answers those who ask at the same time one after the other', async () => {
    const [one, two, three] = items(1, 2, 3);
    const stream = new PacedStream(steps([one, PAUSE, two, three]), execution());
    const answers = await Promise.all([stream.next(), stream.next(), stream.next(), stream.next(), stream.next()]);
    expect(answers.map(({ value }) => value)).toEqual([one, two, three, undefined, undefined]);
    expect(answers.map(({ done }) => done)).toEqual([false, false, false, true, true]);
  });

  it('ends with the first failure, or as it was asked, where the stack is too small to end the steps', async () => {
    const overflow = () => {
      throw new RangeError('Maximum call stack size exceeded');
    };
    // A stack that is too small for each step, too, is a limit of the query.
    await expect(new PacedStream(steps([], overflow), execution()).next()).rejects.toMatchObject({
      code: 'LIMIT_EXCEEDED',
    });
    let releases = 0;
    const memory = { release: () => releases++ } as unknown as RequestMemory;
    const late = new Error('too late');
    const refusing = execution(() => Promise.reject(late));
    await expect(new PacedStream(steps([PAUSE], overflow), refusing, memory).next()).rejects.toBe(late);
    const left = new PacedStream(steps(items(1, 2), overflow), execution(), memory);
    await left.next();
    expect(await left.return()).toEqual({ done: true, value: undefined });
    expect(releases).toBe(2);
    const broken = new PacedStream(
      steps(items(1, 2), () => {
        throw late;
      }),
      execution(),
      memory,
    );
    await broken.next();
    await expect(broken.return()).rejects.toBe(late);
    expect(releases).toBe(3);
  });

  it('ends the steps when the reader leaves, be it while they pause', async () => {
    for (const list of [items(1, 2), [PAUSE, ...items(1, 2)] as Step[]]) {
      let ends = 0;
      const stream = new PacedStream(
        steps(list, () => ends++),
        execution(),
      );
      const first = stream.next();
      expect(await stream.return()).toEqual({ done: true, value: undefined });
      expect(await first).toEqual({ done: false, value: { number: 1 } });
      expect(ends).toBe(1);
      expect(await stream.next()).toEqual({ done: true, value: undefined });
    }
  });

  it('rejects with the error of a step, then ends', async () => {
    const failing = function* (list: readonly Step[]): Steps<Item> {
      yield* list;
      throw new Error('broken');
    };
    for (const list of [items(1), [...items(1), PAUSE] as Step[]]) {
      const stream = new PacedStream(failing(list), execution());
      expect(await stream.next()).toEqual({ done: false, value: { number: 1 } });
      await expect(stream.next()).rejects.toThrow('broken');
      expect(await stream.next()).toEqual({ done: true, value: undefined });
    }
  });

  it('rejects when a pause does, and ends the steps', async () => {
    let ends = 0;
    const aborted = execution(() => Promise.reject(new Error('given up')));
    const stream = new PacedStream(
      steps([PAUSE, ...items(1)], () => ends++),
      aborted,
    );
    const answers = await Promise.allSettled([stream.next(), stream.next()]);
    expect(answers[0]).toMatchObject({ status: 'rejected', reason: { message: 'given up' } });
    expect(answers[1]).toMatchObject({ status: 'fulfilled', value: { done: true } });
    expect(ends).toBe(1);
  });

  it('says LIMIT_EXCEEDED for a stack that ends', async () => {
    const deep = (): number => deep() + 1;
    const endless = function* (): Steps<Item> {
      yield { number: deep() };
    };
    await expect(new PacedStream(endless(), execution()).next()).rejects.toMatchObject({ code: 'LIMIT_EXCEEDED' });
  });
});
