import type * as RDF from '@rdfjs/types';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { nativeEngine, WorldsEngine } from '../../src/index.ts';
import { RowNumbers } from '../../src/sparql/exec/row-numbers.ts';
import { Scan } from '../../src/sparql/exec/scan.ts';

/** Triples that are in several graphs and worlds, and subjects that share their objects. */
const DATA = Array.from({ length: 60 }, (_, i) => {
  const triples = [
    `<urn:s${i}> <urn:p> <urn:o${i % 7}>`,
    `<urn:s${i}> <urn:q> <urn:o${i % 3}>`,
    `<urn:s${i % 9}> <urn:p> <urn:s${i % 9}>`,
    `<urn:o${i % 7}> <urn:kind> "${i % 2}"`,
  ];
  return triples.flatMap((triple) => [`${triple} .`, `${triple} <urn:g> .`, `${triple} <urn:h${i % 2}> .`]).join('\n');
}).join('\n');

/** The plan proves that these give no row twice. */
const PROVEN = [
  'SELECT DISTINCT * { ?s <urn:p> ?o }',
  'SELECT DISTINCT ?o ?s { ?s <urn:p> ?o FILTER(?s != ?o) }',
  'SELECT DISTINCT * { ?s ?p ?o }',
  'SELECT DISTINCT ?g ?s ?o { GRAPH ?g { ?s <urn:p> ?o } }',
  'SELECT DISTINCT ?s ?o { GRAPH <urn:g> { ?s <urn:p> ?o } }',
  'SELECT DISTINCT ?s { ?s <urn:p> ?s . ?s <urn:q> <urn:o1> }',
  'SELECT DISTINCT ?s ?o ?k { ?s <urn:p> ?o . ?o <urn:kind> ?k }',
  'CONSTRUCT { ?s <urn:new> ?o } { ?s <urn:p> ?o }',
  'CONSTRUCT { ?o <urn:of> ?s . ?s <urn:new> ?o } { ?s <urn:p> ?o }',
  'CONSTRUCT { ?s ?p ?o } { ?s <urn:q> <urn:o1> ; ?p ?o }',
  'CONSTRUCT { ?s <urn:new> <urn:thing> } { ?s <urn:q> <urn:o1> }',
];

/** Rows or triples may come twice here. */
const OPEN = [
  'SELECT DISTINCT ?o { ?s <urn:p> ?o . ?s <urn:q> ?x }',
  'SELECT DISTINCT ?s ?o { GRAPH ?g { ?s <urn:p> ?o } }',
  'SELECT DISTINCT ?k { ?s <urn:p> ?o . ?o <urn:kind> ?k }',
  'SELECT DISTINCT ?s ?o { { ?s <urn:p> ?o } UNION { ?s <urn:p> ?o } }',
  'SELECT DISTINCT ?s ?o { ?s <urn:q> ?x OPTIONAL { ?s <urn:p> ?o } }',
  'SELECT DISTINCT ?s ?o { VALUES (?s ?o) { (<urn:s1> UNDEF) (UNDEF <urn:o1>) (<urn:s1> UNDEF) } ?s <urn:p> ?o }',
  'SELECT DISTINCT ?s (STR(?k) AS ?t) { ?s <urn:kind> ?k }',
  'CONSTRUCT { ?o <urn:new> ?k } { ?s <urn:p> ?o . ?o <urn:kind> ?k }',
  'CONSTRUCT { ?s <urn:new> ?o . ?o <urn:new> ?s } { ?s <urn:p> ?o }',
  'CONSTRUCT { ?s <urn:new> ?o . <urn:x> <urn:y> ?o } { ?s <urn:p> ?o }',
  'CONSTRUCT { ?s <urn:p> ?o . ?s ?p ?o } { ?s ?p ?o }',
  'CONSTRUCT { ?s <urn:new> ?o } { GRAPH ?g { ?s <urn:p> ?o } }',
  'CONSTRUCT { ?s <urn:new> ?o } { ?s <urn:p>/<urn:kind> ?o }',
];

describe('rows that the plan proves distinct', () => {
  const engines: WorldsEngine[] = [];
  beforeAll(async () => {
    for (const options of [{}, { batchRows: 3 }, { optimize: false }]) {
      const engine = await WorldsEngine.open({ sparql: nativeEngine(options), textIndex: null, storage: undefined });
      for (const slug of ['one', 'two']) {
        await engine.createWorld({ slug });
        await engine.import({ source: slug, data: DATA, contentType: 'application/n-quads' });
      }
      engines.push(engine);
    }
  });
  afterAll(() => Promise.all(engines.map((engine) => engine.close())));

  async function answer(engine: WorldsEngine, query: string, sources: string[]): Promise<string[]> {
    const all: string[] = [];
    if (query.startsWith('SELECT')) {
      for await (const row of await engine.select({ query, sources }))
        all.push(
          [...row]
            .map(([name, { value }]) => `${name}=${value}`)
            .sort()
            .join(' '),
        );
    } else {
      const value = ({ value }: RDF.Term) => value;
      for await (const { subject, predicate, object } of await engine.construct({ query, sources }))
        all.push([subject, predicate, object].map(value).join(' '));
    }
    return all.sort();
  }

  /** Counts the rows that go into a set. */
  function countRows() {
    let rows = 0;
    const { assign, numberOfTwo } = RowNumbers.prototype;
    vi.spyOn(RowNumbers.prototype, 'assign').mockImplementation(function (this: RowNumbers, ...args) {
      rows += args[2] - args[1];
      return assign.apply(this, args);
    });
    vi.spyOn(RowNumbers.prototype, 'numberOfTwo').mockImplementation(function (this: RowNumbers, ...args) {
      rows++;
      return numberOfTwo.apply(this, args);
    });
    return () => {
      vi.restoreAllMocks();
      return rows;
    };
  }

  it.each([...PROVEN, ...OPEN])('%s', async (query) => {
    for (const sources of [['one'], ['one', 'two']]) {
      const [fast, small, general] = engines;
      const right = await answer(general!, query, sources);
      expect(right.length).toBeGreaterThan(0);
      expect(new Set(right).size).toBe(right.length);
      for (const engine of [fast!, small!]) {
        const count = countRows();
        expect(await answer(engine, query, sources), query).toEqual(right);
        const rows = count();
        if (PROVEN.includes(query)) expect(rows, query).toBe(0);
      }
    }
  });

  it('a scan that takes its rows for distinct without the graph is noticed', async () => {
    const query = 'CONSTRUCT { ?s <urn:new> ?o } { GRAPH ?g { ?s <urn:p> ?o } }';
    const right = await answer(engines[0]!, query, ['one']);
    const planted = vi.spyOn(Scan.prototype, 'isDistinct', 'get').mockReturnValue(true);
    expect((await answer(engines[0]!, query, ['one'])).length).toBeGreaterThan(right.length);
    planted.mockRestore();
  });
});

