import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { nativeEngine, WorldsEngine } from '../../src/index.ts';
import { unlikeOthers } from './unlike-others.ts';

const TEXTS = [
  '',
  'a',
  'Anna',
  'Ann',
  'banana',
  'naïve',
  'ñandú',
  '日本語',
  '日本',
  '😀 ok',
  '\uFFFD last',
  'Zoë',
  'z',
  '"q"\n',
  'ana',
];
const TERMS = [
  ...TEXTS.flatMap((text, i) => [JSON.stringify(text), `${JSON.stringify(`${text}${i}`)}@en`]),
  ...Array.from({ length: 150 }, (_, i) => `"text ${(i * 7919) % 1000} of a row"`),
  ...Array.from({ length: 30 }, (_, i) => `"${i}"^^<http://www.w3.org/2001/XMLSchema#integer>`),
  '<urn:ann>',
  '_:b',
  '"typed ann"^^<urn:type>',
];

describe('texts that are asked of their bytes', () => {
  const engines: WorldsEngine[] = [];
  beforeAll(async () => {
    for (const optimize of [true, false]) {
      const engine = await WorldsEngine.open({ sparql: nativeEngine({ optimize }), textIndex: null });
      await engine.createWorld({ slug: 'w' });
      const data = TERMS.map((term, i) => `<urn:s${i}> <urn:p> ${term} .`).join('\n');
      await engine.import({ source: 'w', data, contentType: 'application/n-triples' });
      engines.push(engine);
    }
  });
  afterAll(() => Promise.all(engines.map((engine) => engine.close())));

  /**
   * The subjects of the answer, by the engine that looks at bytes and by the one that looks at
   * values.
   */
  async function both(query: string): Promise<string[][]> {
    const answers: string[][] = [];
    for (const engine of engines) {
      const rows = await (await engine.select({ query: unlikeOthers(query), sources: ['w'] })).array();
      answers.push(rows.map((row) => row.get('s')!.value));
    }
    return answers;
  }

  const PARTS = [
    '',
    'a',
    'an',
    'ana',
    'nn',
    'ï',
    '日',
    '本',
    '😀',
    'k',
    'of a row',
    '7',
    '"',
    '\uFFFD',
    'longer than all of the texts that there are in it',
  ];
  it.each(PARTS)('finds %j in them as in their values', async (part) => {
    for (const test of ['CONTAINS', 'STRSTARTS', 'STRENDS']) {
      for (const argument of ['?o', 'STR(?o)']) {
        const filter = `FILTER(${test}(${argument}, ${JSON.stringify(part)}))`;
        const [bytes, values] = await both(`SELECT ?s { ?s <urn:p> ?o ${filter} }`);
        expect(bytes.toSorted()).toEqual(values.toSorted());
        if (part === 'a') expect(bytes.length).toBeGreaterThan(0);
      }
    }
  });

  it.each(['ASC', 'DESC'])('gives the first of a long order as all of it begins: %s', async (direction) => {
    const order = `ORDER BY ${direction}(?o) ?s`;
    const [, values] = await both(`SELECT ?s { ?s <urn:p> ?o } ${order}`);
    for (const limit of [1, 5, 40, 170]) {
      const [bytes] = await both(`SELECT ?s { ?s <urn:p> ?o } ${order} LIMIT ${limit}`);
      expect(bytes).toEqual(values.slice(0, limit));
    }
  });

  it('takes the order of code points for that of strings alone', async () => {
    const only = 'FILTER(DATATYPE(?o) = <http://www.w3.org/2001/XMLSchema#string>)';
    const [bytes] = await both(`SELECT ?s { ?s <urn:p> ?o ${only} } ORDER BY DESC(?o) LIMIT 2`);
    // U+1F600 is behind U+FFFD, though its first UTF-16 unit is before it.
    expect(bytes).toEqual([`urn:s${TERMS.indexOf('"😀 ok"')}`, `urn:s${TERMS.indexOf(JSON.stringify('\uFFFD last'))}`]);
  });
});
