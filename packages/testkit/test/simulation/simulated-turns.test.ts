import { MemoryContents, MemoryStorage } from '@rdf-worlds/core';
import type { NamespaceStorage } from '@rdf-worlds/core/plugin';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { simulate, simulationFailure } from '../../src/index.ts';
import { SeededRandom } from '../../src/seeded-random.ts';
import { ProcessScope } from '../../src/simulation/process-scope.ts';
import { SimulatedNetwork } from '../../src/simulation/simulated-network.ts';
import { SimulatedStorage } from '../../src/simulation/simulated-storage.ts';
import { SimulatedTurns } from '../../src/simulation/simulated-turns.ts';
import { NO_FAULTS, type SimulationFaults } from '../../src/simulation/simulation-faults.ts';
import { SimulationTrace } from '../../src/simulation/simulation-trace.ts';
import { crowded, randomWorkload } from '../../src/simulation/simulation-workload.ts';
import { installVirtualGlobals } from '../../src/simulation/virtual-globals.ts';
import { type VirtualEvent, VirtualTime } from '../../src/simulation/virtual-time.ts';
import { reservationCases } from '../../src/storage/reservation-cases.ts';
import { append, StorageProbe, textsOf } from '../../src/storage/storage-probe.ts';

const OBSERVER = { appended: () => undefined, dropped: () => undefined, truncated: () => undefined };
/** Longer than any case takes. */
const LONG_MS = 3_600_000;

type Scope = ProcessScope<VirtualEvent>;

let time: VirtualTime;
let turns: SimulatedTurns;
let contents: MemoryContents;
let undo: () => void;

beforeEach(() => {
  time = new VirtualTime();
  turns = new SimulatedTurns(time);
  contents = new MemoryContents();
  undo = installVirtualGlobals(time);
});
afterEach(() => undo());

function storageWith(faults: Partial<SimulationFaults>): SimulatedStorage {
  const trace = new SimulationTrace(undefined);
  const network = new SimulatedNetwork(time, new SeededRandom(1), trace, { ...NO_FAULTS, ...faults });
  return new SimulatedStorage(new MemoryStorage(contents), network, OBSERVER, { turns });
}

/** Runs work in the name of a process, in virtual time. */
async function within<Result>(scope: Scope, work: () => Promise<Result>): Promise<Result> {
  let settled: PromiseSettledResult<Result> | undefined;
  void Promise.allSettled([time.within({ scope }, work)]).then(([outcome]) => {
    settled = outcome;
  });
  const isDone = await time.run(
    () => settled !== undefined,
    () => LONG_MS,
  );
  expect(isDone).toBe(true);
  if (settled?.status !== 'fulfilled') throw settled?.reason;
  return settled.value;
}

/** A handle of a process of its own. */
async function handleOf(scope: Scope, faults: Partial<SimulationFaults> = {}): Promise<NamespaceStorage> {
  const storage = storageWith(faults);
  await within(scope, () => storage.open());
  return storage.namespace('n');
}

/** Networks on which the contract holds as it is. */
const NETWORKS: readonly (readonly [name: string, faults: Partial<SimulationFaults>])[] = [
  ['a good network', {}],
  ['a network without notifications', { lostNotice: 1 }],
  ['a slow network that repeats notifications', { doubleNotice: 1, delayMs: 40 }],
];

describe.each(NETWORKS)('the simulated storage over %s', (_, faults) => {
  reservationCases((name, test) => {
    it(name, () => {
      const place = { make: () => storageWith(faults) };
      return within(new ProcessScope(0, 1), () => StorageProbe.run(() => place, test));
    });
  });
});

describe('a turn of the simulated storage', () => {
  it('ends when its time is over, if its holder has crashed', async () => {
    const [crashed, other] = [new ProcessScope<VirtualEvent>(0, 1), new ProcessScope<VirtualEvent>(1, 1)];
    const [mine, theirs] = [await handleOf(crashed), await handleOf(other)];
    await within(crashed, () => append(mine, 'a'));
    await within(crashed, () => mine.reserve!(2000));
    crashed.kill();
    const end = await within(other, () => theirs.reserve!(2000));
    expect(time.nowMs).toBeGreaterThan(2000);
    await within(other, () => append(theirs, 'b'));
    await within(other, end);
    expect(await within(other, () => textsOf(theirs))).toEqual(['a', 'b']);
    expect(turns).toMatchObject({ taken: 2, expired: 1, heldUp: 0 });
  });

  it('ends for a holder that sleeps, whose append then meets the head', async () => {
    const [sleeper, other] = [new ProcessScope<VirtualEvent>(0, 1), new ProcessScope<VirtualEvent>(1, 1)];
    const [mine, theirs] = [await handleOf(sleeper), await handleOf(other)];
    const head = await within(sleeper, () => append(mine, 'a'));
    const end = await within(sleeper, () => mine.reserve!(2000));
    sleeper.isPaused = true;
    await within(other, async () => (await theirs.reserve!(2000))());
    await within(other, () => append(theirs, 'b'));
    time.wake(sleeper);
    const record = { id: 'f'.repeat(32), chunks: [Buffer.from('c')] };
    await expect(within(sleeper, () => mine.append(head, [record]))).rejects.toMatchObject({ code: 'CONFLICT' });
    await within(sleeper, end);
    expect(await within(other, () => textsOf(theirs))).toEqual(['a', 'b']);
  });

  it('is taken although calls fail and answers are lost', async () => {
    const scope = new ProcessScope<VirtualEvent>(0, 1);
    const good = await handleOf(scope);
    await within(scope, () => append(good, 'a'));
    const poor = await handleOf(scope, { failure: 0.2, lostAnswer: 0.2 });
    for (let round = 0; round < 40; round++) {
      // One that fails again and again is given up.
      const taken = await within(scope, () => poor.reserve!(2000)).catch((error: Error) => error.message);
      if (typeof taken === 'string') expect(taken).toContain('simulated failure');
      else await within(scope, taken);
    }
    expect(turns.taken).toBeGreaterThan(20);
    // Reservations whose answers were lost, which nobody holds.
    expect(turns.expired).toBeGreaterThan(0);
    await within(scope, () => append(good, 'b'));
  });
});

it('simulations take turns, hold others up, and end the turns of processes that have crashed', async () => {
  const sum = { taken: 0, expired: 0, heldUp: 0 };
  const workload = { ...crowded(randomWorkload(new SeededRandom(1))), slugs: ['x'] };
  const options = { hasTurns: true, processes: 4, operations: 160, workload };
  // Few crashes hit a process that has a turn: the seeds go on until one has.
  const hasAll = () => Object.values(sum).every((count) => count > 0);
  for (let seed = 1; seed <= 60 && !(seed > 3 && hasAll()); seed++) {
    const report = await simulate({ ...options, seed, faults: { ...NO_FAULTS, delayMs: 40, crashEveryMs: 1500 } });
    expect(simulationFailure(report)).toBeUndefined();
    for (const name of ['taken', 'expired', 'heldUp'] as const) sum[name] += report.turns![name];
  }
  expect(sum.taken).toBeGreaterThan(0);
  expect(sum.expired).toBeGreaterThan(0);
  expect(sum.heldUp).toBeGreaterThan(0);
  expect((await simulate({ seed: 4, hasTurns: false, operations: 5 })).turns).toBeUndefined();
});
