import { createReadStream } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { runInNewContext } from 'node:vm';
import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { dataFactory, type ImportDocument, WorldsEngine, type WorldsErrorCode } from '../../src/index.ts';

const TURTLE = '@prefix : <https://example.org/> . :a :b :c, :d .';
const JSON_LD = { '@id': 'https://example.org/a', 'https://example.org/b': [{ '@value': 'c' }, 'd'] };
const LINE = '<urn:a> <urn:b> <urn:c> .\n';

let folder: string;
let engine: WorldsEngine;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rdf-worlds-input-'));
  await writeFile(join(folder, 'data.ttl'), TURTLE);
  await writeFile(join(folder, 'data.ttl.gz'), gzipSync(TURTLE));
  await writeFile(join(folder, 'data.csv'), 'a,b\n');
});
afterAll(() => rm(folder, { recursive: true }));
beforeEach(async () => {
  engine = await WorldsEngine.open({ textIndex: null, limits: { maxDecompressedBytes: 1 << 20 } });
  await engine.createWorld({ slug: 'w' });
});
afterEach(() => engine.close());

const load = (document: ImportDocument) => engine.import({ source: 'w', ...document });
const fileUrl = (name: string) => pathToFileURL(join(folder, name));
const refusal = (code: WorldsErrorCode, text: string) => ({ code, message: expect.stringContaining(text) });
const response = (body: ConstructorParameters<typeof Response>[0], type?: string, status = 200) =>
  new Response(body, { status, headers: type === undefined ? {} : { 'content-type': type } });

describe('the format of a document is that', () => {
  it.each<[how: string, data: () => ImportDocument['data'], note: string]>([
    ['of the name of a file', () => fileUrl('data.ttl'), 'read as text/turtle, by the name'],
    ['of the name of a compressed file', () => fileUrl('data.ttl.gz'), 'data.ttl.gz"'],
    ['of the path of a stream', () => createReadStream(join(folder, 'data.ttl')), 'read as text/turtle, by the name'],
    [
      'of the Content-Type of a Response',
      () => response(TURTLE, 'text/turtle; charset=utf-8'),
      'the Content-Type of the response',
    ],
    [
      'of the type of a Blob',
      () => new Blob([TURTLE], { type: 'text/turtle' }),
      'read as text/turtle, the type of the Blob',
    ],
    [
      'of the name of a File',
      () => new File([TURTLE], 'x.TTL', { type: 'application/octet-stream' }),
      'by the name "x.TTL"',
    ],
    ['of an object', () => JSON_LD, 'read as application/ld+json, because it is an object'],
    ['of an array of objects', () => [JSON_LD], 'read as application/ld+json, because it is an object'],
  ])('%s', async (_, data, note) => {
    const { quads, notes } = await load({ data: data() });
    expect(quads).toBe(2);
    expect(notes).toEqual([expect.stringContaining(note)]);
  });

  it('that is given, and then nothing is assumed', async () => {
    expect(await load({ data: response(TURTLE, 'text/html'), contentType: 'text/turtle' })).toMatchObject({
      quads: 2,
      notes: [],
    });
    const { namedNode, quad } = dataFactory;
    const quads = [quad(namedNode('urn:a'), namedNode('urn:b'), namedNode('urn:c'))];
    expect((await load({ data: quads })).notes).toEqual([]);
    expect((await load({ data: [{ ...quads[0] }] as never })).quads).toBe(1);
  });

  it('N-Quads by default, as the result and the error say', async () => {
    const note = 'import: data: read as application/n-quads, because no contentType was given.';
    expect((await load({ data: LINE })).notes).toEqual([note]);
    const looks: [string, string][] = [
      [TURTLE, 'It looks like text/turtle or application/trig: pass that as contentType.'],
      ['# first\n\nPREFIX : <urn:x>', 'It looks like text/turtle'],
      [JSON.stringify(JSON_LD), 'It looks like application/ld+json'],
      ['<?xml version="1.0"?><rdf:RDF/>', 'It looks like application/rdf+xml'],
      ['<!DOCTYPE html><html>', 'It looks like an HTML page'],
      ['nonsense here', note],
    ];
    for (const [data, text] of looks) {
      await expect(load({ data }), data).rejects.toMatchObject({
        ...refusal('INVALID_RDF', text),
        location: { line: expect.any(Number) },
      });
      await expect(load({ data })).rejects.toMatchObject(refusal('INVALID_RDF', note));
    }
    await expect(load({ data: 'nonsense', contentType: 'text/turtle' })).rejects.not.toMatchObject(
      refusal('INVALID_RDF', 'read as'),
    );
  });

  it('of each document of several, by its number', async () => {
    const documents = [{ data: LINE, contentType: 'text/turtle' }, { data: LINE }, { data: { '@id': 'urn:x' } }];
    expect((await engine.importAll({ source: 'w', documents })).notes).toEqual([
      expect.stringContaining('importAll: documents[1].data: read as application/n-quads'),
      expect.stringContaining('importAll: documents[2].data: read as application/ld+json'),
      expect.stringContaining('importAll: documents[2].data: the JSON-LD document contains no triples'),
    ]);
  });
});

