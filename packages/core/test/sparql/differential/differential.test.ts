import { expect, it } from 'vitest';
import { type CampaignReport, type Difference, runCampaign } from './campaign.ts';
import { FEATURES, missing, VALUED_FEATURES } from './coverage.ts';
import { peersOf } from './peers.ts';

/**
 * Number of random queries; there are a fifth as many updates. Small by default, and each text in
 * some settings of the engine only; `RDF_WORLDS_FUZZ` runs thousands in all settings.
 */
const QUERIES = Number(process.env['RDF_WORLDS_FUZZ'] ?? 400);
/**
 * Seed of the random queries. To reproduce a difference, use the seed, the count and the settings
 * of its run.
 */
const SEED = Number(process.env['RDF_WORLDS_FUZZ_SEED'] ?? 1);
/** `naive comunica oxigraph` asks these too; Comunica takes most of the time. */
const ORACLES = process.env['RDF_WORLDS_FUZZ_ORACLES'] ?? 'naive';

const FULL_QUERIES = 5000;
/**
 * How often everything comes up in a full campaign, and in a short one at least once. The rarest
 * comes up 50 times in 5,000 queries, give or take.
 */
const LEAST = QUERIES >= FULL_QUERIES ? 35 : 1;
/**
 * In how many texts every function and aggregate gives a value: 500 in 20,000 queries, and by
 * chance fewer in a short campaign.
 */
const LEAST_VALUED = (QUERIES / 40) * (QUERIES >= FULL_QUERIES ? 1 : 0.7);
const PEERS = ORACLES.split(/\s+/).filter((name) => name !== '' && name !== 'naive');

const told = ({ between, seed, text, data, expected, actual }: Difference) =>
  `--- ${between} (dataset seed ${seed})\n${text}\n${data}expected: ${expected}\nactual: ${actual}`;

/** How often each feature came up, and for functions in how many texts they gave a value. */
function histogramOf({ histogram, valued }: CampaignReport): string {
  const withValues = new Set(VALUED_FEATURES);
  return [...histogram]
    .sort(([, one], [, other]) => other - one)
    .map(([name, count]) => `${name}: ${count}${withValues.has(name) ? ` (${valued.get(name) ?? 0})` : ''}`)
    .join(', ');
}

it('the native engine answers random queries and updates as the specification says', async () => {
  const report = await runCampaign({
    seed: SEED * 1_000_000,
    queries: QUERIES,
    updates: Math.ceil(QUERIES / 5),
    peers: peersOf(PEERS),
    everySetting: process.env['RDF_WORLDS_FUZZ'] !== undefined,
  });
  const { histogram, valued, differences, peers, ...counts } = report;
  console.info(counts, histogramOf(report));
  expect(differences.map(told).join('\n')).toBe('');
  for (const [name, { differences: others, ...agreement }] of peers) {
    console.info(name, agreement);
    expect(others.map(told).join('\n')).toBe('');
  }
  // Empty answers prove little, and a text that does not parse proves nothing.
  expect(report.telling).toBeGreaterThan((report.queries + report.updates) / 2);
  expect([...report.refused.keys()].filter((reason) => reason.startsWith('INVALID'))).toEqual([]);
  // What others are asked is SPARQL 1.1 only.
  if (PEERS.length > 0) return;
  expect(missing(FEATURES, histogram, LEAST)).toEqual({});
  expect(missing(VALUED_FEATURES, valued, LEAST_VALUED)).toEqual({});
  // A full campaign takes hours on a busy machine.
}, 43_200_000);
