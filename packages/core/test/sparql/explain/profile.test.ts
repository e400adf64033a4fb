import { describe, expect, it } from 'vitest';
import type { QuadSource } from '../../../src/contracts/quad-source.ts';
import { Batch, PAUSE, type Stream } from '../../../src/sparql/exec/batch.ts';
import { Execution } from '../../../src/sparql/exec/execution.ts';
import type { Operator } from '../../../src/sparql/exec/operator.ts';
import { SlotSet } from '../../../src/sparql/exec/slot-set.ts';
import { type Measure, Profile } from '../../../src/sparql/explain/profile.ts';

/** Time that passes when a test says so. */
class Clock {
  now = 0;
  readonly read = () => this.now;
}

function rows(length: number): Batch {
  const batch = new Batch([], length);
  batch.length = length;
  return batch;
}

/** Takes 1 ms for each batch of its inputs, 10 ms before it ends, and claims 100 bytes then. */
function operator(clock: Clock, own: number, inputs: readonly Operator[], hidden: readonly Operator[] = []): Operator {
  return {
    name: 'test',
    slots: [],
    certain: SlotSet.EMPTY,
    estimate: 0,
    inputs,
    *run(execution: Execution): Stream {
      for (const input of [...inputs, ...hidden]) {
        for (const step of execution.run(input)) {
          clock.now += 1;
          yield step;
        }
      }
      clock.now += 10;
      execution.claimMemory(100);
      yield PAUSE;
      if (own > 0) yield rows(own);
    },
  } as Operator;
}

function profiled(root: Operator, clock: Clock, take = Number.POSITIVE_INFINITY): Measure {
  const execution = new Execution({} as QuadSource);
  const profile = new Profile(root, clock.read);
  execution.profile = profile;
  let taken = 0;
  for (const _ of execution.run(root)) {
    // What the reader does is nobody's.
    clock.now += 1000;
    if (++taken >= take) break;
  }
  return profile.root;
}

const seen = ({ runs, rows, timeMs, memoryBytes }: Measure) => ({ runs, rows, timeMs, memoryBytes });

describe('a profile', () => {
  it('attributes to each operator its own time and memory, excluding the reader and pauses', () => {
    const clock = new Clock();
    const leaf = operator(clock, 5, []);
    const other = operator(clock, 2, []);
    const root = operator(clock, 1, [leaf, other]);
    const measure = profiled(root, clock);
    // Two steps of each input come through the root: a pause and a batch.
    expect(seen(measure)).toEqual({ runs: 1, rows: 8, timeMs: 14, memoryBytes: 100 });
    expect(measure.inputs.map(seen)).toEqual([
      { runs: 1, rows: 5, timeMs: 10, memoryBytes: 100 },
      { runs: 1, rows: 2, timeMs: 10, memoryBytes: 100 },
    ]);
  });

  it('counts one operator in two places apart', () => {
    const clock = new Clock();
    const shared = operator(clock, 3, []);
    const measure = profiled(operator(clock, 0, [operator(clock, 0, [shared]), shared, shared]), clock);
    expect(measure.inputs.map(({ rows, runs }) => [rows, runs])).toEqual([
      [3, 1],
      [3, 1],
      [3, 1],
    ]);
    expect(measure.inputs[0].inputs.map(({ rows }) => rows)).toEqual([3]);
  });

  it('attributes operators outside the plan to the operator that ran them, at any depth', () => {
    const clock = new Clock();
    const unplanned = operator(clock, 4, [operator(clock, 7, [])]);
    const measure = profiled(operator(clock, 0, [], [unplanned]), clock);
    expect(measure.inputs).toEqual([]);
    // 10 ms each, and 2 and 4 steps on their way up.
    expect(seen(measure)).toEqual({ runs: 1, rows: 11, timeMs: 36, memoryBytes: 300 });
  });

  it('counts rows up to where the reader stopped', () => {
    const clock = new Clock();
    let closed = false;
    const endless: Operator = {
      ...operator(clock, 0, []),
      *run(): Stream {
        try {
          for (;;) yield rows(10);
        } finally {
          closed = true;
        }
      },
    };
    const measure = profiled(operator(clock, 0, [endless]), clock, 3);
    expect(measure.rows).toBe(30);
    expect(measure.inputs[0].rows).toBe(30);
    expect(closed).toBe(true);
  });

  it('stays whole when an operator fails', () => {
    const clock = new Clock();
    const failing: Operator = {
      ...operator(clock, 0, []),
      // biome-ignore lint/correctness/useYield: it fails before
      *run(): Stream {
        clock.now += 7;
        throw new RangeError('broken');
      },
    };
    const root = operator(clock, 0, [failing]);
    const execution = new Execution({} as QuadSource);
    const profile = new Profile(root, clock.read);
    execution.profile = profile;
    expect(() => [...execution.run(root)]).toThrow('broken');
    expect(seen(profile.root.inputs[0])).toMatchObject({ timeMs: 7, rows: 0 });
  });
});

describe('a run without a profile', () => {
  it('is the stream of the operator itself', () => {
    const stream = (function* (): Stream {})();
    const plain = { ...operator(new Clock(), 0, []), run: () => stream } as Operator;
    expect(new Execution({} as QuadSource).run(plain)).toBe(stream);
  });
});
