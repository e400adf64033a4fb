import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dataFactory, WorldsEngine, WorldsError, writeQueryResult } from '../../src/index.ts';
import { LONG_QUERY } from './long-query.ts';

let engine: WorldsEngine;
beforeAll(async () => {
  engine = await WorldsEngine.open({ textIndex: null });
  for (const slug of ['w', 'written']) await engine.createWorld({ slug });
  const lines: string[] = [];
  for (let i = 0; i < 100; i++) lines.push(`<urn:s${i}> <urn:p${i % 3}> <urn:s${(i + 1) % 100}> .`);
  lines.push(
    '<urn:s0> <urn:p0> "a" <urn:g0> .',
    '<urn:s0> <urn:p0> <<( <urn:a> <urn:b> <<( <urn:a> <urn:b> "c" )>> )>> .',
  );
  await engine.import({ source: 'w', data: lines.join('\n') });
});
afterAll(() => engine.close());

const list = (length: number, item: (i: number) => string, separator = ' ') =>
  Array.from({ length }, (_, i) => item(i)).join(separator);
const nest = (open: string, inner: string, close: string) => (depth: number) =>
  open.repeat(depth) + inner + close.repeat(depth);
const where = (pattern: (n: number) => string) => (n: number) => `SELECT * { ${pattern(n)} }`;
const bind = (expression: (n: number) => string) => where((n) => `?s ?p ?o BIND(${expression(n)} AS ?z)`);
const filter = (expression: (n: number) => string) => where((n) => `?s ?p ?o FILTER(${expression(n)})`);

/**
 * How long a query may take before its deadline must end it. LONG_TESTS=1 lets it go three times as
 * far.
 */
const DEADLINE_MS = process.env['LONG_TESTS'] ? 300 : 100;

const STRIDE = process.env['LONG_TESTS'] ? 1 : 11;

type Texts = Readonly<Record<string, (n: number) => string>>;

