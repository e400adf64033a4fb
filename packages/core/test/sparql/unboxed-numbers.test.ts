import type * as RDF from '@rdfjs/types';
import { describe, expect, it, vi } from 'vitest';
import { SeededRandom } from '../../../testkit/src/seeded-random.ts';
import { dataFactory, nativeEngine, WorldsEngine } from '../../src/index.ts';
import { Overlay } from '../../src/quads/overlay.ts';
import type { Expression } from '../../src/sparql/algebra/algebra.ts';
import { balanced } from '../../src/sparql/algebra/balanced.ts';
import { StoredTexts } from '../../src/sparql/exec/stored-texts.ts';
import { isNumberTest } from '../../src/sparql/vectors/programs.ts';
import { StoredValues } from '../../src/sparql/vectors/stored-values.ts';
import { MARKS, randomLiteral, randomQuery, randomRuleQuery, uniformLiteral } from './random-numbers.ts';
import { unlikeOthers } from './unlike-others.ts';

const XSD = 'http://www.w3.org/2001/XMLSchema#';
const { literal, namedNode, quad } = dataFactory;

/** `RDF_WORLDS_UNBOXED` runs hundreds of seeds. */
const SEEDS = Number(process.env['RDF_WORLDS_UNBOXED'] ?? 6);
const QUERIES = 60;

