import type { FileSystem } from '@rdf-worlds/storage-file';
import { expect, it } from 'vitest';
import { checkAfterCrash } from './driver-expectation.ts';
import { type DriverMark, driverProgram } from './driver-program.ts';
import { type AfterCut, type History, kills, powerCuts, recordHistory } from './power-cuts.ts';
import { withoutSyncs } from './without-syncs.ts';

// POWER_CUT_HISTORIES=200 cuts the power after every event of 200 histories. The default is every
// ninth event of 4.
const ALL = Number(process.env.POWER_CUT_HISTORIES ?? 0);
const HISTORIES = ALL || 4;
const STRIDE = ALL ? 1 : 9;
const FIRST_SEED = Number(process.env.POWER_CUT_SEED ?? 1);

const historyOf = (seed: number, wrap: (fileSystem: FileSystem) => FileSystem = (same) => same): Promise<History> =>
  recordHistory<DriverMark>(seed, (fileSystem, mark) => driverProgram(seed, wrap(fileSystem), mark));

async function failureOf({ fileSystem, marks, name }: AfterCut<DriverMark>): Promise<string | undefined> {
  try {
    await checkAfterCrash(fileSystem, '/data', marks);
    return undefined;
  } catch (error) {
    return `${name}: ${(error as Error).stack}`;
  }
}

it(`keeps every acknowledged append after a power cut at any event of ${HISTORIES} histories`, async () => {
  let cuts = 0;
  for (let seed = FIRST_SEED; seed < FIRST_SEED + HISTORIES; seed++) {
    for (const after of powerCuts<DriverMark>(await historyOf(seed), { stride: STRIDE })) {
      expect(await failureOf(after)).toBeUndefined();
      cuts++;
    }
  }
  if (ALL) console.log(`${HISTORIES} histories, ${cuts} power cuts`);
  expect(cuts).toBeGreaterThan(HISTORIES * 10);
}, 7_200_000);

it('keeps acknowledged appends if the power is cut after one process was killed and another continued', async () => {
  for (let seed = FIRST_SEED; seed < FIRST_SEED + HISTORIES; seed++) {
    for (const killed of kills<DriverMark>(await historyOf(seed), { stride: ALL ? 23 : 151 })) {
      // The other one finds what the first left, and adds to it; what it finds must last as if it
      // had been acknowledged.
      const history = await recordHistory<DriverMark>(
        seed,
        (fileSystem, mark) => driverProgram(seed + 1e6, fileSystem, mark, { rounds: 1, steps: 2, goesOn: true }),
        killed.disk,
      );
      for (const after of powerCuts<DriverMark>(history, { stride: ALL ? 11 : 29 })) {
        expect(await failureOf({ ...after, marks: [...killed.marks, ...after.marks] })).toBeUndefined();
      }
    }
  }
}, 7_200_000);

it.each([
  ['files', { files: true }],
  ['directories', { directories: true }],
] as const)('the same test fails for a storage that does not sync %s', async (_, what) => {
  const failures: string[] = [];
  for (let seed = FIRST_SEED; seed < FIRST_SEED + 4; seed++) {
    const history = await historyOf(seed, (fileSystem) => withoutSyncs(fileSystem, what));
    for (const after of powerCuts<DriverMark>(history, { stride: 17 })) {
      const failure = await failureOf(after);
      if (failure) failures.push(failure);
    }
  }
  expect(failures.length).toBeGreaterThan(10);
});
