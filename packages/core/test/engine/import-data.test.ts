import { Readable } from 'node:stream';
import { DataFactory, Parser, Store } from 'n3';
// @ts-expect-error rdf-ext has no types
import rdf from 'rdf-ext';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { dataFactory, type ImportData, WorldsEngine } from '../../src/index.ts';
import { dataOf, linesOf, stateOf } from './world-state.ts';

const DOCUMENT = [
  '<http://example.org/s> <http://example.org/p> "für 日本 😀\\n" <http://example.org/g> .',
  '<http://example.org/s> <http://example.org/p> "01"^^<http://www.w3.org/2001/XMLSchema#integer> .',
  '_:a <http://example.org/p> "Hi"@en-GB .',
  '<http://example.org/s> <http://example.org/p> _:a <http://example.org/g> .',
  '',
].join('\r\n');
const BYTES = new TextEncoder().encode(DOCUMENT);
const LINES = [
  '<http://example.org/s> <http://example.org/p> "01"^^<http://www.w3.org/2001/XMLSchema#integer> .',
  '<http://example.org/s> <http://example.org/p> "für 日本 😀\\n" <http://example.org/g> .',
  '<http://example.org/s> <http://example.org/p> _:0 <http://example.org/g> .',
  '_:0 <http://example.org/p> "Hi"@en-GB .',
].sort();
const QUADS = new Parser({ format: 'N-Quads' }).parse(DOCUMENT);

async function* each<Item>(items: Iterable<Item>): AsyncGenerator<Item> {
  for (const item of items) yield item;
}

const FORMS: readonly (readonly [name: string, make: () => ImportData])[] = [
  ['a string', () => DOCUMENT],
  ['a Uint8Array', () => BYTES],
  ['a part of a larger Uint8Array', () => Uint8Array.from([0xff, ...BYTES, 0xff]).subarray(1, BYTES.length + 1)],
  ['a Buffer from the pool', () => Buffer.from(DOCUMENT)],
  ['an ArrayBuffer', () => BYTES.slice().buffer],
  ['a Blob', () => new Blob([DOCUMENT])],
  ['a ReadableStream of bytes', () => new Blob([BYTES]).stream()],
  ['a node Readable of bytes', () => Readable.from([Buffer.from(DOCUMENT)])],
  [
    'a node Readable with an encoding',
    () => Readable.from([Buffer.from(DOCUMENT)], { objectMode: false }).setEncoding('utf8'),
  ],
  ['an async iterable of single bytes', () => each(Array.from(BYTES, (byte) => Uint8Array.of(byte)))],
  ['an async iterable of characters', () => each(DOCUMENT)],
  ['an array of pieces of text', () => DOCUMENT.split(/(?=_:)/) as unknown as ImportData],
  ['an array of quads', () => QUADS],
  ['a Set of quads', () => new Set(QUADS)],
  [
    'a generator of quads',
    () =>
      (function* () {
        yield* QUADS;
      })(),
  ],
  ['an async iterable of quads', () => each(QUADS)],
  ['a node Readable of quads', () => Readable.from(QUADS)],
  ['an rdf-ext dataset', () => rdf.dataset(QUADS as never) as never],
  ['an n3 Store', () => new Store(QUADS)],
];

let engine: WorldsEngine;
beforeEach(async () => {
  engine = await WorldsEngine.open({ textIndex: null });
  await engine.createWorld({ slug: 'w' });
});
afterEach(() => engine.close());

