import { expect, it } from 'vitest';
import { FAULTS, type Operation } from './fault.ts';
import { ENDINGS, FaultyDisk, type FaultyDiskOptions, randomFaults } from './faulty-disk.ts';
import { Life } from './life.ts';

// FAULT_OPERATIONS=500 runs a life of 500 operations for every call and every way in which it can
// fail; without it only some calls fail. FAULT_PART=2/3 takes every third call, beginning with the
// second, so that parts can run in parallel. FAULT_SEEDS=10000 runs 10,000 lives in which calls
// fail at random.
const OPERATIONS = Number(process.env.FAULT_OPERATIONS ?? 60);
const STRIDE = process.env.FAULT_OPERATIONS ? 1 : 83;
const [PART, PARTS] = (process.env.FAULT_PART ?? '1/1').split('/').map(Number) as [number, number];
const SEEDS = Number(process.env.FAULT_SEEDS ?? 10);
const FIRST_SEED = Number(process.env.FAULT_SEED ?? 1);

/** Lives a life with faults, ends it, and checks what is there then. Gives its number of calls. */
async function live(operations: number, options: FaultyDiskOptions): Promise<number> {
  const { seed } = options;
  const disk = new FaultyDisk(options);
  const life = new Life({ fileSystem: disk.fileSystem, seed, onOperation: disk.begin, quietly: disk.quietly });
  try {
    await life.run(operations);
    if (options.ending === 'close') await life.close();
    const after = new Life({ fileSystem: disk.left(), seed, quietly: (check) => check() });
    const storage = await after.open();
    await life.check(storage);
    await after.close();
    return disk.calls;
  } catch (error) {
    throw disk.failure(error);
  }
}

it(`keeps acknowledged data and no rejected data when any one call of a sequence of ${OPERATIONS} operations fails in any way`, async () => {
  let runs = 0;
  const operationOf: Operation[] = [];
  const none = (call: number, operation: Operation) => {
    operationOf[call] = operation;
    return undefined;
  };
  await live(OPERATIONS, { seed: FIRST_SEED, faultOf: none, ending: 'close' });
  for (const [failing, operation] of operationOf.entries()) {
    if (failing % PARTS !== PART - 1) continue;
    for (const [kind, fault] of FAULTS[operation].entries()) {
      if ((failing * 7 + kind) % STRIDE !== 0) continue;
      const ending = ENDINGS[(failing + kind) % ENDINGS.length];
      const options = { seed: FIRST_SEED, faultOf: (call: number) => (call === failing ? fault : undefined) };
      const stepsAfterFault = ending === 'close' ? undefined : (failing + kind) % 3;
      await live(OPERATIONS, { ...options, ending, stepsAfterFault });
      if (STRIDE === 1) await live(OPERATIONS, { ...options, ending: 'drops all', stepsAfterFault: 0 });
      runs++;
    }
  }
  if (STRIDE === 1) console.log(`part ${PART} of ${PARTS} of ${operationOf.length} calls, ${runs} faults`);
  expect(runs).toBeGreaterThan(50);
}, 7_200_000);

it(`keeps acknowledged data when calls fail at random, in ${SEEDS} sequences`, async () => {
  for (let seed = FIRST_SEED; seed < FIRST_SEED + SEEDS; seed++) await live(40, { seed, ...randomFaults(seed) });
}, 7_200_000);
