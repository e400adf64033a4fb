import type * as RDF from '@rdfjs/types';
import fc from 'fast-check';
import { isomorphic } from 'rdf-isomorphic';
import { describe, expect, it } from 'vitest';
import {
  dataFactory,
  findFormat,
  nativeEngine,
  type QueryResult,
  RDF_FORMATS,
  RESULT_FORMATS,
  WorldsEngine,
  type WriteQueryResultOptions,
  writeQueryResult,
} from '../../src/index.ts';
import type { PreparedQuery } from '../../src/plugin.ts';
import { lines, readDocument } from '../formats/documents.ts';
import { hostileTerm } from '../sparql/results/hostile-terms.ts';
import { readCsv, readJson, readTsv, readXml } from '../sparql/results/read-results.ts';
import { SolutionTable, textOf } from '../sparql/results/solution-table.ts';

const { namedNode, blankNode, literal, quad } = dataFactory;
const s = namedNode('http://ex/s');
const p = namedNode('http://ex/p');
/** A label as the library gives them out. */
const stored = blankNode('b0123456789abcdefghijklmno7');

const JSON_RESULTS = 'application/sparql-results+json';
const table = new SolutionTable(
  ['x', 'y'],
  [
    [s, literal('a\tb,c', 'en')],
    [undefined, stored],
  ],
);

function bindings(): QueryResult {
  return { type: 'bindings', variables: table.variables, batches: table.batches(1) };
}

function quads(rows: readonly RDF.Quad[], batchSize = 2): QueryResult {
  async function* batches() {
    for (let start = 0; start < rows.length; start += batchSize) yield rows.slice(start, start + batchSize);
  }
  return { type: 'quads', batches: batches() };
}

const rdfWriters = RDF_FORMATS.flatMap(({ name, mediaType, read, write }) =>
  read && write ? [{ name, mediaType, read }] : [],
);

describe('solutions', () => {
  it.each([
    [JSON_RESULTS, readJson],
    ['application/json; charset=utf-8', readJson],
    ['application/sparql-results+xml', readXml],
    ['TEXT/Tab-Separated-Values', readTsv],
  ])('are written as %s', async (mediaType, read) => {
    expect((await read(await textOf(writeQueryResult(bindings(), mediaType)))).key).toEqual(table.key);
  });

  it('are written as text/csv', async () => {
    expect(readCsv(await textOf(writeQueryResult(bindings(), 'text/csv')))).toEqual([
      ['x', 'y'],
      ['http://ex/s', 'a\tb,c'],
      ['', `_:${stored.value}`],
    ]);
  });

  it.each(['text/turtle', 'text/html', '', '__proto__'])('are UNSUPPORTED as %j, at the call', (mediaType) => {
    const known = RESULT_FORMATS.map((format) => format.mediaType).join(', ');
    expect(() => writeQueryResult(bindings(), mediaType)).toThrow(
      expect.objectContaining({ code: 'UNSUPPORTED', message: expect.stringContaining(known) }),
    );
  });
});

describe('an answer', () => {
  it.each([true, false])('is written: %s', async (value) => {
    const json = await textOf(writeQueryResult({ type: 'boolean', value }, JSON_RESULTS));
    expect(JSON.parse(json)).toEqual({ head: { vars: [] }, boolean: value });
    const xml = await textOf(writeQueryResult({ type: 'boolean', value }, 'application/sparql-results+xml'));
    expect(xml).toContain(`<boolean>${value}</boolean>`);
  });

  // SPARQL 1.1 Query Results CSV and TSV is for SELECT alone.
  it.each(['text/csv', 'text/tab-separated-values', 'text/turtle'])('is UNSUPPORTED as %s', (mediaType) => {
    expect(() => writeQueryResult({ type: 'boolean', value: true }, mediaType)).toThrow(
      expect.objectContaining({
        code: 'UNSUPPORTED',
        message: expect.stringMatching(
          /ASK.*use one of application\/sparql-results\+json, application\/sparql-results\+xml\.$/,
        ),
      }),
    );
  });
});

describe('an update', () => {
  it('has no result to write', () => {
    const result: QueryResult = { type: 'update', inserted: 1, deleted: 0, revision: 2 };
    expect(() => writeQueryResult(result, JSON_RESULTS)).toThrow(expect.objectContaining({ code: 'INVALID_ARGUMENT' }));
  });
});

