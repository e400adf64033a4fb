import { expect, it } from 'vitest';
import { inTurn } from '../../../../../test/turn.ts';
import { ALGEBRA_FAULTS } from './faults/algebra-faults.ts';
import { DATASET_FAULTS } from './faults/dataset-faults.ts';
import { huntFaults } from './faults/fault-hunt.ts';
import { FUNCTION_FAULTS } from './faults/function-faults.ts';
import { OPERATOR_FAULTS } from './faults/operator-faults.ts';
import { changedEngine } from './faults/planted-fault.ts';

const SEED = 77_000_000;
const MAX_TRIALS = 6000;
/**
 * Datasets, as offsets from the seed, that together reveal all faults. The others are searched only
 * for faults that these no longer reveal. With LONG_TESTS=1, all datasets run in order.
 */
const KNOWN = process.env['LONG_TESTS']
  ? []
  : [
      ...[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 12, 14, 16, 17, 18, 20, 21, 24, 25, 29, 30, 31, 32, 36, 42, 44, 45, 51],
      ...[53, 54, 61, 67, 69, 70, 76, 79, 105, 106, 112, 170, 226],
    ];

it('the campaign finds every planted fault', async () => {
  const faults = [...ALGEBRA_FAULTS, ...FUNCTION_FAULTS, ...OPERATOR_FAULTS, ...DATASET_FAULTS];
  expect(new Set(faults.map(({ name }) => name)).size).toBe(faults.length);
  const hunted = inTurn(faults, 2);
  const { found, trials } = await huntFaults(hunted, { seed: SEED, maxTrials: MAX_TRIALS, known: KNOWN });
  const slowest = [...found].sort(([, one], [, other]) => other - one).slice(0, 10);
  console.info(
    `${found.size} faults found in ${trials} texts; the last ones: ${slowest.map((one) => one.join(' at '))}`,
  );
  expect(hunted.filter(({ name }) => !found.has(name)).map(({ name }) => name)).toEqual([]);
}, 600_000);

it('the campaign finds no fault in an engine that is wrapped without a change', async () => {
  const same = { name: 'none', engine: changedEngine({ node: (node) => node, view: (view) => view }) };
  const { found } = await huntFaults([same], { seed: SEED, maxTrials: 200 });
  expect([...found]).toEqual([]);
});
