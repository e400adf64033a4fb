import { simulate } from '@rdf-worlds/testkit';
import { describe, expect, it } from 'vitest';
import { ENGINE_FAULTS } from './engine-faults.ts';
import type { PlantedFault } from './planted-fault.ts';
import { STORAGE_FAULTS } from './storage-faults.ts';

const FIRST_SEED = Number(process.env.SIMULATION_SEED ?? 1);
/** Seeds within which each fault must be found. */
const MAX_SEEDS = 150;

const FAULTS: readonly PlantedFault[] = [...STORAGE_FAULTS, ...ENGINE_FAULTS];

/**
 * Returns the number of seeds until a fault is found by one of its checks; undefined if it is not.
 */
async function seedsUntilFound({ checks, options, plant }: PlantedFault): Promise<number | undefined> {
  for (let seed = FIRST_SEED; seed < FIRST_SEED + MAX_SEEDS; seed++) {
    const takeAway = plant?.();
    try {
      const { violations } = await simulate({ ...options, seed });
      if (violations.some(({ check }) => checks.includes(check))) return seed - FIRST_SEED + 1;
    } finally {
      takeAway?.();
    }
  }
  return undefined;
}

describe('the simulation finds that', () => {
  it.each(FAULTS.map((fault) => [fault.name, fault] as const))(
    '%s',
    async (_, fault) => {
      const seeds = await seedsUntilFound(fault);
      if (process.env.SIMULATION_TRACE) console.log(`${seeds} seeds: ${fault.name}`);
      expect(seeds).toBeDefined();
    },
    600_000,
  );

  it('has at least twenty faults to find, each with a name of its own', () => {
    expect(new Set(FAULTS.map(({ name }) => name)).size).toBe(FAULTS.length);
    expect(FAULTS.length).toBeGreaterThanOrEqual(20);
  });
});