describe('triples', () => {
  const rows = [
    quad(s, p, literal('a "b"\n<c>&', 'en')),
    quad(s, p, literal('01', namedNode('http://www.w3.org/2001/XMLSchema#integer'))),
    quad(stored, p, blankNode('fresh1')),
    quad(blankNode('fresh1'), p, stored),
    quad(s, namedNode('http://ex/q'), blankNode('fresh2')),
    quad(stored, p, blankNode('fresh1')),
  ];

  it.each(rdfWriters)('are written as $name, each once', async ({ mediaType, read }) => {
    const text = await textOf(writeQueryResult(quads(rows), mediaType));
    const back = await readDocument(read, text);
    expect(back).toHaveLength(5);
    expect(isomorphic(back, rows.slice(0, 5))).toBe(true);
    // Blank nodes of the store keep their labels; those of the query are the same throughout, and
    // new.
    expect(text).toContain(stored.value);
    expect(text).not.toContain('fresh');
  });

  it('are written as results.quads in SPARQL JSON, as they come', async () => {
    const document = JSON.parse(await textOf(writeQueryResult(quads(rows.slice(0, 3)), JSON_RESULTS)));
    const graph = { type: 'default', value: '' };
    const subject = { type: 'uri', value: 'http://ex/s' };
    const predicate = { type: 'uri', value: 'http://ex/p' };
    expect(document).toEqual({
      head: { vars: [] },
      results: {
        quads: [
          { subject, predicate, object: { type: 'literal', value: 'a "b"\n<c>&', 'xml:lang': 'en' }, graph },
          {
            subject,
            predicate,
            object: { type: 'literal', value: '01', datatype: 'http://www.w3.org/2001/XMLSchema#integer' },
            graph,
          },
          {
            subject: { type: 'bnode', value: stored.value },
            predicate,
            object: { type: 'bnode', value: 'fresh1' },
            graph,
          },
        ],
      },
    });
  });

  it.each([...rdfWriters.map(({ mediaType }) => mediaType), JSON_RESULTS])('may be empty: %s', async (mediaType) => {
    const text = await textOf(writeQueryResult(quads([]), mediaType));
    const read = findFormat(mediaType)?.read;
    if (read) expect(await readDocument(read, text)).toEqual([]);
    else expect(JSON.parse(text).results.quads).toEqual([]);
  });

  it('hold triple terms, with the labels in them', async () => {
    const row = quad(s, p, quad(stored, p, quad(blankNode('fresh1'), p, stored)));
    const text = await textOf(writeQueryResult(quads([row, quad(blankNode('fresh1'), p, s)]), 'application/n-triples'));
    const [, label] = /<<\( _:(\w+) <http:\/\/ex\/p> _:b0123456789abcdefghijklmno7 \)>> \)>>/.exec(text)!;
    expect(text).toContain(`_:${label} <http://ex/p> <http://ex/s> .\n`);
    expect(text).toContain(`<<( _:${stored.value} <http://ex/p> <<( _:${label} `);
  });

  it('keep their graphs in formats that have them', async () => {
    const rows = [quad(s, p, s), quad(s, p, s, namedNode('http://ex/g')), quad(s, p, s, stored)];
    const text = await textOf(writeQueryResult(quads(rows), 'application/n-quads'));
    expect(lines(await readDocument(findFormat('application/n-quads')!.read!, text))).toEqual(lines(rows));
  });

  it('are shortened by the given prefixes', async () => {
    const text = await textOf(
      writeQueryResult(quads([quad(s, p, s)]), 'text/turtle', { prefixes: { ex: 'http://ex/' } }),
    );
    expect(text).toContain('ex:s ex:p ex:s .');
  });

  it('come in chunks when there are many', async () => {
    const many = Array.from({ length: 20_000 }, (_, i) =>
      quad(namedNode(`http://ex/${i % 997}`), p, literal(String(i))),
    );
    const chunks: Uint8Array[] = [];
    for await (const chunk of writeQueryResult(quads(many, 700), 'application/n-quads')) chunks.push(chunk);
    expect(chunks.length).toBeGreaterThan(5);
    expect(Buffer.concat(chunks).toString().split('\n').length - 1).toBe(20_000);
  });

  it.each(['text/csv', 'text/html', 'application/sparql-results+xml'])(
    'are UNSUPPORTED as %s, at the call',
    (mediaType) => {
      expect(() => writeQueryResult(quads(rows), mediaType)).toThrow(
        expect.objectContaining({
          code: 'UNSUPPORTED',
          message: expect.stringMatching(/n-quads, .*rdf\+xml, application\/sparql-results\+json\.$/),
        }),
      );
    },
  );

  it('that RDF/XML cannot hold are UNSUPPORTED before the first byte', async () => {
    const chunks = writeQueryResult(quads([quad(s, namedNode('http://ex/1'), s)]), 'application/rdf+xml');
    await expect(chunks[Symbol.asyncIterator]().next()).rejects.toMatchObject({ code: 'UNSUPPORTED' });
  });

  it('of any kind survive a round trip through N-Quads, with their labels', async () => {
    const row = fc
      .tuple(fc.constantFrom(s, stored), fc.constant(p), hostileTerm)
      .map(([subject, predicate, object]) => quad(subject, predicate, withStoredLabels(object) as RDF.Quad_Object));
    await fc.assert(
      fc.asyncProperty(fc.array(row, { maxLength: 6 }), async (rows) => {
        const text = await textOf(writeQueryResult(quads(rows), 'application/n-quads'));
        expect(lines(await readDocument(findFormat('application/n-quads')!.read!, text))).toEqual(lines(rows));
      }),
      { numRuns: 300 },
    );
  });
});