describe('rows that follow each other if they are equal', () => {
  const variables = ['s', 'p', 'o'];
  const subsets = [1, 2, 3, 4, 5, 6, 7].map((bits) => variables.filter((_, i) => bits & (1 << i)));
  const patterns = [0, 1, 2, 3, 4, 5, 6].map((bits) =>
    ['<urn:s1>', '<urn:p>', '<urn:o1>'].map((term, i) => (bits & (1 << i) ? term : `?${variables[i]}`)),
  );
  patterns.push(['?s', '?p', '?s'], ['?s', '<urn:p>', '?s']);
  const wholes = patterns.flatMap((pattern) => {
    const text = pattern.join(' ');
    return [
      { text, pattern },
      { text: `GRAPH <urn:g> { ${text} }`, pattern },
      { text: `GRAPH ?g { ${text} }`, pattern },
      { text: `${text} FILTER(?s != <urn:s3>)`, pattern },
      { text: `${text} . ?o <urn:kind> ?k`, pattern },
    ];
  });
  let engine: WorldsEngine;
  beforeAll(async () => {
    engine = await WorldsEngine.open({ textIndex: null, storage: undefined, sparql: nativeEngine({ batchRows: 5 }) });
    for (const slug of ['one', 'two']) {
      await engine.createWorld({ slug });
      await engine.import({ source: slug, data: DATA, contentType: 'application/n-quads' });
      // Several runs.
      for (const row of ['<urn:s1> <urn:a> <urn:o9>', '<urn:s70> <urn:p> <urn:o1>', '<urn:s0> <urn:p> <urn:s5>'])
        await engine.update({ sources: [slug], query: `INSERT DATA { ${row} GRAPH <urn:g> { ${row} } }` });
    }
  });
  afterAll(() => engine.close());

  it.each([['one'], ['one', 'two']])('are counted and reduced as distinct ones: %s %s', async (...sources) => {
    const remembered = vi.spyOn(RowNumbers.prototype, 'assign');
    const asked = { least: 0, all: 0 };
    for (const { text, pattern } of wholes) {
      const rows = await engine.select({ query: `SELECT * { ${text} }`, sources });
      const values: (string | undefined)[][] = [];
      for await (const row of rows) values.push(variables.map((name) => row.get(name)?.value));
      for (const subset of subsets.filter((names) => names.every((name) => pattern.includes(`?${name}`)))) {
        const keyOf = (row: readonly (string | undefined)[], names = subset) =>
          names.map((name) => row[variables.indexOf(name)]).join(' ');
        remembered.mockClear();
        const distinct = await engine.select({
          query: `SELECT DISTINCT ${subset.map((name) => `?${name}`).join(' ')} { ${text} }`,
          sources,
        });
        const found: string[] = [];
        for await (const row of distinct) found.push(subset.map((name) => row.get(name)!.value).join(' '));
        asked.all++;
        if (remembered.mock.calls.length === 0) asked.least++;
        expect(found.sort()).toEqual([...new Set(values.map((row) => keyOf(row)))].sort());

        const [counted, ...keys] = subset.toReversed();
        const by = keys.map((name) => `?${name}`).join(' ');
        const counts = await engine.select({
          query: `SELECT ${by} (COUNT(DISTINCT ?${counted}) AS ?n) { ${text} } ${by && `GROUP BY ${by}`}`,
          sources,
        });
        const expected = new Map<string, Set<string>>(by === '' ? [['', new Set()]] : []);
        for (const row of values) {
          const key = keyOf(row, keys);
          if (!expected.has(key)) expected.set(key, new Set());
          expected.get(key)!.add(keyOf(row, [counted]));
        }
        const numbers = new Map<string, number>();
        for await (const row of counts)
          numbers.set(keys.map((name) => row.get(name)!.value).join(' '), Number(row.get('n')!.value));
        expect(numbers).toEqual(new Map([...expected].map(([key, set]) => [key, set.size])));
      }
    }
    remembered.mockRestore();
    // Some are known to follow each other, others are not.
    expect(asked.least).toBeGreaterThan(asked.all / 4);
    expect(asked.least).toBeLessThan(asked.all);
  });
});
