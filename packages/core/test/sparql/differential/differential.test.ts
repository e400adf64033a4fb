import { expect, it } from 'vitest';
import { type Difference, runCampaign } from './campaign.ts';

/** So many random queries, and a fifth as many updates: a few in every run, thousands when asked for. */
const QUERIES = Number(process.env['RDF_WORLDS_FUZZ'] ?? 300);
/** Another number, other queries. A difference is repeated with the seed, the count and the settings of its run. */
const SEED = Number(process.env['RDF_WORLDS_FUZZ_SEED'] ?? 1);
/** `naive comunica` asks Comunica too, which takes most of the time. */
const ORACLES = process.env['RDF_WORLDS_FUZZ_ORACLES'] ?? 'naive';

const told = ({ between, seed, text, data, expected, actual }: Difference) =>
  `--- ${between} (dataset seed ${seed})\n${text}\n${data}expected: ${expected}\nactual: ${actual}`;

it('the native engine answers random queries and updates as the specification says', async () => {
  const report = await runCampaign({
    seed: SEED * 1_000_000,
    queries: QUERIES,
    updates: Math.ceil(QUERIES / 5),
    comunica: ORACLES.includes('comunica'),
  });
  const { histogram, differences, comunicaDifferences, ...counts } = report;
  const sorted = [...histogram].sort(([, one], [, other]) => other - one);
  console.info(counts, sorted.map(([feature, count]) => `${feature}: ${count}`).join(', '));
  expect(differences.map(told).join('\n')).toBe('');
  expect(comunicaDifferences.map(told).join('\n')).toBe('');
  // Empty answers prove little, and a text that does not parse proves nothing.
  expect(report.telling).toBeGreaterThan((report.queries + report.updates) / 2);
  expect([...report.refused.keys()].filter((reason) => reason.startsWith('INVALID'))).toEqual([]);
}, 3_600_000);
