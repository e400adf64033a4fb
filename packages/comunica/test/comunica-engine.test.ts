import http from 'node:http';
import { createRequire } from 'node:module';
import net from 'node:net';
import { dataFactory, WorldsError } from '@rdf-worlds/core';
import type { SparqlEngine } from '@rdf-worlds/core/plugin';
import { naiveDataset, randomQuads } from '@rdf-worlds/testkit';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { comunicaEngine } from '../src/index.ts';

const NOW = new Date('2024-01-01T00:00:00Z');

const loadedComunica = () =>
  Object.keys(createRequire(import.meta.url).cache).filter((path) => path.includes('@comunica'));

// This case comes first: the others load Comunica.
it('loads Comunica on the first prepare, not earlier', async () => {
  const engine = comunicaEngine();
  expect(loadedComunica()).toEqual([]);
  await engine.prepare('ASK {}', {});
  expect(loadedComunica().length).toBeGreaterThan(50);
});

it('reports whether a text names its dataset, and whether an update is blind', async () => {
  const engine = comunicaEngine();
  expect(await engine.prepare('ASK FROM <urn:g> {}', {})).toMatchObject({ namesDataset: true });
  const update = 'INSERT DATA { <urn:s> <urn:p> 1 } ; CLEAR ALL';
  expect(await engine.prepare(update, {})).toMatchObject({ namesDataset: false, isBlind: true });
});

async function select(engine: SparqlEngine, text: string, source = naiveDataset([[]])) {
  const query = await engine.prepare(text, {});
  if (query.type !== 'query') throw new Error('not a query');
  const result = await query.evaluate(source, { now: NOW });
  if (result.type !== 'bindings') throw new Error('no bindings');
  const rows: (string | undefined)[][] = [];
  for await (const batch of result.batches) {
    for (const row of batch) rows.push(result.variables.map((name) => row.get(name)?.value));
  }
  return rows.sort();
}

describe('the network', () => {
  const touched: string[] = [];

  beforeEach(() => {
    touched.length = 0;
    vi.spyOn(globalThis, 'fetch').mockImplementation(async (input) => {
      touched.push(`fetch ${String(input)}`);
      throw new Error('no network');
    });
    vi.spyOn(http, 'request').mockImplementation((...request) => {
      touched.push(`request ${String(request[0])}`);
      throw new Error('no network');
    });
    vi.spyOn(net.Socket.prototype, 'connect').mockImplementation(() => {
      touched.push('connect');
      throw new Error('no network');
    });
  });
  afterEach(() => {
    vi.restoreAllMocks();
  });

  it('is not used by FROM, GRAPH, SERVICE SILENT or IRIs of any kind', async () => {
    const engine = comunicaEngine();
    const source = naiveDataset([
      [
        dataFactory.quad(
          dataFactory.namedNode('http://127.0.0.1:9/s'),
          dataFactory.namedNode('http://127.0.0.1:9/p'),
          dataFactory.namedNode('http://127.0.0.1:9/o'),
        ),
      ],
    ]);
    for (const text of [
      'SELECT * FROM <http://127.0.0.1:9/g> FROM NAMED <http://127.0.0.1:9/h> { ?s ?p ?o GRAPH ?g { ?s ?p ?o } }',
      'SELECT * { GRAPH <http://127.0.0.1:9/g> { ?s ?p ?o } }',
      'SELECT * { ?s ?p ?o . ?o <http://127.0.0.1:9/p>+ ?x }',
      'SELECT * { SERVICE SILENT <http://127.0.0.1:9/sparql> { ?s ?p ?o } }',
      'SELECT * { ?s ?p ?o SERVICE SILENT ?s { ?o ?p ?s } }',
    ]) {
      await select(engine, text, source);
    }
    expect(touched).toEqual([]);
  });

  it('is used for allowed endpoints only', async () => {
    const engine = comunicaEngine({ allowedEndpoints: ['http://127.0.0.1:9/sparql'] });
    const text = 'SELECT * { SERVICE <http://127.0.0.1:9/sparql> { ?s ?p ?o } }';
    await expect(select(engine, text)).rejects.toMatchObject({ code: 'UNSUPPORTED' });
    expect(touched).toEqual(['fetch http://127.0.0.1:9/sparql']);
  });
});

