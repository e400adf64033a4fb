import type * as RDF from '@rdfjs/types';
import { describe, expect, it, vi } from 'vitest';
import { SeededRandom } from '../../../testkit/src/seeded-random.ts';
import { dataFactory, WorldsEngine } from '../../src/index.ts';
import { StoredTexts } from '../../src/sparql/exec/stored-texts.ts';
import { unlikeOthers } from './unlike-others.ts';

// Functions whose results are parts of stored texts, or ids of stored terms, must give what they
// give of values.

const { blankNode, literal, namedNode, quad } = dataFactory;
const XSD = 'http://www.w3.org/2001/XMLSchema#';

// LONG_TESTS=1 runs four random tables.
const SEEDS = process.env['LONG_TESTS'] ? [1, 2, 3, 4] : [1];

const TEXTS = [
  '',
  'a',
  'abc',
  '2024-01-02T03:04:05Z',
  'ä',
  'häß',
  '😀',
  'x😀y',
  'e\u0301',
  '\u0000',
  'a-b-c',
  '--',
  '𝔘-z',
];

function randomTerm(random: SeededRandom): RDF.Term & RDF.Quad_Object {
  const text = random.pick(TEXTS);
  switch (random.below(7)) {
    case 0:
      return namedNode(`urn:${encodeURIComponent(text)}`);
    case 1:
      return blankNode();
    case 2:
      return literal(text, random.pick(['en', 'de-AT']));
    case 3:
      return literal(text, { language: 'ar', direction: 'rtl' });
    case 4:
      return literal(text, namedNode(random.pick([`${XSD}dateTime`, `${XSD}integer`, 'urn:type'])));
    default:
      return literal(text);
  }
}

function randomText(random: SeededRandom, depth = 0): string {
  if (depth > 2 || random.chance(0.3)) return random.pick(['?v', '?w', 'STR(?v)', 'STR(?w)']);
  const inner = randomText(random, depth + 1);
  const found = JSON.stringify(random.pick(['-', 'b', 'T', '😀', 'ä', '']));
  switch (random.below(4)) {
    case 0:
      return `SUBSTR(${inner}, ${random.pick(['1', '2', '4', '100', '0', '-1', '1.5'])})`;
    case 1:
      return `SUBSTR(${inner}, ${random.pick(['1', '2', '3'])}, ${random.pick(['1', '2', '10', '0', '1e0'])})`;
    case 2:
      return `STRBEFORE(${inner}, ${found}${random.chance(0.2) ? '@en' : ''})`;
    default:
      return `STRAFTER(${inner}, ${found})`;
  }
}

function randomExpression(random: SeededRandom): string {
  switch (random.below(7)) {
    case 0:
      return `COALESCE(${randomText(random)}, ?w, "none"@en, ?v)`;
    case 1:
      return `IF(${random.pick(['?v = ?w', 'BOUND(?w)', '?w', 'STRLEN(?v) > 2'])}, ?w, ${random.pick(['?v', '"01"', 'STR(?v)'])})`;
    case 2:
      return `${random.pick(['LANG', 'DATATYPE'])}(${random.pick(['?v', '?w'])})`;
    case 3:
      return `STRLEN(${randomText(random)})`;
    default:
      return randomText(random);
  }
}

describe('computed texts', () => {
  it.each(SEEDS)('are those of values (seed %i)', async (seed) => {
    const random = new SeededRandom(seed);
    const engine = await WorldsEngine.open({ textIndex: null, storage: undefined });
    await engine.createWorld({ slug: 'w' });
    const insert = Array.from({ length: 300 }, (_, i) => [
      quad(namedNode(`urn:s${i}`), namedNode('urn:v'), randomTerm(random)),
      ...(random.chance(0.7) ? [quad(namedNode(`urn:s${i}`), namedNode('urn:w'), randomTerm(random))] : []),
    ]).flat();
    await engine.write({ source: 'w', insert });
    const answer = async (query: string) => {
      const rows = await (await engine.select({ query: unlikeOthers(query), sources: ['w'] })).array();
      return rows.map((row) => [...row].map(([name, value]) => `${name}=${JSON.stringify(value)}`).join(' '));
    };
    let told = 0;
    for (let i = 0; i < 150; i++) {
      const query = `SELECT ?s ?x { ?s <urn:v> ?v OPTIONAL { ?s <urn:w> ?w } BIND(${randomExpression(random)} AS ?x) }`;
      const fast = await answer(query);
      told += fast.filter((row) => row.includes('x=')).length;
      const spy = vi.spyOn(StoredTexts, 'of').mockReturnValue(undefined);
      try {
        expect(fast, query).toEqual(await answer(query));
      } finally {
        spy.mockRestore();
      }
    }
    expect(told).toBeGreaterThan(10_000);
    await engine.close();
  });
});
