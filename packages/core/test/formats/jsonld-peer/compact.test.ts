import { SeededRandom } from '@rdf-worlds/testkit';
import type * as RDF from '@rdfjs/types';
import { expect, it } from 'vitest';
import { type CompactionVerdict, compactionVerdict, readBackVerdict } from './compaction-verdict.ts';
import { framedVerdict, withoutLists } from './framed-verdict.ts';
import { randomContext } from './random-context.ts';
import { randomDataset } from './random-dataset.ts';

const CASES = Number(process.env['RDF_WORLDS_JSONLD_CASES'] ?? 60);
const SEED = Number(process.env['RDF_WORLDS_JSONLD_SEED'] ?? 1);

type Verdict = (quads: readonly RDF.Quad[], context: unknown, random: SeededRandom) => Promise<CompactionVerdict>;

/** Judges the cases. Returns the number of those that ended the same, and those that did not. */
async function judge(verdict: Verdict, isWild: boolean): Promise<{ same: number; different: readonly string[] }> {
  const different: string[] = [];
  let same = 0;
  for (let seed = SEED; seed < SEED + CASES; seed++) {
    const random = new SeededRandom(seed);
    const quads = randomDataset(random, isWild);
    const context = randomContext(random, isWild);
    const { kind, detail } = await verdict(quads, context, random);
    if (kind === 'same') same++;
    if (kind === 'different') different.push(`seed ${seed}: ${detail}: ${JSON.stringify(context)}`);
  }
  return { same, different: different.slice(0, 12) };
}

it(`compacts ${CASES} random datasets as jsonld does`, { timeout: 3_600_000 }, async () => {
  const { same, different } = await judge(compactionVerdict, false);
  expect(different).toEqual([]);
  expect(same).toBeGreaterThan(CASES * 0.7);
});

it(`reads back ${CASES} wild datasets from their compacted form`, { timeout: 3_600_000 }, async () => {
  const { same, different } = await judge(readBackVerdict, true);
  expect(different).toEqual([]);
  expect(same).toBeGreaterThan(CASES * 0.5);
});

it(`reads back the nodes of ${CASES} wild datasets nested in each other`, { timeout: 3_600_000 }, async () => {
  const nested: Verdict = (quads, context, random) =>
    framedVerdict(withoutLists(quads), context, random.pick(['@once', '@always', '@never']));
  const { same, different } = await judge(nested, true);
  expect(different).toEqual([]);
  expect(same).toBeGreaterThan(CASES * 0.5);
});