describe('input that is not a document:', () => {
  const failing = () => response('gone', 'text/html', 404);
  const cyclic = () => {
    const one: Record<string, unknown> = { '@id': 'urn:x' };
    return [Object.assign(one, { 'urn:p': one })];
  };
  it.each<[what: string, data: () => unknown, code: WorldsErrorCode, text: string]>([
    ['a path', () => 'data/people.ttl', 'INVALID_ARGUMENT', 'pathToFileURL(path)'],
    ['a path of Windows, compressed', () => 'C:\\data\\people.nt.gz\n', 'INVALID_ARGUMENT', 'is the path of a file'],
    ['an address', () => 'https://example.org/people.ttl', 'INVALID_ARGUMENT', 'pass "await fetch(url)"'],
    ['an address of a file', () => 'file:///data/people.ttl', 'INVALID_ARGUMENT', 'pass "new URL(text)"'],
    [
      'a URL of the network',
      () => new URL('https://example.org/people.ttl'),
      'INVALID_ARGUMENT',
      'pass "await fetch(url)"',
    ],
    ['another URL', () => new URL('data:text/turtle,'), 'INVALID_ARGUMENT', 'expected a file: URL'],
    ['a file that is not there', () => fileUrl('none.ttl'), 'INVALID_ARGUMENT', 'none.ttl could not be read: ENOENT'],
    ['a directory', () => pathToFileURL(folder), 'INVALID_ARGUMENT', 'could not be read: EISDIR'],
    [
      'a Promise',
      () => Promise.resolve(TURTLE),
      'INVALID_ARGUMENT',
      'import: data: this is a Promise; await it first.',
    ],
    ['a response that failed', failing, 'INVALID_ARGUMENT', 'is 404, no document'],
    [
      'a page of HTML',
      () => response('<html>', 'text/html'),
      'UNSUPPORTED',
      'the Content-Type of the response is "text/html"',
    ],
    ['an object', () => ({ name: 'Ada' }), 'INVALID_ARGUMENT', 'without @context'],
    ['an array of objects', () => [{ name: 'Ada' }], 'INVALID_ARGUMENT', 'without @context'],
    ['one quad', () => ({ subject: 1, predicate: 2, object: 3 }), 'INVALID_ARGUMENT', 'one quad; pass an array'],
    ['an object with a cycle', cyclic, 'INVALID_ARGUMENT', 'is not JSON'],
    ['an object with a bigint', () => ({ '@id': 'urn:x', 'urn:p': 1n }), 'INVALID_ARGUMENT', 'is not JSON'],
  ])('%s', async (_, data, code, text) => {
    await expect(load({ data: data() as never })).rejects.toMatchObject(refusal(code, text));
    expect((await engine.stats()).quads).toBe(0);
  });

  it('a response that was read', async () => {
    const used = response(TURTLE, 'text/turtle');
    await used.text();
    await expect(load({ data: used })).rejects.toMatchObject(refusal('INVALID_ARGUMENT', 'has been read already'));
  });

  it('an object in another format', async () => {
    const document = { data: JSON_LD, contentType: 'text/turtle' };
    await expect(load(document)).rejects.toMatchObject(refusal('INVALID_ARGUMENT', 'cannot be read as text/turtle'));
  });
});