describe('SERVICE', () => {
  const ENDPOINT = 'http://example.org/sparql';
  const answer = (bindings: unknown[]) =>
    new Response(JSON.stringify({ head: { vars: [] }, results: { bindings } }), {
      headers: { 'content-type': 'application/sparql-results+json' },
    });

  function federated(respond: (query: string) => Response) {
    const asked: string[] = [];
    const requests: RequestInit[] = [];
    const engine = comunicaEngine({
      allowedEndpoints: [ENDPOINT],
      fetch: async (_, init) => {
        requests.push(init!);
        asked.push(String(init!.body));
        return respond(String(init!.body));
      },
    });
    return { engine, asked, requests };
  }

  const uri = (value: string) => ({ type: 'uri', value });
  const data = () =>
    naiveDataset([
      ['a', 'b'].map((name) =>
        dataFactory.quad(
          dataFactory.namedNode(`urn:${name}`),
          dataFactory.namedNode('urn:p'),
          dataFactory.literal(name.toUpperCase()),
        ),
      ),
    ]);

  it('joins the results of an endpoint', async () => {
    const { engine, asked, requests } = federated(() =>
      answer([
        { s: uri('urn:a'), n: { type: 'literal', value: '1', datatype: 'http://www.w3.org/2001/XMLSchema#integer' } },
        { s: uri('urn:c'), n: { type: 'literal', value: 'x', 'xml:lang': 'en' } },
      ]),
    );
    const rows = await select(
      engine,
      `SELECT ?s ?o ?n { ?s <urn:p> ?o SERVICE <${ENDPOINT}> { ?s <urn:n> ?n } }`,
      data(),
    );
    expect(rows).toEqual([['urn:a', 'A', '1']]);
    expect(asked).toHaveLength(1);
    expect(asked[0]).toMatch(/SELECT[\s\S]*\?s[\s\S]*<urn:n>/u);
    expect(requests[0]).toMatchObject({ method: 'POST', redirect: 'error' });
    // What is asked is SPARQL again.
    await expect(comunicaEngine().prepare(asked[0], {})).resolves.toMatchObject({ form: 'select' });
  });

  it('works inside OPTIONAL, GRAPH and subqueries, and sends the whole pattern', async () => {
    const { engine, asked } = federated(() => answer([{ s: uri('urn:a'), n: uri('urn:n1') }]));
    const pattern =
      '?s <urn:n>/<urn:m>* ?n OPTIONAL { [] <urn:q> ?s } GRAPH <urn:g> { ?s ?x "y" } FILTER(?n != <urn:z>)';
    const text = `SELECT ?s ?n { ?s <urn:p> ?o OPTIONAL { { SELECT * { SERVICE <${ENDPOINT}> { ${pattern} } } } } }`;
    expect(await select(engine, text, data())).toEqual([
      ['urn:a', 'urn:n1'],
      ['urn:b', undefined],
    ]);
    for (const part of ['<urn:n>', '<urn:m>', '<urn:q>', 'OPTIONAL', 'GRAPH', '<urn:g>', 'FILTER'])
      expect(asked[0]).toContain(part);
  });

  it('sends bindings as terms', async () => {
    const { engine, asked } = federated(() => answer([]));
    const hostile = dataFactory.literal('" } ; DROP ALL #\n\\');
    const query = await engine.prepare(`SELECT * { SERVICE <${ENDPOINT}> { ?s ?p ?x } }`, {
      bindings: new Map([['x', hostile]]),
    });
    if (query.type !== 'query') throw new Error('not a query');
    const result = await query.evaluate(naiveDataset([[]]), { now: NOW });
    if (result.type === 'bindings') for await (const _ of result.batches);
    const parsed = await comunicaEngine().prepare(asked[0], {});
    expect(parsed).toMatchObject({ form: 'select' });
    expect(asked[0]).toContain('DROP ALL');
  });

  it('turns the blank nodes of an answer into new nodes', async () => {
    const { engine } = federated(() =>
      answer([{ s: { type: 'bnode', value: 'x' }, n: { type: 'bnode', value: 'x' } }]),
    );
    const source = naiveDataset([
      [dataFactory.quad(dataFactory.blankNode('x'), dataFactory.namedNode('urn:p'), dataFactory.literal('1'))],
    ]);
    const text = `SELECT ?s ?n { SERVICE <${ENDPOINT}> { ?s <urn:n> ?n } }`;
    const [[subject, object]] = await select(engine, text, source);
    expect(subject).toBe(object);
    expect(subject).not.toBe('x');
    expect(await select(engine, `${text.slice(0, -1)} ?s <urn:p> ?o }`, source)).toEqual([]);
  });

  it.each([
    ['a status', () => new Response('no', { status: 500 })],
    ['no JSON', () => new Response('<sparql/>')],
    ['another shape', () => new Response('{}')],
    ['an unknown type of value', () => answer([{ s: { type: 'widget', value: '1' } }])],
    [
      'an exception',
      () => {
        throw new Error('refused');
      },
    ],
  ])('fails with %s, unless it is SILENT', async (_, respond) => {
    const { engine } = federated(respond);
    const text = (silent: string) => `SELECT ?o ?n { ?s <urn:p> ?o SERVICE ${silent} <${ENDPOINT}> { ?s <urn:n> ?n } }`;
    await expect(select(engine, text(''), data())).rejects.toMatchObject({ code: 'UNSUPPORTED' });
    expect(await select(engine, text('SILENT'), data())).toEqual([
      ['A', undefined],
      ['B', undefined],
    ]);
  });

  it('stops when the signal aborts', async () => {
    const engine = comunicaEngine({
      allowedEndpoints: [ENDPOINT],
      fetch: (_, init) =>
        new Promise((_, reject) => {
          init!.signal!.addEventListener('abort', () => reject(init!.signal!.reason));
        }),
    });
    const query = await engine.prepare(`SELECT * { SERVICE SILENT <${ENDPOINT}> { ?s ?p ?o } }`, {});
    if (query.type !== 'query') throw new Error('not a query');
    const result = await query.evaluate(naiveDataset([[]]), { now: NOW, signal: AbortSignal.timeout(30) });
    const read = async () => {
      if (result.type === 'bindings') for await (const _ of result.batches);
    };
    await expect(read()).rejects.toMatchObject({ code: 'TIMEOUT' });
  });
});

