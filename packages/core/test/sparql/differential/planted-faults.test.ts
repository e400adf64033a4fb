import { expect, it } from 'vitest';
import { ALGEBRA_FAULTS } from './faults/algebra-faults.ts';
import { DATASET_FAULTS } from './faults/dataset-faults.ts';
import { huntFaults } from './faults/fault-hunt.ts';
import { FUNCTION_FAULTS } from './faults/function-faults.ts';
import { OPERATOR_FAULTS } from './faults/operator-faults.ts';
import { changedEngine } from './faults/planted-fault.ts';

const SEED = 77_000_000;
const MAX_TRIALS = 6000;

it('the campaign finds every fault that is planted on purpose', async () => {
  const faults = [...ALGEBRA_FAULTS, ...FUNCTION_FAULTS, ...OPERATOR_FAULTS, ...DATASET_FAULTS];
  expect(new Set(faults.map(({ name }) => name)).size).toBe(faults.length);
  const { found, trials } = await huntFaults(faults, { seed: SEED, maxTrials: MAX_TRIALS });
  const slowest = [...found].sort(([, one], [, other]) => other - one).slice(0, 10);
  console.info(
    `${found.size} faults found in ${trials} texts; the last ones: ${slowest.map((one) => one.join(' at '))}`,
  );
  expect(faults.filter(({ name }) => !found.has(name)).map(({ name }) => name)).toEqual([]);
}, 600_000);

it('an engine that is only taken apart and put together again has no fault to be found', async () => {
  const same = { name: 'none', engine: changedEngine({ node: (node) => node, view: (view) => view }) };
  const { found } = await huntFaults([same], { seed: SEED, maxTrials: 200 });
  expect([...found]).toEqual([]);
});