describe('import takes', () => {
  it.each(FORMS)('%s', async (_, make) => {
    const { quads, inserted, revision } = await engine.import({ source: 'w', data: make() });
    expect({ quads, inserted }).toEqual({ quads: 4, inserted: 4 });
    expect(await linesOf(engine, 'w')).toEqual(LINES);
    expect((await engine.getWorld({ source: 'w' }))?.revision).toBe(revision);
  });

  it.each([
    ['an empty string', ''],
    ['no bytes', new Uint8Array(0)],
    ['an empty ArrayBuffer', new ArrayBuffer(0)],
    ['an empty Blob', new Blob([])],
    ['an empty ReadableStream', new Blob([]).stream()],
    ['an empty Readable', Readable.from([])],
    ['an empty array', []],
    ['an empty async iterable', each<never>([])],
    ['an empty dataset', rdf.dataset() as never],
    ['an empty Store', new Store()],
    ['a byte-order mark', '\ufeff'],
    ['comments and blank lines', '# nothing\r\n\r\n   \t# here'],
  ] as readonly (readonly [string, ImportData])[])('%s, as nothing', async (_, data) => {
    const before = await stateOf(engine, 'w');
    expect(await engine.import({ source: 'w', data })).toMatchObject({
      quads: 0,
      inserted: 0,
      deleted: 0,
      createdGraphs: 0,
      revision: before.record?.revision,
    });
    expect(await stateOf(engine, 'w')).toEqual(before);
  });

  it('bytes that are cut anywhere, within characters and line ends too', async () => {
    const whole = await (async () => {
      await engine.import({ source: 'w', data: BYTES });
      return linesOf(engine, 'w');
    })();
    for (let cut = 0; cut <= BYTES.length; cut++) {
      await engine.createWorld({ slug: `cut${cut}` });
      const { quads } = await engine.import({
        source: `cut${cut}`,
        data: each([BYTES.subarray(0, cut), BYTES.subarray(cut)]),
      });
      expect(quads).toBe(4);
      expect(await linesOf(engine, `cut${cut}`)).toEqual(whole);
    }
  });

  it('text that is cut anywhere, within a pair of surrogates too', async () => {
    const line = '<urn:s> <urn:p> "a😀b" .\n';
    for (let cut = 0; cut <= line.length; cut++) {
      await engine.createWorld({ slug: `cut${cut}` });
      await engine.import({ source: `cut${cut}`, data: each([line.slice(0, cut), line.slice(cut)]) });
      expect(await dataOf(engine, `cut${cut}`)).toBe(line);
    }
  });

  it('a buffer that its producer uses again for the next chunk', async () => {
    const shared = new Uint8Array(7);
    const data = (async function* () {
      for (let start = 0; start < BYTES.length; start += shared.length) {
        const piece = BYTES.subarray(start, start + shared.length);
        shared.set(piece);
        yield shared.subarray(0, piece.length);
        shared.fill(0x21);
      }
    })();
    await engine.import({ source: 'w', data });
    expect(await linesOf(engine, 'w')).toEqual(LINES);
  });

  it('the quads of the target world while they are read', async () => {
    await engine.import({ source: 'w', data: '<urn:s> <urn:p> <urn:o> <urn:g> .\n<urn:s> <urn:p> _:b .' });
    const copied = await engine.import({ source: 'w', data: engine.quads({ source: 'w' }) });
    // The quad with a blank node is a new one: blank nodes are new in every import.
    expect(copied).toMatchObject({ quads: 2, inserted: 1 });
  });

  it.each([
    ['nothing', undefined],
    ['null', null],
    ['a number', 5],
    ['an object', {}],
    ['a function', () => ''],
    ['an array of numbers', [1]],
    ['an array with null', [null]],
    ['a typed array that is not bytes', new Uint16Array(3)],
    ['bytes, then quads', each<unknown>([new Uint8Array(1), QUADS[0]])],
    ['quads, then bytes', each<unknown>([QUADS[0], new Uint8Array(1)])],
    ['quads, then undefined', [QUADS[0], undefined]],
  ])('but not %s: INVALID_ARGUMENT that names data', async (_, data) => {
    const before = await stateOf(engine, 'w');
    await expect(engine.import({ source: 'w', data: data as never })).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
      message: expect.stringMatching(/^import: data: /),
    });
    expect(await stateOf(engine, 'w')).toEqual(before);
  });

  it.each([
    [
      'a subject that is a literal',
      dataFactory.quad(
        dataFactory.literal('x') as never,
        dataFactory.namedNode('urn:p'),
        dataFactory.namedNode('urn:o'),
      ),
    ],
    [
      'a subject that is a triple term',
      dataFactory.quad(QUADS[0] as never, dataFactory.namedNode('urn:p'), dataFactory.namedNode('urn:o')),
    ],
    [
      'a predicate that is a blank node',
      dataFactory.quad(
        dataFactory.namedNode('urn:s'),
        dataFactory.blankNode() as never,
        dataFactory.namedNode('urn:o'),
      ),
    ],
    [
      'a variable as object',
      dataFactory.quad(
        dataFactory.namedNode('urn:s'),
        dataFactory.namedNode('urn:p'),
        dataFactory.variable('x') as never,
      ),
    ],
    [
      'the default graph as object',
      dataFactory.quad(
        dataFactory.namedNode('urn:s'),
        dataFactory.namedNode('urn:p'),
        dataFactory.defaultGraph() as never,
      ),
    ],
    [
      'a literal as graph',
      dataFactory.quad(
        dataFactory.namedNode('urn:s'),
        dataFactory.namedNode('urn:p'),
        dataFactory.namedNode('urn:o'),
        dataFactory.literal('g') as never,
      ),
    ],
    [
      'a relative IRI',
      dataFactory.quad(dataFactory.namedNode('s'), dataFactory.namedNode('urn:p'), dataFactory.namedNode('urn:o')),
    ],
    [
      'an IRI with a space',
      dataFactory.quad(
        dataFactory.namedNode('urn:a b'),
        dataFactory.namedNode('urn:p'),
        dataFactory.namedNode('urn:o'),
      ),
    ],
    [
      'an IRI that would end the term',
      dataFactory.quad(
        dataFactory.namedNode('urn:s'),
        dataFactory.namedNode('urn:p'),
        dataFactory.namedNode('urn:o> . <urn:x'),
      ),
    ],
    [
      'a lone surrogate',
      dataFactory.quad(dataFactory.namedNode('urn:s'), dataFactory.namedNode('urn:p'), dataFactory.literal('\ud83d')),
    ],
    [
      'a language tag with a space',
      dataFactory.quad(dataFactory.namedNode('urn:s'), dataFactory.namedNode('urn:p'), dataFactory.literal('x', 'e n')),
    ],
    [
      'rdf:langString without a tag',
      dataFactory.quad(
        dataFactory.namedNode('urn:s'),
        dataFactory.namedNode('urn:p'),
        dataFactory.literal('x', dataFactory.namedNode('http://www.w3.org/1999/02/22-rdf-syntax-ns#langString')),
      ),
    ],
    [
      'a datatype that is not an IRI',
      dataFactory.quad(
        dataFactory.namedNode('urn:s'),
        dataFactory.namedNode('urn:p'),
        dataFactory.literal('x', dataFactory.namedNode('no iri')),
      ),
    ],
    [
      'a missing object',
      {
        subject: dataFactory.namedNode('urn:s'),
        predicate: dataFactory.namedNode('urn:p'),
        object: undefined,
        graph: dataFactory.defaultGraph(),
      },
    ],
    [
      'a missing graph',
      {
        subject: dataFactory.namedNode('urn:s'),
        predicate: dataFactory.namedNode('urn:p'),
        object: dataFactory.namedNode('urn:o'),
      },
    ],
    [
      'a term without a value',
      dataFactory.quad(
        { termType: 'NamedNode' } as never,
        dataFactory.namedNode('urn:p'),
        dataFactory.namedNode('urn:o'),
      ),
    ],
  ])('a quad with %s is INVALID_RDF, and the valid quads before it are not stored', async (_, bad) => {
    const before = await stateOf(engine, 'w');
    await expect(engine.import({ source: 'w', data: [QUADS[0], bad] as never })).rejects.toMatchObject({
      code: 'INVALID_RDF',
    });
    expect(await stateOf(engine, 'w')).toEqual(before);
  });
});