describe('a JSON-LD object', () => {
  it('is read like its JSON text, including arrays and omitted values', async () => {
    const data = {
      '@context': { '@vocab': 'https://example.org/' },
      '@graph': [
        { '@id': 'urn:a', name: 'Ada', left: undefined },
        null,
        { '@id': 'urn:b', name: ['B', 'C'], empty: [] },
      ],
      left: undefined,
    };
    expect((await load({ data })).quads).toBe(3);
    expect((await load({ data: JSON.stringify(data), contentType: 'application/ld+json' })).inserted).toBe(0);
    expect((await load({ data: { name: 'Ada' }, context: { name: 'urn:name' } })).quads).toBe(1);
    expect((await load({ data: {}, contentType: 'application/ld+json' })).notes).toEqual([
      'import: data: the JSON-LD document contains no triples: keys without an IRI are ignored. Give it a @context, or pass context.',
    ]);
  });

  it('may come from another realm, as may bytes', async () => {
    const foreign = runInNewContext(`({ '@id': 'urn:a', 'urn:b': ['c'] })`);
    expect((await load({ data: foreign })).quads).toBe(1);
    const bytes = runInNewContext(`Uint8Array.from(${JSON.stringify([...Buffer.from(LINE)])})`);
    expect((await load({ data: bytes })).quads).toBe(1);
    expect((await load({ data: bytes.buffer })).quads).toBe(1);
    expect((await load({ data: [bytes] as never })).quads).toBe(1);
  });
});

describe('a language tag with a long subtag', () => {
  const NOTE =
    'import: data: the language tag "zh-classical" has a subtag of more than 8 characters, which RFC 5646 does not allow: other tools may refuse it.';
  const IRI = '<urn:a> <urn:b>';
  const TERMS = [
    dataFactory.quad(
      dataFactory.namedNode('urn:a'),
      dataFactory.namedNode('urn:b'),
      dataFactory.literal('x', 'zh-classical'),
    ),
  ];

  it.each<[contentType: string | undefined, data: ImportDocument['data']]>([
    ['application/n-quads', `${IRI} "x"@zh-Classical .\n${IRI} "y"@ZH-CLASSICAL .\n`],
    ['application/n-triples', `${IRI} "x"@zh-classical .\n${IRI} "y"@en .\n`],
    ['text/turtle', `${IRI} "x"@zh-classical, "y"@zh-classical--ltr .`],
    ['application/trig', `<urn:g> { ${IRI} "x"@zh-classical }`],
    ['text/n3', `${IRI} "x"@zh-classical .`],
    ['application/ld+json', '{"@id":"urn:a","urn:b":{"@value":"x","@language":"zh-classical"}}'],
    [
      'application/rdf+xml',
      `<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:u="urn:"><rdf:Description rdf:about="urn:a"><u:b xml:lang="zh-classical">x</u:b></rdf:Description></rdf:RDF>`,
    ],
    ['application/rdf-patch', `TX .\nA ${IRI} "x"@zh-classical .\nTC .\n`],
    [undefined, TERMS],
  ])('is noted in %s', async (contentType, data) => {
    const { inserted, notes } = await load({ data, ...(contentType && { contentType }) });
    expect(inserted).toBeGreaterThan(0);
    expect(notes).toEqual([NOTE]);
    const query = 'ASK { { ?s ?p ?o } UNION { GRAPH ?g { ?s ?p ?o } } FILTER(LANG(?o) = "zh-classical") }';
    expect(await engine.ask({ sources: ['w'], query })).toBe(true);
  });

  it('is noted for the first document that has it, with the number of such tags', async () => {
    const data = (...tags: string[]) => tags.map((tag) => `${IRI} "x"@${tag} .\n`).join('');
    const { notes } = await engine.importAll({
      source: 'w',
      documents: [
        { contentType: 'text/turtle', data: data('en-GB', 'en-x-12345678') },
        { contentType: 'application/n-quads', data: data('zh-classical', `a-${'b'.repeat(100)}`, 'en-Latn-fonipaaaa') },
        { contentType: 'text/turtle', data: data('zh-classical') },
      ],
    });
    expect(notes).toEqual([
      'importAll: documents[1].data: 3 language tags, such as "zh-classical", have a subtag of more than 8 characters, which RFC 5646 does not allow: other tools may refuse it.',
    ]);
  });

  it('is noted where the world has it already', async () => {
    const contentType = 'application/rdf-patch';
    await load({ data: `A ${IRI} "x"@zh-classical .\n`, contentType });
    expect((await load({ data: `A ${IRI} "y"@zh-classical .\n`, contentType })).notes).toEqual([NOTE]);
    expect((await load({ data: `${IRI} "x"@zh-classical .\n`, contentType: 'text/turtle' })).notes).toEqual([NOTE]);
  });
});