describe('while it is read', () => {
  it('an aborted signal stops it, before and between chunks', async () => {
    const aborted = writeQueryResult(bindings(), JSON_RESULTS, { signal: AbortSignal.abort() });
    await expect(textOf(aborted)).rejects.toMatchObject({ code: 'ABORTED' });

    const controller = new AbortController();
    const long = new SolutionTable(
      ['x'],
      Array.from({ length: 50 }, () => [literal('x'.repeat(1 << 16))]),
    );
    const result: QueryResult = { type: 'bindings', variables: long.variables, batches: long.batches() };
    const chunks = writeQueryResult(result, 'text/csv', { signal: controller.signal })[Symbol.asyncIterator]();
    expect((await chunks.next()).done).toBe(false);
    controller.abort();
    await expect(chunks.next()).rejects.toMatchObject({ code: 'ABORTED' });
  });

  it.each([JSON_RESULTS, 'text/turtle', 'application/rdf+xml'])(
    'errors of the query are passed on: %s',
    async (mediaType) => {
      async function* failing(): AsyncGenerator<RDF.Quad[]> {
        yield [quad(s, p, s)];
        throw new RangeError('in the query');
      }
      await expect(textOf(writeQueryResult({ type: 'quads', batches: failing() }, mediaType))).rejects.toThrow(
        'in the query',
      );
    },
  );

  it('giving up closes the query', async () => {
    let closed = false;
    async function* batches() {
      try {
        for (;;) yield table.batch(Array.from({ length: 1000 }, () => table.rows[0]));
      } finally {
        closed = true;
      }
    }
    const result: QueryResult = { type: 'bindings', variables: table.variables, batches: batches() };
    for await (const chunk of writeQueryResult(result, JSON_RESULTS)) {
      expect(chunk.length).toBeGreaterThan(0);
      break;
    }
    expect(closed).toBe(true);
  });
});

/** The same term with labels as the library gives them out, which are kept. */
function withStoredLabels(term: RDF.Term): RDF.Term {
  if (term.termType === 'BlankNode')
    return blankNode(`b${Buffer.from(term.value).toString('hex').slice(-24).padStart(25, '0')}1`);
  if (term.termType !== 'Quad') return term;
  const [subject, predicate, object] = [term.subject, term.predicate, term.object].map(withStoredLabels);
  return quad(subject as RDF.Quad_Subject, predicate as RDF.Quad_Predicate, object as RDF.Quad_Object);
}

describe('the prefixes of a query', () => {
  const query = `PREFIX ex: <http://ex/> PREFIX constructor: <http://other/> CONSTRUCT { ?s ex:p constructor:o } WHERE { ?s ex:p ex:o }`;

  it('are returned with its triples and used when they are written', async () => {
    const engine = await WorldsEngine.open();
    const source = await engine.createWorld({ slug: 'w' });
    await engine.import({ source, data: '<http://ex/s> <http://ex/p> <http://ex/o> .\n' });
    const { prefixes } = await engine.construct({ query, sources: [source] });
    expect(Object.entries(prefixes)).toEqual([
      ['ex', 'http://ex/'],
      ['constructor', 'http://other/'],
    ]);
    const write = async (options?: WriteQueryResultOptions) =>
      textOf(writeQueryResult(await engine.query({ query, sources: [source] }), 'text/turtle', options));
    expect(await write()).toContain('ex:s ex:p constructor:o .');
    expect(await write({ prefixes: {} })).toContain('<http://ex/s> <http://ex/p> <http://other/o> .');
    await engine.close();
  });

  it('are its own: who changes them changes no other', async () => {
    const engine = nativeEngine();
    const first = (await engine.prepare(query, {})) as PreparedQuery;
    Object.assign(first.prefixes!, { ex: 'http://changed/' });
    expect(((await engine.prepare(query, {})) as PreparedQuery).prefixes).toMatchObject({ ex: 'http://ex/' });
  });
});