describe('the content type of an import', () => {
  it.each([
    'application/n-quads',
    'APPLICATION/N-Quads',
    ' application/n-quads ; charset="utf-8"',
    'text/x-nquads',
    'application/trig',
  ])('may be %s', async (contentType) => {
    const data = contentType.includes('trig')
      ? '<urn:g> { <urn:s> <urn:p> 1 }'
      : '<urn:s> <urn:p> "1"^^<urn:t> <urn:g> .';
    expect(await engine.import({ source: 'w', data, contentType })).toMatchObject({ quads: 1, inserted: 1 });
  });

  it.each(['', 'text/html', 'application/json', '__proto__', 'constructor', 'n-quads'])(
    'may not be "%s": UNSUPPORTED, before a byte is read',
    async (contentType) => {
      let touched = false;
      const data = (async function* () {
        touched = true;
        yield new Uint8Array(0);
      })();
      await expect(engine.import({ source: 'w', data, contentType })).rejects.toMatchObject({ code: 'UNSUPPORTED' });
      expect(touched).toBe(false);
    },
  );

  it('does not matter for quads', async () => {
    expect(await engine.import({ source: 'w', data: QUADS, contentType: 'text/turtle' })).toMatchObject({ quads: 4 });
  });
});

describe('round trips', () => {
  it.each([
    '"01"^^<http://www.w3.org/2001/XMLSchema#integer>',
    '"1"^^<http://www.w3.org/2001/XMLSchema#integer>',
    '"not a number"^^<http://www.w3.org/2001/XMLSchema#integer>',
    '"1.0"^^<http://www.w3.org/2001/XMLSchema#decimal>',
    '"TRUE"^^<http://www.w3.org/2001/XMLSchema#boolean>',
    '"x"@en-GB',
    '"x"@en',
    '"x"@en-Latn-US',
    '"x"@ar--rtl',
    '""',
    '"\u00e9"',
    '"e\u0301"',
    '"\u0000\u0001\u007f\u0085\u2028\ufeff\uffff"',
    '"\u{10ffff}"',
    '<HTTP://Example.org/a/../b?%7e#É>',
    '<<( <urn:a> <urn:b> <<( <urn:a> <urn:b> "c"@zh-Hant )>> )>>',
  ])('%s', async (object) => {
    const line = `<urn:s> <urn:p> ${object} .\n`;
    await engine.import({ source: 'w', data: line });
    expect(await dataOf(engine, 'w')).toBe(line);
    const quads = [];
    for await (const quad of engine.quads({ source: 'w' })) quads.push(quad);
    await engine.createWorld({ slug: 'copy' });
    await engine.import({ source: 'copy', data: quads });
    expect(await dataOf(engine, 'copy')).toBe(line);
    for await (const quad of engine.quads({ source: 'copy', object: quads[0].object }))
      expect(quad.equals(quads[0])).toBe(true);
  });

  it('xsd:string and no datatype are one term', async () => {
    const data = '<urn:s> <urn:p> "x" .\n<urn:s> <urn:p> "x"^^<http://www.w3.org/2001/XMLSchema#string> .\n';
    expect(await engine.import({ source: 'w', data })).toMatchObject({ quads: 2, inserted: 1 });
  });

  it('a literal of 3 MB and an n3 term with the same text', async () => {
    const text = 'ü"\\'.repeat(750_000);
    const { namedNode, literal, quad } = DataFactory;
    await engine.import({ source: 'w', data: [quad(namedNode('urn:s'), namedNode('urn:p'), literal(text))] });
    const data = await engine.export({ source: 'w' });
    expect(await engine.import({ source: 'w', data })).toMatchObject({ quads: 1, inserted: 0 });
    for await (const found of engine.quads({ source: 'w' })) expect(found.object.value === text).toBe(true);
  });
});