describe('gzip', () => {
  const bytes = gzipSync(LINE);
  it.each<[how: string, data: () => ImportDocument['data']]>([
    ['bytes', () => bytes],
    ['a Blob', () => new Blob([bytes])],
    [
      'single bytes, in a buffer that is used again',
      async function* () {
        const shared = new Uint8Array(1);
        for (const byte of bytes) {
          shared[0] = byte;
          yield shared;
          shared[0] = 0;
        }
      },
    ],
    ['members one after the other', () => Buffer.concat([gzipSync('<urn:a> <urn:b>'), gzipSync(' <urn:c> .')])],
    ['a Response', () => response(bytes, 'application/gzip')],
  ])('as %s is decompressed', async (_, data) => {
    expect((await load({ data: data() })).quads).toBe(1);
  });

  it('that is damaged, cut off or unwanted is INVALID_RDF', async () => {
    const damaged = Buffer.from(bytes);
    damaged[damaged.length - 6] ^= 0xff;
    await expect(load({ data: damaged })).rejects.toMatchObject(refusal('INVALID_RDF', 'the gzip data is damaged'));
    await expect(load({ data: bytes.subarray(0, -9) })).rejects.toMatchObject(
      refusal('INVALID_RDF', 'is damaged or truncated'),
    );
    await expect(load({ data: bytes, decompress: false })).rejects.toMatchObject({ code: 'INVALID_RDF' });
    expect((await engine.stats()).quads).toBe(0);
  });

  it('that becomes more than the limit is LIMIT_EXCEEDED as soon as it does', async () => {
    const bomb = gzipSync('# comment\n'.repeat(1 << 20));
    let read = 0;
    const onProgress = (progress: { bytes: number }) => {
      read = progress.bytes;
    };
    const importing = engine.import({ source: 'w', data: bomb, onProgress });
    await expect(importing).rejects.toMatchObject(refusal('LIMIT_EXCEEDED', 'maxDecompressedBytes'));
    expect(read).toBeLessThanOrEqual(1 << 20);
  });

  it('ends its source when the document is broken', async () => {
    let ended = false;
    const data = (async function* () {
      try {
        for (;;) yield gzipSync('broken\n');
      } finally {
        ended = true;
      }
    })();
    await expect(load({ data })).rejects.toMatchObject({ code: 'INVALID_RDF' });
    await expect.poll(() => ended).toBe(true);
  });
});

it('a byte order mark before a SPARQL text is skipped', async () => {
  await engine.update({ sources: ['w'], query: '\ufeffINSERT DATA { <urn:a> <urn:b> 1 }' });
  expect(await engine.ask({ sources: ['w'], query: '\ufeffASK { <urn:a> ?p ?o }' })).toBe(true);
  expect((await engine.explain({ query: '\ufeffASK {}' })).text).not.toBe('');
  await expect(engine.ask({ query: '\ufeffASK x' })).rejects.toMatchObject({ location: { line: 1, column: 5 } });
});
