import { simulate } from '@rdf-worlds/testkit';
import { describe, expect, it } from 'vitest';
import { inTurn } from '../../../../../test/turn.ts';
import { ENGINE_FAULTS } from './engine-faults.ts';
import type { PlantedFault } from './planted-fault.ts';
import { STORAGE_FAULTS } from './storage-faults.ts';

const FIRST_SEED = Number(process.env.SIMULATION_SEED ?? 1);
/** Seeds within which each fault must be found. */
const MAX_SEEDS = 150;

/**
 * Seeds that find a fault which the first seeds do not. They are tried first, unless
 * SIMULATION_SEED selects others; if the simulation changes so that they no longer find it, the
 * search continues as for all other faults.
 */
const KNOWN_SEEDS: ReadonlyMap<string, number> = new Map([
  ['an append ignores the generation', 23],
  ['who has reserved an append does not compare the head', 15],
  ['an append that a turn has held up is made at the head of then', 8],
  ['a search keeps the dictionary that was replaced', 10],
  ['a doubt does not make readers follow', 12],
  ['commits behind one in doubt have its token', 8],
]);

const FAULTS: readonly PlantedFault[] = [...STORAGE_FAULTS, ...ENGINE_FAULTS];

/**
 * Returns the number of seeds until a fault is found by one of its checks; undefined if it is not.
 */
async function seedsUntilFound({ name, checks, options, plant }: PlantedFault): Promise<number | undefined> {
  const seeds = Array.from({ length: MAX_SEEDS }, (_, at) => FIRST_SEED + at);
  const known = KNOWN_SEEDS.get(name);
  if (known !== undefined && !process.env.SIMULATION_SEED) seeds.unshift(known);
  for (const [at, seed] of seeds.entries()) {
    const takeAway = plant?.();
    try {
      const { violations } = await simulate({ ...options, seed });
      if (violations.some(({ check }) => checks.includes(check))) return at + 1;
    } finally {
      takeAway?.();
    }
  }
  return undefined;
}

describe('the simulation finds that', () => {
  it.each(inTurn(FAULTS, 4).map((fault) => [fault.name, fault] as const))(
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
    for (const name of KNOWN_SEEDS.keys()) expect(FAULTS.map((fault) => fault.name)).toContain(name);
  });
});