const NESTED: Texts = {
  groups: where(nest('{ ?s ?p ?o ', '', '}')),
  optionals: where(nest('?s <urn:p0> ?o OPTIONAL {', '?s ?p ?x', '}')),
  'optionals of new variables': where(
    (n) => `${list(n, (i) => `?s${i} <urn:p0> ?s${i + 1} OPTIONAL {`)} ?s0 ?p ?o ${'}'.repeat(n)}`,
  ),
  unions: where(nest('{ ?s <urn:p0> ?o } UNION {', '?s ?p ?o', '}')),
  minus: where(nest('?s <urn:p0> ?o MINUS {', '?s ?p ?o', '}')),
  exists: where(nest('?s <urn:p0> ?o FILTER EXISTS {', '?s ?p ?o', '}')),
  'exists in expressions': where(nest('?s <urn:p0> ?o FILTER(?o = 1 || EXISTS {', '?s ?p ?o', '})')),
  graphs: where(nest('GRAPH ?g {', '?s ?p ?o', '}')),
  subqueries: where(nest('{ SELECT DISTINCT * {', '?s ?p ?o', '} ORDER BY ?s LIMIT 3 }')),
  counts: where(
    (n) => `${list(n, (i) => `{ SELECT (COUNT(?c${i}) AS ?c${i + 1}) {`)} ?c${n - 1} ?p ?o ${'} }'.repeat(n)}`,
  ),
  brackets: filter(nest('(', '?s', ')')),
  negations: filter(nest('!', '?s', '')),
  calls: bind(nest('STR(', '?s', ')')),
  conditions: bind(nest('IF(?s = ?o, 1, ', '?s', ')')),
  concatenations: bind(nest('CONCAT(', '"a"', ', STR(?s))')),
  sums: bind((n) => `1${' + 1'.repeat(n)}`),
  closures: where((n) => `<urn:s0> ${nest('(', '<urn:p0>', ')*')(n)} ?o`),
  'closures of sequences': where((n) => `<urn:s0> ${nest('(', '<urn:p0>', '/<urn:p1>)+')(n)} ?o`),
  'inverse alternatives': where((n) => `?s ${nest('^(', '<urn:p0>', '|<urn:p1>)')(n)} ?o`),
  collections: where((n) => `?s ?p ${nest('(', '1', ')')(n)}`),
  'blank nodes': where((n) => `?s ?p ${nest('[ ?p ', '1', ']')(n)}`),
  'triple terms': where((n) => `?s ?p ${nest('<<( <urn:a> <urn:b> ', '?x', ')>>')(n)}`),
  'triple terms in expressions': bind(nest('TRIPLE(<urn:a>, <urn:b>, ', '1', ')')),
  'triple terms in data': (n) => `INSERT DATA { <urn:a> <urn:b> ${nest('<<( <urn:a> <urn:b> ', '1', ')>>')(n)} }`,
  'collections in data': (n) => `INSERT DATA { <urn:a> <urn:b> ${nest('(', '1', ')')(n)} }`,
  'many OPTIONAL': where((n) => `?s <urn:p0> ?o ${list(n, (i) => `OPTIONAL { ?s <urn:p0> ?o${i} }`)}`),
  'many OPTIONAL, each upon the last': where((n) => list(n, (i) => `OPTIONAL { ?s${i} <urn:p0> ?s${i + 1} }`)),
  'many MINUS': where((n) => `?s <urn:p0> ?o ${list(n, (i) => `MINUS { ?s <urn:p1> ?o${i} }`)}`),
  'many BIND': where((n) => `?s <urn:p0> ?o ${list(n, (i) => `BIND(?s AS ?b${i})`)}`),
};

const LONG: Texts = {
  'a chain of triples': where((n) => list(n, (i) => `?s${i} <urn:p${i % 3}> ?s${i + 1} .`)),
  'a star of triples': where((n) => list(n, (i) => `?s <urn:p0> ?o${i} .`)),
  'the same triple': where((n) => '?s ?p ?o .'.repeat(n)),
  'triples without variables': where((n) => '<urn:s0> <urn:p0> <urn:s1> .'.repeat(n)),
  'triples that share nothing': where((n) => list(n, (i) => `?s${i} <urn:q> ?o${i} .`)),
  filters: where((n) => `?s ?p ?o ${'FILTER(?s != ?p)'.repeat(n)}`),
  'filters of groups': (n) => `SELECT ?s { ?s ?p ?o } GROUP BY ?s HAVING ${'(?s != 1)'.repeat(n)}`,
  'filters with EXISTS': where((n) => `?s <urn:p0> ?o ${'FILTER EXISTS { ?s ?p ?x }'.repeat(n)}`),
  unions: where((n) => `${'{ ?s <urn:p0> ?o } UNION '.repeat(n)}{}`),
  'unions of new variables': where((n) => `${list(n, (i) => `{ ?s${i} <urn:p0> ?o${i} } UNION`)} {}`),
  groups: where((n) => '{ ?s <urn:p0> ?o }'.repeat(n)),
  'groups of OPTIONAL': where((n) => '{ OPTIONAL { ?s <urn:p0> ?o } }'.repeat(n)),
  subqueries: where((n) => '{ SELECT * { ?s <urn:p0> ?o } }'.repeat(n)),
  paths: where((n) => list(n, (i) => `?s${i} <urn:p0>* ?s${i + 1} .`)),
  'a sequence': where((n) => `?s ${'<urn:p0>/'.repeat(n)}<urn:p0> ?o`),
  'a sequence in a closure': where((n) => `<urn:s0> (${'<urn:p0>/'.repeat(n)}<urn:p0>)* ?o`),
  alternatives: where((n) => `<urn:s0> (${'<urn:p0>|'.repeat(n)}<urn:p0>)* ?o`),
  'a negated set': where((n) => `?s !(${list(n, (i) => `<urn:q${i}>`, '|')}) ?o`),
  or: filter((n) => list(n, (i) => `?s = <urn:s${i}>`, '||')),
  and: filter((n) => list(n, (i) => `?s != <urn:z${i}>`, '&&')),
  IN: filter((n) => `?s IN (${list(n, (i) => `<urn:z${i}>`, ',')})`),
  'NOT IN variables': filter((n) => `?s NOT IN (${list(n, (i) => `?x${i}`, ',')})`),
  concatenations: bind((n) => `CONCAT(${'STR(?s),'.repeat(n)}"a")`),
  'VALUES rows': where((n) => `VALUES (?s ?v) { ${list(n, (i) => `(<urn:s${i}> ${i})`)} } ?s ?p ?o`),
  'VALUES rows without values': where((n) => `VALUES (?s ?v) { ${list(n, (i) => `(UNDEF ${i})`)} } ?s <urn:p0> ?o`),
  'VALUES variables': where((n) => `VALUES (${list(n, (i) => `?v${i}`)}) { (${list(n, String)}) }`),
  'VALUES blocks': where((n) => list(n, (i) => `VALUES ?v${i} { 1 }`)),
  'selected variables': (n) => `SELECT ${list(n, (i) => `?v${i}`)} { ?v0 ?v1 ?v2 }`,
  'keys of ORDER BY': (n) => `SELECT * { ?s ?p ?o } ORDER BY ${list(n, (i) => `?v${i}`)}`,
  'keys of GROUP BY': (n) => `SELECT (COUNT(*) AS ?c) { ?s ?p ?o } GROUP BY ${list(n, (i) => `?v${i}`)}`,
  aggregates: (n) => `SELECT (CONCAT(${list(n, (i) => `STR(COUNT(?v${i}))`, ',')}) AS ?a) { ?s ?p ?o }`,
  'a template': (n) => `CONSTRUCT { ${list(n, (i) => `?s <urn:q${i}> ?o .`)} } { ?s <urn:p0> ?o }`,
  'described resources': (n) => `DESCRIBE ${list(n, (i) => `<urn:s${i}>`)}`,
  FROM: (n) => `SELECT * ${list(n, (i) => `FROM NAMED <urn:g${i}>`)} { GRAPH ?g { ?s ?p ?o } }`,
  prefixes: (n) => `${list(n, (i) => `PREFIX p${i}: <urn:${i}>`)} ASK { ?s p1: p2: }`,
  data: (n) => `INSERT DATA { ${list(n, (i) => `<urn:i${i}> <urn:p> "${i}" .`)} }`,
  'blank nodes of data': (n) => `INSERT DATA { ${list(n, (i) => `_:b${i} <urn:p> [] .`)} }`,
  'data that is deleted': (n) => `DELETE DATA { ${list(n, (i) => `<urn:i${i}> <urn:p> "${i}" .`)} }`,
  operations: (n) => 'DROP SILENT GRAPH <urn:nono> ;'.repeat(n),
  'a collection': where((n) => `?s ?p (${'1 '.repeat(n)})`),
  'objects of one predicate': where((n) => `?s <urn:p0> ${list(n, (i) => `?o${i}`, ',')}`),
};

const HUGE: Texts = {
  'VALUES rows': LONG['VALUES rows'],
  data: LONG['data'],
  IN: LONG['IN'],
  'NOT IN': filter((n) => `?s NOT IN (${list(n, (i) => `<urn:z${i}>`, ',')})`),
  'a long string': where((n) => `?s ?p "${'x'.repeat(n * 10)}"`),
  'a long comment': (n) => `ASK {} #${'x'.repeat(n * 10)}`,
  'a long IRI': where((n) => `?s <urn:${'x'.repeat(n * 10)}> ?o`),
  'a long name': (n) => `SELECT ?${'x'.repeat(n * 10)} {}`,
};

/**
 * Asks, and reads the whole answer; the code of what goes wrong. Anything but a `WorldsError` fails
 * the test, and so does one of ours.
 */
async function ask(query: string, timeoutMs?: number): Promise<string> {
  const sources = /^(INSERT|DELETE|DROP)/.test(query) ? ['written'] : ['w'];
  try {
    const result = await engine.query({ query, sources, timeoutMs, maxMemoryBytes: 200e6, maxRows: 1e6 });
    if (result.type === 'update') return 'answer';
    const mediaType = 'application/sparql-results+json';
    for await (const chunk of writeQueryResult(result, mediaType)) expect(chunk.length).toBeGreaterThan(0);
    return 'answer';
  } catch (error) {
    if (!(error instanceof WorldsError)) throw error;
    expect(error.code).not.toBe('INTERNAL');
    return error.code;
  }
}

const ANSWERS = /^(answer|LIMIT_EXCEEDED|TIMEOUT)$/;

describe('a hostile query has an answer or an error', () => {
  it.each(Object.entries(NESTED))('nested: %s', async (_, text) => {
    for (const depth of [150, 480]) expect(await ask(text(depth), DEADLINE_MS)).toMatch(ANSWERS);
    expect(await ask(text(10_000))).toBe('LIMIT_EXCEEDED');
  });

  it.each(Object.entries(LONG))('long: %s', async (_, text) => {
    for (const length of [900, 10_000]) expect(await ask(text(length), DEADLINE_MS)).toMatch(ANSWERS);
  });

  it.each(Object.entries(HUGE))('100,000 of it: %s', async (_, text) => {
    expect(await ask(text(100_000), 3000)).toMatch(ANSWERS);
  });

  it('each of its parts is one that is understood', async () => {
    for (const [name, text] of [...Object.entries(NESTED), ...Object.entries(LONG)]) {
      expect(await ask(text(3)), name).toBe('answer');
    }
  });

  it('joins of a thousand parts have an answer, more of them LIMIT_EXCEEDED that says so', async () => {
    const ground = LONG['triples without variables'];
    expect(await engine.ask({ query: `ASK ${ground(900).slice('SELECT *'.length)}` })).toBe(true);
    await expect(engine.sparql({ query: ground(1500) })).rejects.toMatchObject({
      code: 'LIMIT_EXCEEDED',
      message: expect.stringContaining('1000 parts'),
    });
    await expect(engine.explain({ query: ground(1500) })).rejects.toMatchObject({ code: 'LIMIT_EXCEEDED' });
    const insert = `INSERT { <urn:a> <urn:b> <urn:c> } WHERE ${ground(1500).slice('SELECT *'.length)}`;
    await expect(engine.update({ query: insert, sources: ['w'] })).rejects.toMatchObject({ code: 'LIMIT_EXCEEDED' });
  });

  it('thousands of filters are one', async () => {
    const { text } = await engine.explain({ query: LONG['filters'](5000) });
    expect(text.split('\n').length).toBeLessThan(10);
    expect(await ask(LONG['filters'](200))).toBe('answer');
  });
});

describe('truncated or scrambled texts', () => {
  it('is a text or an error at every length', async () => {
    expect(await ask(LONG_QUERY)).toBe('answer');
    for (let length = 0; length < LONG_QUERY.length; length++) {
      const text = LONG_QUERY.slice(0, length);
      expect(await ask(text), text).toMatch(/^(answer|INVALID_SPARQL)$/);
    }
  });

  it('is a text or an error without any of its characters, or with another', async () => {
    const strange = ['\u0000', '"', '<', '{', '(', '\\', '\ud800', '?', '#', '.', "'''"];
    // LONG_TESTS=1 does it to every character.
    for (let at = 0; at < LONG_QUERY.length; at += STRIDE) {
      const [before, behind] = [LONG_QUERY.slice(0, at), LONG_QUERY.slice(at + 1)];
      for (const text of [before + behind, before + strange[at % strange.length] + behind]) {
        expect(await ask(text), text).toMatch(/^(answer|INVALID_SPARQL|UNSUPPORTED)$/);
      }
    }
  });

  it('is an error if it is not a string', () =>
    fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), async (bytes) => {
        for (const encoding of ['latin1', 'utf8', 'utf16le'] as const) {
          expect(await ask(Buffer.from(bytes).toString(encoding))).toMatch(/^(answer|INVALID_SPARQL)$/);
        }
      }),
      { numRuns: 300 },
    ));

  it('is a text or an error when its words are shuffled', () => {
    const words = LONG_QUERY.split(/\s+/).filter((word) => !/^(SERVICE|LOAD)$/i.test(word));
    return fc.assert(
      fc.asyncProperty(fc.array(fc.constantFrom(...words), { maxLength: 40 }), async (picked) => {
        expect(await ask(picked.join(' '), 2000)).toMatch(
          /^(answer|INVALID_SPARQL|UNSUPPORTED|LIMIT_EXCEEDED|TIMEOUT)$/,
        );
      }),
      { numRuns: 500 },
    );
  });
});