describe('numbers without terms', () => {
  it.each(Array.from({ length: SEEDS }, (_, seed) => seed))('give what terms give (seed %i)', async (seed) => {
    const random = new SeededRandom(seed);
    const kinds = ['integer', 'decimal', 'double', 'dateTime', 'time', 'float'];
    const kind = seed % 2 === 0 ? random.pick(kinds) : undefined;
    const insert: RDF.Quad[] = [];
    for (let i = 0; i < 400; i++) {
      const subject = namedNode(`urn:s${i}`);
      const value = () =>
        kind === undefined || random.chance(0.01) ? randomLiteral(random) : uniformLiteral(random, kind);
      insert.push(quad(subject, namedNode('urn:v'), value()));
      if (random.chance(0.8)) insert.push(quad(subject, namedNode('urn:w'), value()));
      if (random.chance(0.7)) insert.push(quad(subject, namedNode('urn:t'), random.pick(MARKS)));
      insert.push(quad(subject, namedNode('urn:g'), namedNode(`urn:g${random.below(5)}`)));
    }
    const batchRows = [undefined, undefined, 1, 3, 17][seed % 5];
    const open = async (optimize: boolean) => {
      const sparql = nativeEngine({ batchRows, optimize });
      const engine = await WorldsEngine.open({ textIndex: null, storage: undefined, sparql });
      await engine.createWorld({ slug: 'w' });
      await engine.write({ source: 'w', insert });
      return engine;
    };
    const engine = await open(true);
    const plain = await open(false);
    const answer = async (query: string, by = engine) => {
      const rows = await (await by.select({ query: unlikeOthers(query), sources: ['w'] })).array();
      return rows.map((row) => [...row].map(([name, value]) => `${name}=${JSON.stringify(value)}`).join(' '));
    };
    // The order of rows may change when an index for lookups is complete, and with it sums of
    // doubles.
    for (let i = 0; i < 20; i++) {
      await answer(
        `SELECT (COUNT(?w) AS ?n) (COUNT(?t) AS ?m) { ?s <urn:v> ?v OPTIONAL { ?s <urn:w> ?w } OPTIONAL { ?s <urn:t> ?t } }`,
      );
    }
    for (let i = 0; i < QUERIES; i++) {
      const query = randomQuery(random);
      const unboxed = await answer(query);
      const values = vi.spyOn(StoredValues, 'of').mockReturnValue(undefined);
      const texts = vi.spyOn(StoredTexts, 'of').mockReturnValue(undefined);
      try {
        expect(unboxed, query).toEqual(await answer(query));
      } finally {
        values.mockRestore();
        texts.mockRestore();
      }
      const ruled = randomRuleQuery(random);
      const optimized = await answer(ruled, engine);
      const asWritten = await answer(ruled, plain);
      if (ruled.includes('ORDER BY')) expect(optimized, ruled).toEqual(asWritten);
      else expect(optimized.sort(), ruled).toEqual(asWritten.sort());
    }
    await engine.close();
    await plain.close();
  });

  it.each([
    ['a filter', 'SELECT ?s { ?s <urn:v> ?v FILTER(?v * 2 > 3000 && !(?v < 7)) }'],
    [
      'a sum, an average and extremes',
      'SELECT (SUM(?v) AS ?a) (AVG(?v + 1) AS ?b) (MIN(?v) AS ?c) (MAX(?v) AS ?d) { ?s <urn:v> ?v }',
    ],
    ['a sum of what IF chooses', 'SELECT (SUM(IF(?v > 500 && BOUND(?v), 1, 0)) AS ?a) { ?s <urn:v> ?v }'],
    [
      'a sum of what COALESCE chooses',
      'SELECT (SUM(COALESCE(?w, ?v)) AS ?a) { ?s <urn:v> ?v OPTIONAL { ?s <urn:w> ?w } }',
    ],
    ['a sum behind BIND', 'SELECT (SUM(?y) AS ?a) { ?s <urn:v> ?v BIND(?v * 2 AS ?x) BIND(?x + 1 AS ?y) }'],
    ['the first of many', 'SELECT ?s { ?s <urn:v> ?v } ORDER BY DESC(?v) LIMIT 3'],
    ['an order of all', 'SELECT ?s { ?s <urn:v> ?v } ORDER BY ?v'],
  ])('decode no terms for %s', async (_, query) => {
    const engine = await WorldsEngine.open({ textIndex: null, storage: undefined });
    await engine.createWorld({ slug: 'w' });
    const insert = Array.from({ length: 2000 }, (_, i) =>
      quad(namedNode(`urn:s${i}`), namedNode('urn:v'), literal(`${(i * 7919) % 2003}.5`, namedNode(`${XSD}decimal`))),
    );
    await engine.write({ source: 'w', insert });
    const term = vi.spyOn(Overlay.prototype, 'term');
    const result = await engine.select({ query, sources: ['w'] });
    let rows = 0;
    for await (const _row of result) rows++;
    expect(rows).toBeGreaterThan(0);
    // The first rows are kept as values until there are enough to compare with.
    expect(term.mock.calls.length).toBeLessThan(300);
    term.mockRestore();
    await engine.close();
  });

  it('tell more terms apart than are cached, and texts by whether they are empty', async () => {
    const engine = await WorldsEngine.open({ textIndex: null, storage: undefined });
    await engine.createWorld({ slug: 'w' });
    const texts = [literal(''), literal('a'), literal('', 'en'), literal('0', namedNode(`${XSD}boolean`))];
    const insert = Array.from({ length: 600 }, (_, i) =>
      quad(namedNode(`urn:s${i}`), namedNode('urn:t'), texts[i % 4]!),
    );
    await engine.write({ source: 'w', insert });
    const query = `SELECT ?s (IF(?s IN (<urn:s1>, <urn:s300>), 1, 0) * 2 AS ?a) (IF(?t || 1 > 2, 1, 0) * 2 AS ?b) { ?s <urn:t> ?t }`;
    for (const row of await (await engine.select({ query })).array()) {
      const number = Number(row.get('s')!.value.slice('urn:s'.length));
      expect(row.get('a')!.value).toBe(number === 1 || number === 300 ? '2' : '0');
      // Section 17.2.2: a text with a language has no effective boolean value.
      expect(row.get('b')?.value).toBe(['0', '2', undefined, '0'][number % 4]);
    }
    await engine.close();
  });

  it('read no further than an empty text, which a sign may follow', async () => {
    const engine = await WorldsEngine.open({ textIndex: null, storage: undefined });
    await engine.createWorld({ slug: 'w' });
    const insert = Array.from({ length: 40 }, (_, i) =>
      quad(
        namedNode(`urn:s${i}`),
        namedNode('urn:v'),
        i === 0 ? literal('', namedNode(`${XSD}integer`)) : literal(`-${i}`),
      ),
    );
    await engine.write({ source: 'w', insert });
    const query = (value: string) => `SELECT ?s { ?s <urn:v> ?v FILTER(${value} <= 0) }`;
    const rowsOf = async (text: string) => (await (await engine.select({ query: text })).array()).length;
    expect(await rowsOf(query('?v'))).toBe(0);
    expect(await rowsOf(query(`<${XSD}integer>(STRBEFORE(STR(?v), "-"))`))).toBe(0);
    expect(await rowsOf(query(`<${XSD}integer>(?v)`))).toBe(39);
    await engine.close();
  });

  it('claim their vectors from the memory of the request', async () => {
    const engine = await WorldsEngine.open({ textIndex: null, storage: undefined });
    await engine.createWorld({ slug: 'w' });
    const insert = Array.from({ length: 2000 }, (_, i) =>
      quad(namedNode(`urn:s${i}`), namedNode('urn:v'), literal(String(i), namedNode(`${XSD}integer`))),
    );
    await engine.write({ source: 'w', insert });
    const sums = (count: number) => Array.from({ length: count }, (_, i) => `(SUM(?v + ${i}) AS ?a${i})`).join(' ');
    const ask = async (count: number) =>
      (await engine.select({ query: `SELECT ${sums(count)} { ?s <urn:v> ?v }`, maxMemoryBytes: 4 << 20 })).array();
    expect(await ask(10)).toHaveLength(1);
    // Three vectors of 1,024 rows and 9 bytes for each of them.
    await expect(ask(1000)).rejects.toMatchObject({ code: 'LIMIT_EXCEEDED' });
    await engine.close();
  });

  it('are given up for conditions of many parts, which would need vectors each', () => {
    const slotOf = () => 0;
    const part: Expression = {
      type: 'call',
      function: '<',
      arguments: [
        { type: 'variable', name: 'v' },
        { type: 'term', term: literal('1', namedNode(`${XSD}integer`)) },
      ],
    };
    const ofParts = (count: number) =>
      balanced(
        '||',
        Array.from({ length: count }, () => part),
      );
    expect(isNumberTest(ofParts(16), slotOf)).toBe(true);
    expect(isNumberTest(ofParts(17), slotOf)).toBe(false);
  });
});
