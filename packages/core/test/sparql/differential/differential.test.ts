import { expect, it } from 'vitest';
import { type CampaignReport, type Difference, runCampaign } from './campaign.ts';
import { FEATURES, missing, VALUED_FEATURES } from './coverage.ts';
import { peersOf } from './peers.ts';

/**
 * Number of random queries; there are a fifth as many updates. By default it is small, and each
 * text runs in some settings of the engine only. With `RDF_WORLDS_FUZZ`, each text runs in all
 * settings.
 */
const QUERIES = Number(process.env['RDF_WORLDS_FUZZ'] ?? 400);
/** Seed of the random texts. To reproduce a difference, set all variables as in its run. */
const SEED = Number(process.env['RDF_WORLDS_FUZZ_SEED'] ?? 1);
/** `naive comunica oxigraph` also compares with these; Comunica takes most of the time. */
const ORACLES = process.env['RDF_WORLDS_FUZZ_ORACLES'] ?? 'naive';

const FULL_QUERIES = 5000;
/**
 * Minimum number of texts per feature. In a full campaign of 5,000 queries, the rarest occurs about
 * 50 times.
 */
const LEAST = QUERIES >= FULL_QUERIES ? 35 : 1;
/**
 * Minimum number of texts in which each function and aggregate returns a value: 500 in 20,000
 * queries, and fewer in a short campaign, where chance weighs more.
 */
const LEAST_VALUED = (QUERIES / 40) * (QUERIES >= FULL_QUERIES ? 1 : 0.7);
const PEERS = ORACLES.split(/\s+/).filter((name) => name !== '' && name !== 'naive');

const told = ({ between, seed, text, data, expected, actual }: Difference) =>
  `--- ${between} (dataset seed ${seed})\n${text}\n${data}expected: ${expected}\nactual: ${actual}`;

/** The count of each feature, and in parentheses the number of texts where it returned a value. */
function histogramOf({ histogram, valued }: CampaignReport): string {
  const withValues = new Set(VALUED_FEATURES);
  return [...histogram]
    .sort(([, one], [, other]) => other - one)
    .map(([name, count]) => `${name}: ${count}${withValues.has(name) ? ` (${valued.get(name) ?? 0})` : ''}`)
    .join(', ');
}

it('the native engine answers random queries and updates as the naive engine does', async () => {
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
  for (const [name, { differences: _, ...agreement }] of peers) console.info(name, agreement);
  expect([...peers.values()].flatMap((peer) => peer.differences.map(told)).join('\n')).toBe('');
  // Empty answers prove little, and a text that does not parse proves nothing.
  expect(report.telling).toBeGreaterThan((report.queries + report.updates) / 2);
  expect([...report.refused.keys()].filter((reason) => reason.startsWith('INVALID'))).toEqual([]);
  // With peers, the vocabulary is that of SPARQL 1.1, which does not cover all features.
  if (PEERS.length > 0) return;
  expect(missing(FEATURES, histogram, LEAST)).toEqual({});
  expect(missing(VALUED_FEATURES, valued, LEAST_VALUED)).toEqual({});
  // A full campaign takes hours on a busy machine.
}, 43_200_000);
