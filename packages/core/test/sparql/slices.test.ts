import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { Slicer } from '../../src/contracts/slicer.ts';
import { RESULT_FORMATS, WorldsEngine, writeQueryResult } from '../../src/index.ts';
import { Execution } from '../../src/sparql/exec/execution.ts';

const ROWS = 20_000;
const HUB = 50_000;
const FEW = 1000;

let engine: WorldsEngine;
beforeAll(async () => {
  engine = await WorldsEngine.open({ textIndex: null });
  await engine.createWorld({ slug: 'w' });
  const lines: string[] = [];
  for (let i = 0; i < ROWS; i++)
    lines.push(`<urn:s${i}> <urn:p> <urn:o${i % 100}> .`, `<urn:s${i}> <urn:name> "name ${i}" .`);
  for (let i = 0; i < HUB; i++) lines.push(`<urn:hub> <urn:link> <urn:n${i}> .`);
  for (let i = 0; i < FEW; i++) lines.push(`<urn:f${i}> <urn:few> <urn:g${i}> .`);
  await engine.import({ source: 'w', data: lines.join('\n') });
});
afterAll(() => engine.close());
afterEach(() => vi.restoreAllMocks());

const few = (variable: string) =>
  `{ SELECT ${variable} { ${variable} <urn:few> ?${variable.slice(1)}0 } LIMIT ${FEW} }`;
const pairs = FEW * FEW;
const list = (length: number, item: (i: number) => string) => Array.from({ length }, (_, i) => item(i)).join(' ');

/**
 * Queries, and how often each must look at the clock at the least: by what it has to do, not by how
 * fast.
 */
