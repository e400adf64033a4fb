import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { EDGE_TEXTS } from './edge-texts.ts';
import { explanationOf, KNOWN_DISAGREEMENTS } from './known-disagreements.ts';
import { randomTexts } from './random-texts.ts';
import { suiteTexts } from './suite-texts.ts';
import { type Disagreement, disagreementOn, PEERS, refusalsOf, type VoicedText } from './voices.ts';

/** Number of random texts, each with one mutant. `RDF_WORLDS_VOICES` sets it to thousands. */
const RANDOM_TEXTS = Number(process.env['RDF_WORLDS_VOICES'] ?? 60);
const SEED = Number(process.env['RDF_WORLDS_VOICES_SEED'] ?? 1);

const told = ({ name, peers, refusals, text }: Disagreement) =>
  `--- ${name}: ${peers.join(' and ')}\n${text}\n${JSON.stringify(refusals, null, 1)}\n`;

/** The disagreements of the parsers that no row of the table explains. */
function unexplained(texts: Iterable<VoicedText>): string {
  const found: string[] = [];
  const counts = new Map<string, number>();
  let asked = 0;
  for (const text of texts) {
    asked++;
    const disagreement = disagreementOn(text);
    if (!disagreement) continue;
    const rows = explanationOf(disagreement);
    if (!rows) found.push(told(disagreement));
    for (const { name } of rows ?? []) counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  console.info(`${asked} texts; known disagreements:`, Object.fromEntries(counts));
  return found.slice(0, 20).join('\n');
}

describe('the parsers of the library, Traqula and sparqljs accept and refuse the same', () => {
  const suites = suiteTexts();
  // Needs the archive of the suites, which CI has.
  it.skipIf(!suites)('texts of the SPARQL suites', () => {
    expect(suites!.length).toBeGreaterThanOrEqual(563);
    expect(unexplained(suites!)).toBe('');
  });

  it('texts at the edges of the grammar', () => {
    expect(unexplained(EDGE_TEXTS.map((text) => ({ name: 'edge', text, isSparql11: true })))).toBe('');
  });

  it('random texts and their mutants', () => {
    expect(unexplained(randomTexts(SEED * 1_000_000, RANDOM_TEXTS))).toBe('');
  }, 3_600_000);
});

it.each(KNOWN_DISAGREEMENTS.map((row) => [row.name, row] as const))(
  '%s: the known disagreement still exists',
  (_, row) => {
    const refusals = refusalsOf({ text: row.example, isSparql11: true });
    const differing = PEERS.filter((peer) => (refusals[peer] === undefined) !== (refusals.ours === undefined));
    expect(differing, JSON.stringify(refusals)).toEqual(row.peers);
  },
);

it('docs/reference/sparql-differences.md lists every known disagreement with its reason, in order', () => {
  const document = readFileSync(
    new URL('../../../../../docs/reference/sparql-differences.md', import.meta.url),
    'utf8',
  );
  const [, section] = document.split('## Parsers');
  const rows = section.split('\n## ')[0].matchAll(/^\| (.+?) \| (\w[^|]*) \| (\w+) \| (.+) \|$/gm);
  const listed = [...rows].map((row) => row.slice(1)).filter(([what]) => !/^-+$|^difference$/.test(what));
  expect(listed).toEqual(
    KNOWN_DISAGREEMENTS.map(({ name, peers, right, reason }) => [
      name,
      peers.join(', '),
      right,
      reason.replaceAll('|', '\\|'),
    ]),
  );
});