describe('names that mean something to JavaScript', () => {
  const NAMES = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'valueOf', 'length', 'then'];

  it.each(NAMES)('%s names a variable in every part of a query and its answer', async (name) => {
    const query = `SELECT ?${name} (COUNT(?o) AS ?n) (SAMPLE(?o) AS ?_) { ?${name} <urn:p0> ?o FILTER(BOUND(?${name})) OPTIONAL { ?o ?p ?${name} } }
      GROUP BY ?${name} HAVING (COUNT(?o) > 0) ORDER BY DESC(?${name}) LIMIT 2`;
    const { head, results } = (await engine.sparql({ query })) as {
      head: { vars: string[] };
      results: { bindings: object[] };
    };
    expect(head.vars).toEqual([name, 'n', '_']);
    expect(results.bindings).toHaveLength(2);
    for (const binding of results.bindings) {
      expect(Object.keys(binding)).toEqual([name, 'n', '_']);
      expect(Object.getPrototypeOf(binding)).toBe(Object.prototype);
    }
    const rows = await (await engine.select({ query })).array();
    expect(rows[0].get(name)?.value).toBe(Object.values(results.bindings[0])[0].value);
    expect((await engine.explain({ query, analyze: true })).text).toContain(`?${name}`);
  });

  it.each(NAMES)('%s is a variable that can be bound', async (name) => {
    const bindings = new Map([[name, dataFactory.namedNode('urn:s0')]]);
    expect(await engine.ask({ query: `ASK { ?${name} <urn:p0> <urn:s1> }`, bindings })).toBe(true);
    expect(await engine.ask({ query: `ASK { ?${name} <urn:p0> <urn:s2> }`, bindings })).toBe(false);
    const object = JSON.parse(`{ ${JSON.stringify(name)}: "a" }`);
    expect(await engine.ask({ query: `ASK { GRAPH ?g { ?s ?p ?${name} } }`, bindings: object })).toBe(true);
  });

  it.each(NAMES)('%s is a prefix, a label, a function and a graph', async (name) => {
    const update = `PREFIX ${name.replaceAll('_', '')}: <urn:${name}#> INSERT DATA { GRAPH <urn:${name}> { _:${name} ${name.replaceAll('_', '')}:${name} "${name}" } }`;
    await engine.update({ query: update, sources: ['w'] });
    expect(await engine.ask({ query: `ASK { GRAPH <urn:${name}> { _:${name} ?p "${name}" } }` })).toBe(true);
    expect(await ask(`SELECT * { BIND(${name}(1) AS ?x) }`)).toBe('INVALID_SPARQL');
    expect(await ask(`SELECT * { BIND(<urn:${name}>(1) AS ?x) }`)).toBe('answer');
    await engine.update({ query: `DROP GRAPH <urn:${name}>`, sources: ['w'] });
  });
});

