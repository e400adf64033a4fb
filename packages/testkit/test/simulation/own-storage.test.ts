import { expect, it } from 'vitest';
import { simulate, simulationFailure } from '../../src/index.ts';

// OWN_STORAGE_SEEDS=2000 runs 2,000 seeds; SIMULATION_SEED is the first.
const SEEDS = Number(process.env.OWN_STORAGE_SEEDS ?? 6);
const FIRST_SEED = Number(process.env.SIMULATION_SEED ?? 1);

const onTrace = process.env.SIMULATION_TRACE ? (line: string) => console.log(line) : undefined;

it.each(Array.from({ length: SEEDS }, (_, at) => FIRST_SEED + at))(
  'an engine with a storage of its own does what the model does, seed %i',
  async (seed) => {
    const report = await simulate({ seed, isShared: false, operations: 200, onTrace });
    expect(simulationFailure(report)).toBeUndefined();
    expect(report.turns).toBeUndefined();
  },
  60_000,
);