describe('GRAPH ?g', () => {
  /** Patterns inside GRAPH, of every kind that is rewritten in its own way. */
  const PATTERNS = [
    '{}',
    '{ ?s ?p ?o }',
    '{ ?s ?p ?o . ?o ?q ?r }',
    '{ ?g ?p ?o }',
    '{ ?s ?p ?g }',
    '{ ?s ?p ?o OPTIONAL { ?o ?q ?g } }',
    '{ OPTIONAL { ?s <urn:predicate:1> ?o } }',
    '{ OPTIONAL { ?g ?p ?o } }',
    '{ { ?s <urn:predicate:1> ?o } UNION { BIND(1 AS ?x) } }',
    '{ ?s <urn:predicate:1> ?o MINUS { ?s <urn:predicate:2> ?x } }',
    '{ ?s <urn:predicate:1> ?o MINUS { ?a <urn:predicate:2> ?b } }',
    '{ ?s ?p ?o FILTER NOT EXISTS { ?o ?q ?r } }',
    '{ ?s ?p ?o FILTER EXISTS { SELECT ?o { ?o ?q ?r } LIMIT 1 } }',
    '{ VALUES ?s { <urn:node:1> <urn:node:2> } ?s ?p ?o }',
    '{ VALUES (?g ?x) { (UNDEF 1) (<urn:graph:1> 2) } }',
    '{ ?s <urn:predicate:1>+ ?o }',
    '{ ?s <urn:predicate:1>* ?o }',
    '{ <urn:node:1> <urn:predicate:1>* ?o }',
    '{ ?s ^<urn:predicate:1>/<urn:predicate:2> ?o }',
    '{ ?s !(<urn:predicate:1>|^<urn:predicate:2>) ?o }',
    '{ SELECT (COUNT(*) AS ?n) { ?s ?p ?o } }',
    '{ SELECT ?s (COUNT(*) AS ?n) { ?s ?p ?o } GROUP BY ?s }',
    '{ SELECT DISTINCT ?s { ?s ?p ?o } }',
    '{ SELECT ?g { ?g ?p ?o } }',
    '{ GRAPH <urn:graph:0> { ?s <urn:predicate:1> ?o } }',
    '{ GRAPH ?h { ?s <urn:predicate:1> ?o } }',
    '{ ?s <urn:predicate:1> [ <urn:predicate:2> ?o ] }',
  ];
  const GRAPHS = [0, 1, 2].map((index) => `<urn:graph:${index}>`);

  it.each(PATTERNS)('is the union over the named graphs: %s', async (pattern) => {
    const engine = comunicaEngine();
    const source = naiveDataset([randomQuads(21, { length: 60, nodes: 5, predicates: 3, blankNodes: false })], {
      emptyGraphs: [dataFactory.namedNode('urn:empty')],
    });
    const names = ['?g', '?s', '?p', '?o', '?q', '?r', '?x', '?n', '?a', '?b', '?h'].join(' ');
    // SPARQL 1.1 section 18.6, written out.
    const union = [...GRAPHS, '<urn:empty>']
      .map((graph) => `{ VALUES ?g { ${graph} } GRAPH ${graph} ${pattern} }`)
      .join(' UNION ');
    const expected = await select(engine, `SELECT ${names} { ${union} }`, source);
    expect(await select(engine, `SELECT ${names} { GRAPH ?g ${pattern} }`, source)).toEqual(expected);
  });
});