describe('bindings', () => {
  it('of a hundred thousand names are refused, with one that the text lacks', async () => {
    const bindings = Object.fromEntries(Array.from({ length: 100_000 }, (_, i) => [`v${i}`, i]));
    await expect(engine.ask({ query: 'ASK { ?s <urn:p0> ?v1 }', bindings })).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
      message: expect.stringContaining('"v0"'),
    });
  });

  it('of five thousand names that the text has are fine', async () => {
    const names = Array.from({ length: 5_000 }, (_, i) => `v${i}`);
    const bindings = Object.fromEntries(names.map((name, i) => [name, i]));
    const query = `ASK { FILTER(4999 IN (${names.map((name) => `?${name}`).join(', ')})) }`;
    expect(await engine.ask({ query, bindings })).toBe(true);
  });

  it('of long texts are fine', async () => {
    const long = 'x'.repeat(1_000_000);
    const query = 'SELECT ?y { BIND(CONCAT(?x, "y") AS ?y) }';
    const [row] = await (await engine.select({ query, bindings: { x: long } })).array();
    expect(row.get('y')?.value).toBe(`${long}y`);
  });

  it('of triple terms nest as deep as data, and no deeper', async () => {
    const nested = (depth: number) => {
      let term: ReturnType<typeof dataFactory.literal | typeof dataFactory.quad> = dataFactory.literal('x');
      for (let i = 0; i < depth; i++) {
        term = dataFactory.quad(dataFactory.namedNode('urn:a'), dataFactory.namedNode('urn:b'), term);
      }
      return term;
    };
    const run = (depth: number) =>
      engine.sparql({ query: 'SELECT * { BIND(?x AS ?y) }', bindings: { x: nested(depth) } });
    await expect(run(64)).resolves.toBeDefined();
    for (const depth of [65, 10_000]) {
      await expect(run(depth)).rejects.toMatchObject({
        code: 'INVALID_ARGUMENT',
        message: expect.stringContaining('bindings.x'),
      });
    }
  });

  it('of triple terms do not grow without end', async () => {
    // Each has the one before twice: written out the last would have 2^60 parts.
    let term = dataFactory.quad(
      dataFactory.namedNode('urn:a'),
      dataFactory.namedNode('urn:b'),
      dataFactory.literal('x'),
    );
    for (let i = 0; i < 60; i++) term = dataFactory.quad(term as never, dataFactory.namedNode('urn:b'), term);
    await expect(engine.ask({ query: 'ASK { ?s ?p ?x }', bindings: { x: term } })).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
    });
  });
});