const QUERIES: readonly (readonly [name: string, query: string, looks: number])[] = [
  ['a scan', 'SELECT * { ?s <urn:name> ?n }', ROWS / 1024],
  ['a join', 'SELECT * { ?s <urn:name> ?n . ?s <urn:p> ?o }', (2 * ROWS) / 1024],
  ['a filter', 'SELECT * { ?s <urn:name> ?n FILTER(STRLEN(UCASE(?n)) > 100) }', ROWS / 64],
  ['a filter of batches', 'SELECT * { ?s <urn:name> ?n FILTER(STRLEN(?n) > 100) }', (2 * ROWS) / 1024],
  ['a pattern', 'SELECT * { ?s <urn:name> ?n FILTER REGEX(?n, "(a|b)+c") }', ROWS / 64],
  ['a computed value', 'SELECT * { ?s <urn:name> ?n BIND(UCASE(?n) AS ?u) }', ROWS / 64],
  [
    'pairs that a condition refuses',
    `SELECT * { ${few('?a')} OPTIONAL { ${few('?b')} FILTER(?a + ?b = -1) } }`,
    pairs / 64,
  ],
  [
    'pairs that disagree',
    `SELECT * { VALUES (?a ?b) { ${list(FEW, (i) => `(${i} UNDEF)`)} } MINUS { VALUES (?a ?b) { ${list(FEW, (i) => `(-${i + 1} UNDEF)`)} (UNDEF 1) } } }`,
    pairs / 64,
  ],
  ['the table of a hash join', 'SELECT * { ?s <urn:few> ?g MINUS { SELECT ?s { ?s <urn:p> ?o } } }', ROWS / 1024],
  [
    'candidates of a range that the condition refuses',
    'SELECT * { ?s <urn:few> ?g FILTER EXISTS { ?t <urn:few> ?h FILTER(?h < ?g) } }',
    pairs / 64,
  ],
  [
    'an OPTIONAL with a condition',
    'SELECT * { ?s <urn:p> ?o OPTIONAL { ?s <urn:name> ?n FILTER(STRLEN(?n) + STRLEN(STR(?o)) > 99) } }',
    ROWS / 64,
  ],
  ['a sort', 'SELECT * { ?s <urn:name> ?n } ORDER BY DESC(STRLEN(?n)) ?n', ROWS / 64 + (2 * ROWS) / 1024],
  [
    'a sort by many keys',
    `SELECT * { ?s <urn:few> ?n } ORDER BY ${list(300, (i) => `?k${i}`)} ?n`,
    FEW / 64 + FEW / 16,
  ],
  [
    'a sort of long texts',
    `SELECT * { ?s <urn:few> ?g BIND(CONCAT("${'é'.repeat(5000)}", STR(?s)) AS ?t) } ORDER BY ?t`,
    // Four merges that look at the clock every 16 rows.
    (4 * FEW) / 16,
  ],
  ['a sort of which some is kept', 'SELECT * { ?s <urn:name> ?n } ORDER BY DESC(?n) LIMIT 4000', ROWS / 64 + 3],
  ['DISTINCT', 'SELECT DISTINCT ?s ?n { ?s <urn:name> ?n }', (2 * ROWS) / 1024],
  ['groups', 'SELECT ?n (COUNT(*) AS ?c) { ?s <urn:name> ?n } GROUP BY ?n', (2 * ROWS) / 1024],
  ['an aggregate of values', 'SELECT (SUM(STRLEN(UCASE(?n))) AS ?c) { ?s <urn:name> ?n }', ROWS / 64],
  ['an aggregate of a computed number', 'SELECT (SUM(STRLEN(?n)) AS ?c) { ?s <urn:name> ?n }', ROWS / 64],
  ['the results of groups', 'SELECT ?n (SAMPLE(UCASE(?n)) AS ?u) { ?s <urn:name> ?n } GROUP BY ?n', (2 * ROWS) / 64],
  [
    'many conditions',
    `SELECT * { ?s <urn:few> <urn:g1> ${list(3200, (i) => `FILTER(?s != <urn:x${i}>)`)} }`,
    3200 / 32,
  ],
  ['GROUP_CONCAT', 'SELECT (GROUP_CONCAT(?n) AS ?c) { ?s <urn:name> ?n }', ROWS / 64],
  ['COUNT DISTINCT', 'SELECT (COUNT(DISTINCT ?n) AS ?c) { ?s <urn:name> ?n }', (2 * ROWS) / 1024],
  ['a path from a node of many', 'SELECT * { <urn:hub> <urn:link>+ ?x }', HUB / 1024 + HUB / 4096],
  ['a path between any nodes', 'SELECT * { ?x <urn:link>* ?y }', (2 * HUB) / 1024],
  ['alternatives of paths', 'SELECT * { <urn:hub> (<urn:link>|<urn:p>|!<urn:q>)? ?x }', (2 * HUB) / 1024],
  ['a deep path of few nodes', `SELECT * { <urn:f1> ${'('.repeat(200)}<urn:few>${'?)'.repeat(200)}* ?x }`, 400],
  ['VALUES', `SELECT * { VALUES ?x { ${list(ROWS, (i) => String(i))} } }`, ROWS / 1024 - 1],
  ['UNION', `SELECT * { ${'{ ?s <urn:few> <urn:g1> } UNION '.repeat(500)} {} }`, 500],
  ['EXISTS for each row', 'SELECT * { ?s <urn:few> ?g FILTER EXISTS { SELECT ?s { ?s <urn:few> ?h } LIMIT 1 } }', FEW],
  [
    'EXISTS in an expression',
    'SELECT * { ?s <urn:name> ?n FILTER(UCASE(?n) = "x" || EXISTS { ?s <urn:p> ?o }) }',
    ROWS / 64,
  ],
  [
    'EXISTS in an expression on ids',
    'SELECT * { ?s <urn:name> ?n FILTER(?n = "x" || EXISTS { ?s <urn:p> ?o }) }',
    ROWS / 1024,
  ],
  [
    'EXISTS in an expression, for each row',
    'SELECT * { ?s <urn:few> ?g BIND(IF(EXISTS { SELECT ?s { ?s <urn:few> ?h } LIMIT 1 }, 1, 2) AS ?b) }',
    FEW,
  ],
  ['EXISTS in a key of ORDER BY', 'SELECT * { ?s <urn:few> ?g } ORDER BY (EXISTS { ?s <urn:p> ?o })', FEW / 64],
  ['EXISTS in an aggregate', 'SELECT (SUM(IF(EXISTS { ?s <urn:p> ?o }, 1, 0)) AS ?c) { ?s <urn:name> ?n }', ROWS / 64],
  [
    'EXISTS in the condition of an OPTIONAL',
    'SELECT * { ?s <urn:few> ?g OPTIONAL { ?s <urn:few> ?h FILTER(?h = 1 || EXISTS { ?s <urn:p> ?o }) } }',
    FEW / 64,
  ],
  [
    'EXISTS in the condition of an OPTIONAL that is joined',
    'SELECT * { ?s <urn:few> <urn:g1> OPTIONAL { { SELECT ?h { ?x <urn:few> ?h } LIMIT 1 } FILTER(?h = 1 || EXISTS { ?a <urn:few> ?b . ?c <urn:few> ?d FILTER(STRLEN(UCASE(STR(?b))) < STRLEN(STR(?d)) - 99) }) } }',
    pairs / 64,
  ],
  [
    'alternatives of a path from a node without links',
    `SELECT * { <urn:o1> (${'<urn:p>|'.repeat(6400)}<urn:few>)* ?o }`,
    6400 / 64,
  ],
  ['alternatives of a path without links', `SELECT * { ?s (${'<urn:o1>|'.repeat(6400)}<urn:few>) ?o }`, 6400 / 64],
  [
    'a sequence of a path from a node without links',
    `SELECT * { <urn:o1> (${'<urn:p>/'.repeat(6400)}<urn:few>)* ?o }`,
    6400 / 64,
  ],
  ['CONSTRUCT', `CONSTRUCT { ${list(100, (i) => `?s <urn:q${i}> ?g .`)} } WHERE { ?s <urn:few> ?g }`, 100],
  [
    'the template of CONSTRUCT, for one solution',
    `CONSTRUCT { ${list(6400, (i) => `_:b <urn:q${i}> ?g .`)} } WHERE { ?s <urn:few> ?g } LIMIT 1`,
    // It is resolved, then instantiated.
    (2 * 6400) / 64,
  ],
  [
    'the template of CONSTRUCT, of which nothing is bound',
    `CONSTRUCT { ${list(6400, (i) => `?s <urn:q> ?v${i} .`)} } WHERE { ?s <urn:few> ?g } LIMIT 1`,
    6400 / 64 + 6400,
  ],
  ['DESCRIBE', 'DESCRIBE <urn:hub>', HUB / 1024],
  ['ASK', 'ASK { ?s <urn:name> ?n FILTER(STRLEN(UCASE(?n)) > 100) }', ROWS / 64],
];

