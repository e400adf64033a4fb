import { randomQuads } from '@rdf-worlds/testkit';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { nativeEngine, WorldsEngine } from '../../src/index.ts';
import { Overlay } from '../../src/quads/overlay.ts';

const NUMBERS = [
  '1',
  '01',
  '1.0',
  '1e0',
  '2',
  '10',
  '-3',
  '"2"',
  '"10"',
  '"a"',
  '"a"@en',
  '"b"',
  'true',
  '<urn:x>',
  '_:b',
];

describe.each([1, 3, 1024])('ORDER BY, with batches of %i rows', (batchRows) => {
  let engine: WorldsEngine;
  beforeAll(async () => {
    engine = await WorldsEngine.open({ sparql: nativeEngine({ batchRows }), textIndex: null });
    await engine.createWorld({ slug: 'w' });
    await engine.import({ source: 'w', data: randomQuads(7, { tripleTerms: true }) });
    const rows = Array.from({ length: 400 }, (_, i) => {
      const [a, b] = [NUMBERS[(i * 7) % NUMBERS.length], NUMBERS[(i * i) % NUMBERS.length]];
      return `<urn:s${i}> <urn:a> ${a} . ${i % 3 === 0 ? '' : `<urn:s${i}> <urn:b> ${b} .`}`;
    });
    await engine.import({ source: 'w', data: rows.join('\n'), contentType: 'text/turtle' });
    return () => engine.close();
  });

  const rowsOf = async (query: string) => {
    const { variables, batches } = await engine.query({ query, sources: ['w'] }).then((result) => {
      if (result.type !== 'bindings') throw new Error(result.type);
      return result;
    });
    const rows: string[] = [];
    for await (const batch of batches) {
      for (let row = 0; row < batch.length; row++)
        rows.push(variables.map((_, column) => JSON.stringify(batch.term(row, column) ?? null)).join(' '));
    }
    return rows;
  };

  // Few rows are ranked, and more are compared with the last of those that are kept.
  it.each([1, 2, 3, 4])('a page deep in %i times 400 rows is a part of all rows', async (times) => {
    const part = '{ ?s <urn:a> ?a OPTIONAL { ?s <urn:b> ?b } }';
    const query = `SELECT * { ${Array(times).fill(part).join(' UNION ')} } ORDER BY DESC(?b) ?a ?s`;
    const all = await rowsOf(query);
    expect(all.length).toBe(times * 400);
    expect(await rowsOf(`${query} LIMIT 20 OFFSET 250`)).toEqual(all.slice(250, 270));
  });

  // A key that is an expression is compared row by row; a variable by the ranks of its terms. Both
  // keep equal rows as they came.
  it.each([
    ['?a', '(IF(true, ?a, ?b))'],
    ['DESC(?a) ?b', 'DESC(IF(true, ?a, ?b)) (IF(true, ?b, ?a))'],
    ['?b DESC(?a)', '(COALESCE(?b, ?none)) DESC(COALESCE(?a, ?none))'],
    ['DESC(?b) DESC(?b) ?s', 'DESC(COALESCE(?b, ?none)) (STR(?s))'],
  ])('by %s is by %s', async (variables, expressions) => {
    const where = 'SELECT ?s ?a ?b { ?s <urn:a> ?a OPTIONAL { ?s <urn:b> ?b } }';
    const rows = await rowsOf(`${where} ORDER BY ${variables}`);
    expect(rows).toHaveLength(400);
    expect(new Set(rows).size).toBe(400);
    expect(rows).toEqual(await rowsOf(`${where} ORDER BY ${expressions}`));
    expect(await rowsOf(`${where} ORDER BY ${variables} OFFSET 17 LIMIT 100`)).toEqual(rows.slice(17, 117));
    expect(await rowsOf(`${where} ORDER BY ${variables} OFFSET 17 LIMIT 100000`)).toEqual(rows.slice(17));
  });

  it('of all kinds of terms', async () => {
    const where = 'SELECT ?s ?p ?o { ?s ?p ?o }';
    const rows = await rowsOf(`${where} ORDER BY ?o ?p ?s`);
    expect(rows).toEqual(await rowsOf(`${where} ORDER BY (IF(true, ?o, ?s)) (IF(true, ?p, ?s)) (IF(true, ?s, ?p))`));
  });
});

