import type { FileSystem } from '@rdf-worlds/storage-file';
import { SeededRandom } from '@rdf-worlds/testkit';
import { expect, it } from 'vitest';
import type { DiskEvent } from '../power-cut/disk-event.ts';
import { DiskModel, type PowerCut } from '../power-cut/disk-model.ts';
import { SimulatedFileSystem } from '../power-cut/simulated-file-system.ts';
import { FAULTS, type Fault, type Operation } from './fault.ts';
import { faultyFileSystem } from './faulty-file-system.ts';
import { Life } from './life.ts';

// FAULT_OPERATIONS=500 lets every call of a life of so many operations fail in every way; without it
// some of them. FAULT_SEEDS=10000 runs so many lives with failures by chance.
const OPERATIONS = Number(process.env.FAULT_OPERATIONS ?? 60);
const STRIDE = process.env.FAULT_OPERATIONS ? 1 : 23;
const SEEDS = Number(process.env.FAULT_SEEDS ?? 60);
const FIRST_SEED = Number(process.env.FAULT_SEED ?? 1);

type Ending = 'close' | PowerCut;
const ENDINGS: readonly Ending[] = ['close', 'drops all', 'keeps all', 'by chance'];

interface Run {
  readonly seed: number;
  readonly operations: number;
  /** Asked for each call, by its number. */
  readonly faultOf: (call: number, operation: Operation) => Fault | undefined;
  readonly ending: Ending;
  /** How many operations follow the first fault before the ending; to the end of the life if missing. */
  readonly operationsAfterFault?: number;
}

/** Lives a life with faults, ends it, and checks what is there then. Gives its number of calls. */
async function live({ seed, operations, faultOf, ending, operationsAfterFault }: Run): Promise<number> {
  const random = new SeededRandom(seed + 77);
  const model = new DiskModel();
  const disk = new SimulatedFileSystem(
    () => 0,
    (event: DiskEvent) => {
      if (ending !== 'close') model.apply(event);
    },
  );
  let calls = 0;
  let isQuiet = false;
  let lastOperation = Number.POSITIVE_INFINITY;
  let now = 0;
  const log: string[] = [];
  const fileSystem = faultyFileSystem(disk, (operation, path) => {
    if (isQuiet) return undefined;
    const fault = faultOf(calls++, operation);
    if (fault) log.push(`operation ${now}: ${operation} ${path}: ${fault.code} ${fault.effect}`);
    if (fault && operationsAfterFault !== undefined)
      lastOperation = Math.min(lastOperation, now + operationsAfterFault);
    return fault;
  });
  const life = new Life({
    fileSystem,
    seed,
    onOperation: (at) => {
      now = at;
      return at > lastOperation;
    },
    quietly: async (check) => {
      isQuiet = true;
      try {
        return await check();
      } finally {
        isQuiet = false;
      }
    },
  });
  try {
    await life.run(operations);
    let left: FileSystem = disk;
    if (ending === 'close') await life.close();
    else {
      const root = model.afterPowerCut(ending, () => random.next());
      left = new SimulatedFileSystem(() => 0, undefined, root, model.lastNode);
    }
    isQuiet = true;
    const after = new Life({ fileSystem: left, seed, quietly: (check) => check() });
    const storage = await after.open();
    await life.check(storage);
    await after.close();
    return calls;
  } catch (error) {
    throw new Error(`seed ${seed}, ${ending}; ${log.slice(-5).join('; ')}: ${(error as Error).message}`, {
      cause: error,
    });
  }
}

it(`any one call of a life of ${OPERATIONS} operations fails, in any way: what was acknowledged is there, what was rejected is not`, async () => {
  let runs = 0;
  const operationOf: Operation[] = [];
  const none = (call: number, operation: Operation) => {
    operationOf[call] = operation;
    return undefined;
  };
  await live({ seed: FIRST_SEED, operations: OPERATIONS, faultOf: none, ending: 'close' });
  for (const [failing, operation] of operationOf.entries()) {
    for (const [kind, fault] of FAULTS[operation].entries()) {
      if ((failing * 7 + kind) % STRIDE !== 0) continue;
      const ending = ENDINGS[(failing + kind) % ENDINGS.length];
      const faultOf = (call: number) => (call === failing ? fault : undefined);
      const run = { seed: FIRST_SEED, operations: OPERATIONS, faultOf };
      await live({ ...run, ending, ...(ending === 'close' ? {} : { operationsAfterFault: (failing + kind) % 3 }) });
      if (STRIDE === 1) await live({ ...run, ending: 'drops all', operationsAfterFault: 0 });
      runs++;
    }
  }
  if (STRIDE === 1) console.log(`${operationOf.length} calls, ${runs} faults`);
  expect(runs).toBeGreaterThan(100);
}, 7_200_000);

it(`calls fail by chance, in ${SEEDS} lives`, async () => {
  for (let seed = FIRST_SEED; seed < FIRST_SEED + SEEDS; seed++) {
    const random = new SeededRandom(seed * 31);
    const chance = random.pick([0.002, 0.01, 0.04]);
    // In some lives a disk stays full, or broken, for a while.
    const burst = random.pick([1, 1, 5, 40]);
    let left = 0;
    const faultOf = (_: number, operation: Operation): Fault | undefined => {
      if (left > 0) left--;
      else if (random.next() < chance / burst) left = random.below(burst) + 1;
      return left > 0 ? random.pick(FAULTS[operation]) : undefined;
    };
    const ending = random.pick(ENDINGS);
    await live({ seed, operations: 40, faultOf, ending });
  }
}, 7_200_000);