/** Reads a result to its end. */
async function read(query: string, signal?: AbortSignal): Promise<void> {
  const result = await engine.query({ query, signal });
  if (result.type === 'bindings' || result.type === 'quads')
    for await (const batch of result.batches) void batch.length;
}

describe('a query looks at the clock', () => {
  it.each(QUERIES)('%s', async (_, query, atLeast) => {
    let looks = 0;
    vi.spyOn(Execution.prototype, 'pauseDue', 'get').mockImplementation(() => {
      looks++;
      return false;
    });
    await read(query);
    expect(looks).toBeGreaterThanOrEqual(Math.floor(atLeast));
  });
});

describe('a query that is cancelled stops when it looks next', () => {
  it.each(QUERIES)('%s', async (_, query, atLeast) => {
    const controller = new AbortController();
    const last = Math.min(5, Math.floor(atLeast));
    let looks = 0;
    vi.spyOn(Execution.prototype, 'pauseDue', 'get').mockImplementation(() => {
      if (++looks === last) controller.abort();
      return true;
    });
    await expect(read(query, controller.signal)).rejects.toMatchObject({ code: 'ABORTED' });
    expect(looks).toBeLessThanOrEqual(last + 1);
  });
});

/** How often the work that is not of a query looks at the clock. */
async function slicerLooks(run: () => Promise<unknown>): Promise<number> {
  let looks = 0;
  vi.spyOn(Slicer.prototype, 'due', 'get').mockImplementation(() => {
    looks++;
    return false;
  });
  await run();
  vi.restoreAllMocks();
  return looks;
}

describe('what is around a query looks at the clock', () => {
  it.each(RESULT_FORMATS.map(({ mediaType }) => mediaType))(
    'a writer of %s, also when its rows hold next to nothing',
    async (mediaType) => {
      const looks = await slicerLooks(async () => {
        const result = await engine.query({ query: 'SELECT ?nothing { ?s <urn:name> ?n }' });
        for await (const chunk of writeQueryResult(result, mediaType)) expect(chunk.length).toBeGreaterThan(0);
      });
      expect(looks).toBeGreaterThanOrEqual(Math.floor(ROWS / 64) - 1);
    },
  );

  it.each(RESULT_FORMATS.map(({ mediaType }) => mediaType))(
    'a writer of %s, between the long texts of one row',
    async (mediaType) => {
      const query = `SELECT ${list(12, (i) => `(GROUP_CONCAT(?n; SEPARATOR="${'-'.repeat(20)}${i}") AS ?t${i})`)} { ?s <urn:name> ?n }`;
      let bytes = 0;
      const looks = await slicerLooks(async () => {
        const result = await engine.query({ query });
        for await (const chunk of writeQueryResult(result, mediaType)) bytes += chunk.length;
      });
      expect(bytes).toBeGreaterThan(12 * ROWS * 20);
      expect(looks).toBeGreaterThanOrEqual(11);
    },
  );

  it('the answer as an object', async () => {
    const looks = await slicerLooks(() => engine.sparql({ query: 'SELECT ?nothing { ?s <urn:name> ?n }' }));
    expect(looks).toBeGreaterThanOrEqual(Math.floor(ROWS / 64));
  });

  it('updates: data in the text, and graphs that are copied', async () => {
    await engine.createWorld({ slug: 'target', ifExists: 'return' });
    const data = list(ROWS, (i) => `<urn:x${i}> <urn:y> ${i} .`);
    const inserts = await slicerLooks(() => engine.update({ sources: ['target'], query: `INSERT DATA { ${data} }` }));
    expect(inserts).toBeGreaterThanOrEqual(ROWS / 64);
    let looks = 0;
    vi.spyOn(Execution.prototype, 'pauseDue', 'get').mockImplementation(() => {
      looks++;
      return false;
    });
    const template = list(6400, (i) => `_:b <urn:q${i}> ?g .`);
    const deleted = list(6400, (i) => `?s <urn:p${i}> ?g .`);
    const where = '{ SELECT * { ?s <urn:y> ?g } LIMIT 1 }';
    const query = `DELETE { ${deleted} } INSERT { ${template} } WHERE { ${where} }`;
    await engine.update({ sources: ['target'], query });
    vi.restoreAllMocks();
    expect(looks).toBeGreaterThanOrEqual((4 * 6400) / 64);
    const copies = await slicerLooks(() => engine.update({ sources: ['target'], query: 'COPY DEFAULT TO <urn:copy>' }));
    expect(copies).toBeGreaterThanOrEqual(ROWS / 1024);
  });
});