describe('ORDER BY with LIMIT', () => {
  it('decodes the second key only of rows whose first key ties with the last one kept', async () => {
    const engine = await WorldsEngine.open({ textIndex: null });
    await engine.createWorld({ slug: 'w' });
    // Strings as first keys: numbers are compared in batches.
    const data = Array.from({ length: 5000 }, (_, i) => `<urn:s${i}> <urn:p> "${9 - (i % 10)}"@en, "text ${i}" .`);
    await engine.import({ source: 'w', data: data.join('\n'), contentType: 'text/turtle' });
    const texts = new Set<string>();
    const term = vi.spyOn(Overlay.prototype, 'term').mockImplementation(function (this: Overlay, id) {
      const found = right.call(this, id);
      if (found.value.startsWith('text')) texts.add(found.value);
      return found;
    });
    const query = `SELECT ?a ?b { ?s <urn:p> ?a, ?b FILTER(LANG(?a) = "en" && LANG(?b) = "") } ORDER BY ?a ?b LIMIT 3`;
    const rows = await (await engine.select({ query, sources: ['w'] })).array();
    expect(rows.map((row) => row.get('b')!.value)).toEqual(['text 1009', 'text 1019', 'text 1029']);
    term.mockRestore();
    // A tenth of the rows have the first key that is kept, and some are read before it is known.
    expect(texts.size).toBeGreaterThan(400);
    expect(texts.size).toBeLessThan(700);
    await engine.close();
  });
});

describe('ORDER BY with LIMIT, of rows that come in the opposite order', () => {
  const xsd = (value: string, type: string) => `"${value}"^^<http://www.w3.org/2001/XMLSchema#${type}>`;
  const day = (i: number) => new Date(1.7e12 + i * 86_400_000).toISOString();
  const VALUES: readonly [string, (i: number) => string][] = [
    ['times', (i) => xsd(day(i), 'dateTime')],
    ['times that are often equal', (i) => xsd(day(i >> 6), 'dateTime')],
    [
      'fractions of seconds',
      (i) => xsd(`2024-01-01T00:00:${10 + (i >> 8)}.${String(i).padStart(4, '0')}Z`, 'dateTime'),
    ],
    ['integers and decimals', (i) => (i % 2 === 0 ? `${i}` : `${i}.5`)],
    ['integers and more than a double can hold', (i) => (i % 5 === 0 ? `9007199254740${i + 100}99` : `${i}`)],
    ['several kinds', (i) => [`${i}`, xsd(day(i), 'date'), xsd(day(i), 'dateTime'), `"${i}"`, '<urn:x>'][i % 5]],
  ];

  it.each(VALUES)('%s', async (_, textOf) => {
    const engine = await WorldsEngine.open({ textIndex: null });
    await engine.createWorld({ slug: 'w' });
    const data = Array.from({ length: 6000 }, (_, i) => `<urn:s${String(i).padStart(4, '0')}> <urn:p> ${textOf(i)} .`);
    await engine.import({ source: 'w', data: data.join('\n'), contentType: 'text/turtle' });
    const where = 'SELECT ?s ?v { ?s <urn:p> ?v }';
    for (const order of ['DESC(?v)', '?v', 'DESC(?v) DESC(?s)']) {
      const rowsOf = async (query: string) =>
        (await (await engine.select({ query, sources: ['w'] })).array()).map((row) => row.get('s')!.value);
      // A key that is no plain variable is not compared as a number.
      const all = await rowsOf(`${where} ORDER BY ${order.replace('?v', '(IF(BOUND(?v), ?v, ?s))')}`);
      for (const limit of [1, 3, 40, 256, 300])
        expect(await rowsOf(`${where} ORDER BY ${order} LIMIT ${limit}`), order).toEqual(all.slice(0, limit));
    }
    await engine.close();
  });

  it('decodes few of them', async () => {
    const engine = await WorldsEngine.open({ textIndex: null });
    await engine.createWorld({ slug: 'w' });
    const data = Array.from({ length: 20_000 }, (_, i) => `<urn:s${i}> <urn:p> ${xsd(day(i), 'dateTime')} .`);
    await engine.import({ source: 'w', data: data.join('\n'), contentType: 'text/turtle' });
    let decoded = 0;
    const term = vi.spyOn(Overlay.prototype, 'term').mockImplementation(function (this: Overlay, id) {
      decoded++;
      return right.call(this, id);
    });
    const query = 'SELECT ?s ?v { ?s <urn:p> ?v } ORDER BY DESC(?v) LIMIT 5';
    expect(await (await engine.select({ query, sources: ['w'] })).array()).toHaveLength(5);
    term.mockRestore();
    // Those of the first batch, and a few of each further one.
    expect(decoded).toBeGreaterThan(5);
    expect(decoded).toBeLessThan(5000);
    await engine.close();
  });
});

const right = Overlay.prototype.term;