describe('results', () => {
  it('are UNSUPPORTED for features that Comunica lacks', async () => {
    const engine = comunicaEngine();
    const source = naiveDataset([randomQuads(1)]);
    await expect(select(engine, 'SELECT (<urn:no-function>(1) AS ?x) {}', source)).rejects.toMatchObject({
      name: 'WorldsError',
    });
  });

  it.each([
    'SELECT ?o { ?s ?p ?o }',
    'SELECT ?o { ?s ?p ?o FILTER EXISTS { ?o ?p ?s } }',
    'SELECT ?v { ?s ?p ?o BIND(EXISTS { ?o ?p ?s } AS ?v) }',
    'SELECT ?o { ?s ?p ?o } ORDER BY EXISTS { ?o ?p ?s }',
    'SELECT ?o { ?s ?p ?o } ORDER BY EXISTS { ?o ?p ?s } ?o',
    'SELECT ?v (COUNT(*) AS ?n) { ?s ?p ?o } GROUP BY (EXISTS { ?o ?p ?s } AS ?v)',
    'SELECT ?s (MAX(IF(EXISTS { ?o ?p ?s }, 1, 2)) AS ?n) { ?s ?p ?o } GROUP BY ?s ORDER BY EXISTS { ?s ?p 1 }',
    'SELECT DISTINCT ?v { { ?s ?p ?o BIND(EXISTS { ?o ?p ?s } AS ?v) } MINUS { ?s <urn:none> ?o } } ORDER BY ?v',
  ])('fail, and not the process, when the source fails in the middle: %s', async (text) => {
    for (const cursors of [0, 1, 3]) {
      const source = naiveDataset([randomQuads(1)]);
      const cursor = source.cursor.bind(source);
      let left = text.includes('EXISTS') ? cursors : 0;
      vi.spyOn(source, 'cursor').mockImplementation(() => {
        if (left-- > 0) return cursor();
        throw new WorldsError('CORRUPT', 'A segment is damaged.');
      });
      await expect(select(comunicaEngine(), text, source)).rejects.toMatchObject({ code: 'CORRUPT' });
    }
  });

  it('can contain triple terms', async () => {
    const source = naiveDataset([randomQuads(5, { tripleTerms: true, graphs: 0 })]);
    const triples = [...source].filter((quad) => quad.object.termType === 'Quad');
    expect(triples.length).toBeGreaterThan(0);
    const rows = await select(comunicaEngine(), 'SELECT ?s ?a ?b ?c { ?s ?p <<( ?a ?b ?c )>> }', source);
    const expected = triples.map(({ subject, object }) => {
      if (object.termType !== 'Quad') throw new Error('no triple term');
      return [subject, object.subject, object.predicate, object.object].map((term) => term.value);
    });
    expect(rows).toEqual(expected.sort());
  });
});
