import { it } from 'vitest';
import {
  FaultyDisk,
  type FaultyDiskOptions,
  randomFaults,
} from '../../../../../storage-file/test/faults/faulty-disk.ts';
import { EngineLife } from './engine-life.ts';

// ENGINE_FAULT_SEEDS=10000 runs 10,000 engines with random failures of the storage. The default is
// 10.
const SEEDS = Number(process.env.ENGINE_FAULT_SEEDS ?? 10);
const FIRST_SEED = Number(process.env.ENGINE_FAULT_SEED ?? 1);

async function live(steps: number, options: FaultyDiskOptions): Promise<void> {
  const { seed, ending } = options;
  const disk = new FaultyDisk(options);
  const life = new EngineLife({ fileSystem: disk.fileSystem, seed, onStep: disk.begin, quietly: disk.quietly });
  try {
    await life.run(steps);
    if (ending === 'close') await life.close();
    const after = new EngineLife({ fileSystem: disk.left(), seed, quietly: (check) => check() }, life.possible);
    await after.open();
    await after.check();
    await after.close();
  } catch (error) {
    throw disk.failure(error);
  }
}

it(`calls of the file system fail by chance, in ${SEEDS} lives of an engine: it keeps what it acknowledged, and nothing that it rejected`, async () => {
  for (let seed = FIRST_SEED; seed < FIRST_SEED + SEEDS; seed++) await live(25, { seed, ...randomFaults(seed) });
}, 7_200_000);
