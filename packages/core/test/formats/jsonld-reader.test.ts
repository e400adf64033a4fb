import http from 'node:http';
import https from 'node:https';
import net from 'node:net';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { readJsonLd } from '../../src/formats/jsonld-reader.ts';
import { WorldsError } from '../../src/model/worlds-error.ts';
import { readDocument, readError } from './documents.ts';

const read = (document: unknown, options = {}) =>
  readDocument(readJsonLd, typeof document === 'string' ? document : JSON.stringify(document), options);
const error = (document: unknown, options = {}) =>
  readError(readJsonLd, typeof document === 'string' ? document : JSON.stringify(document), options);

describe('readJsonLd', () => {
  it.each([1, 7, 1e9])('reads the same from chunks of %i bytes', async (chunkSize) => {
    const quads = await read('\ufeff{"@context":{"@vocab":"http://ex/"},"@id":"urn:é","name":"\u{1f600}"}', {
      chunkSize,
    });
    expect(quads).toHaveLength(1);
    expect(quads[0]).toMatchObject({
      subject: { value: 'urn:é' },
      predicate: { value: 'http://ex/name' },
      object: { value: '\u{1f600}' },
    });
  });

  it.each([
    ['a number', 5, '5', 'integer'],
    ['a big number', 1e21, '1.0E21', 'double'],
    ['a fraction', 1.5, '1.5E0', 'double'],
    ['a boolean', true, 'true', 'boolean'],
    [
      'a number typed as double',
      { '@value': 5, '@type': 'http://www.w3.org/2001/XMLSchema#double' },
      '5.0E0',
      'double',
    ],
    [
      'a string typed as double',
      { '@value': 'INF', '@type': 'http://www.w3.org/2001/XMLSchema#double' },
      'INF',
      'double',
    ],
    ['another', { '@value': '01.50', '@type': 'http://www.w3.org/2001/XMLSchema#double' }, '01.50', 'double'],
    [
      'a string typed as integer',
      { '@value': '01', '@type': 'http://www.w3.org/2001/XMLSchema#integer' },
      '01',
      'integer',
    ],
    ['a string', 'x', 'x', 'string'],
  ])('gives %s its lexical form', async (_, value, lexical, datatype) => {
    const [{ object }] = await read({ 'http://p': value });
    expect(object).toMatchObject({
      value: lexical,
      datatype: { value: `http://www.w3.org/2001/XMLSchema#${datatype}` },
    });
  });

  it('keeps the usual letter case of language tags, in values, terms and contexts', async () => {
    const quads = await read({
      '@context': { '@vocab': 'http://ex/', '@language': 'de-AT', term: { '@language': 'en-GB' } },
      a: 'a',
      term: 'b',
      c: { '@value': 'c', '@language': 'fr-BE-x-ab' },
    });
    const languages = quads.map(({ object }) => (object.termType === 'Literal' ? object.language : ''));
    expect(languages.sort()).toEqual(['de-AT', 'en-GB', 'fr-BE-x-ab']);
  });

  it('writes JSON literals canonically, with every member as it was', async () => {
    const [{ object }] = await read(
      '{"@context":{"p":{"@id":"http://p","@type":"@json"}},"p":{"b":[1.0,"\\u00e9\\n"],"@language":"EN^x","a":null,"":{}}}',
    );
    expect(object.value).toBe('{"":{},"@language":"EN^x","a":null,"b":[1,"é\\n"]}');
    expect(object).toMatchObject({ datatype: { value: 'http://www.w3.org/1999/02/22-rdf-syntax-ns#JSON' } });
  });

  it('reads lists, reverse properties, included nodes and graphs', async () => {
    const quads = await read({
      '@context': { '@vocab': 'http://ex/' },
      '@id': 'urn:g',
      list: { '@list': [1, { '@list': [] }] },
      '@reverse': { of: { '@id': 'urn:r' } },
      '@included': [{ '@id': 'urn:i', p: 1 }],
      '@graph': [{ '@id': 'urn:s', p: { '@graph': { '@id': 'urn:t', p: 2 } } }],
    });
    const graphs = quads.map(({ graph }) => graph.termType + graph.value.replace(/\d/, ''));
    expect(graphs.filter((graph) => graph === 'DefaultGraph')).toHaveLength(7);
    expect(graphs.filter((graph) => graph === 'NamedNodeurn:g')).toHaveLength(1);
    expect(graphs.filter((graph) => graph === 'BlankNodeg')).toHaveLength(1);
    expect(quads).toHaveLength(9);
    expect(quads.find(({ predicate }) => predicate.value === 'http://ex/of')).toMatchObject({
      subject: { value: 'urn:r' },
      object: { value: 'urn:g' },
    });
  });

  it('distinguishes nodes without a label from labelled ones', async () => {
    const quads = await read([{ '@id': '_:g1', 'http://p': {} }, { 'http://p': { '@id': '_:g1' } }]);
    expect(new Set(quads.flatMap(({ subject, object }) => [subject.value, object.value])).size).toBe(3);
  });

  it.each([
    ['@id', { '@id': 'a', 'http://p': 1 }],
    ['@type', { '@type': 'T' }],
    ['object', { 'http://p': { '@id': 'o' } }],
    ['list item', { 'http://p': { '@list': [{ '@id': 'o' }] } }],
    ['graph', { '@id': 'g', '@graph': [{ 'http://p': 1 }] }],
    ['subject of a reverse property', { '@reverse': { 'http://p': { '@id': 'a' } } }],
    ['@vocab', { '@context': { '@vocab': 'v/' }, p: 1 }],
    ['IRI, by @base null', { '@context': { '@base': null }, '@id': 'a', 'http://p': 1 }],
  ])('refuses a relative %s, and resolves it against a base', async (what, document) => {
    const refused = await error(document);
    expect(refused.code).toBe('INVALID_RDF');
    expect(refused.message).toMatch(/relative/);
    if (!what.includes('null')) expect((await read(document, { baseIri: 'http://base/' })).length).toBeGreaterThan(0);
  });

  // JSON-LD 1.1 API section 8.1.2, step 1.3.2.3
  it.each<[string, object, string[]]>([
    ['a literal', { '_:p': 'x', 'http://q': 'y' }, ['http://q y']],
    ['a malformed literal', { '_:p': { '@value': 'x', '@language': 'a b' } }, []],
    ['a node, which stays', { '_:p': { 'http://q': 'y' } }, ['http://q y']],
    [
      'nodes in a list',
      { '_:p': { '@list': [1, { 'http://q': 'y' }, { '@list': [{ 'http://q': 'z' }] }] } },
      ['http://q y', 'http://q z'],
    ],
    ['a reverse property', { '@reverse': { '_:p': { '@id': 'urn:a', 'http://q': 'y' } } }, ['http://q y']],
    ['a term', { '@context': { p: '_:p', r: { '@reverse': '_:r' } }, p: 'x', r: { '@id': 'urn:a' } }, []],
  ])('leaves out triples with a blank node as predicate: %s', async (_, document, expected) => {
    const quads = await read(document);
    expect(quads.map(({ predicate, object }) => `${predicate.value} ${object.value}`).sort()).toEqual(expected);
  });

  it('ignores keys that the context does not map', async () => {
    expect(await read({ '@id': 'urn:a', unmapped: 1, 'http://p': 2 })).toHaveLength(1);
  });

  it.each([
    ['an IRI with a space', { '@id': 'http://a b', 'http://p': 1 }, /not allowed/],
    ['an IRI that would break out of a line', { '@id': 'urn:a>\u00a0<urn:b', 'http://p': 1 }, /not allowed/],
    ['a mapped property with a space', { '@context': { ex: 'http://ex/' }, 'ex:a b': 1 }, /not allowed/],
    ['a datatype that is not an IRI', { 'http://p': { '@value': 'x', '@type': 'http://a b' } }, /typed value/],
    ['two datatypes', { 'http://p': { '@value': 'x', '@type': ['urn:a', 'urn:b'] } }, /typed value/],
    ['a malformed language tag', { 'http://p': { '@value': 'x', '@language': 'a b' } }, /language tag/],
    [
      'rdf:langString without a language',
      { 'http://p': { '@value': 'x', '@type': 'http://www.w3.org/1999/02/22-rdf-syntax-ns#langString' } },
      /language tag/,
    ],
    ['a value object with other members', { 'http://p': { '@value': 'x', 'http://q': 1 } }, /invalid value object/],
    ['an @id that is not a string', { '@id': 5 }, /@id/],
    ['a context in a context', { '@context': { '@context': { p: 'http://p' } }, p: 1 }, /keyword redefinition/],
    ['a cyclic context', { '@context': { a: 'b:x', b: 'a:x' }, a: 1 }, /cyclic/],
    ['a string', '"http://127.0.0.1/"', /object or array/],
    ['a number', '5', /object or array/],
    ['null', 'null', /object or array/],
  ])('refuses %s', async (_, document, message) => {
    const refused = await error(document);
    expect(refused.code).toBe('INVALID_RDF');
    expect(refused.message).toMatch(message);
  });

  it.each([
    ['truncated JSON', '{"http://p":\n [1', 2, 4],
    ['an empty document', '', 1, 1],
    ['20,000 arrays', `${'['.repeat(20_000)}${']'.repeat(20_000)}`, 1, 513],
    ['20,000 objects', `${'{"http://p":'.repeat(20_000)}1${'}'.repeat(20_000)}`, 1, 6145],
    ['1,000,000 arrays that are not closed', '['.repeat(1_000_000), 1, 513],
  ])('refuses %s, and says where', async (_, document, line, column) => {
    expect(await error(document)).toMatchObject({ code: 'INVALID_RDF', location: { line, column } });
  });

  it.each(['{"http://p":', '{"@graph":[', '[', '{"http://p":{"@list":['])(
    'reads data nested as deep as allowed by %s',
    async (opening) => {
      const brackets = opening.match(/[[{]/g)!;
      const times = Math.floor(510 / brackets.length);
      const closing = brackets
        .map((bracket) => (bracket === '[' ? ']' : '}'))
        .reverse()
        .join('');
      await read(`${opening.repeat(times)}{"http://q":1}${closing.repeat(times)}`);
    },
  );

  it.each(['__proto__', 'hasOwnProperty', 'constructor', 'toString', '\ue000m', '\ue000'])(
    'takes %j for a name like any other',
    async (name) => {
      const term = JSON.stringify(name);
      const quads =
        await read(`{"@context":{${term}:{"@id":"http://ex/term"},"p":{"@id":"http://ex/p","@type":"@vocab"}},
        ${term}:"a","p":${term},"http://ex/q":${term},"http://ex/j":{"@type":"@json","@value":{${term}:[${term}]}}}`);
      const byPredicate = Object.fromEntries(quads.map(({ predicate, object }) => [predicate.value, object.value]));
      expect(byPredicate).toEqual({
        'http://ex/term': 'a',
        'http://ex/p': 'http://ex/term',
        'http://ex/q': name,
        'http://ex/j': `{${term}:[${term}]}`,
      });
      const [{ predicate }] = await read(`{"@context":{"@vocab":"http://ex/"},${term}:{"polluted":1}}`);
      expect([`http://ex/${name}`, 'http://ex/polluted']).toContain(predicate.value);
      expect('polluted' in {}).toBe(false);
      expect(await read(`{"@id":"urn:a",${term}:{"@id":"urn:b","http://p":1}}`)).toEqual([]);
    },
  );

  it('takes the spaces of Unicode for the characters of an IRI that they are', async () => {
    const quads = await read(
      {
        '@id': 'http://a/\u00a0',
        '@type': 'http://t/\u3000',
        'http://p/\u2028': [{ '@value': ' \u00a0\ufeff', '@type': 'urn:\u00a0' }],
      },
      { baseIri: 'https://base/\u2003' },
    );
    expect(quads.map(({ object }) => object.value)).toEqual(['http://t/\u3000', ' \u00a0\ufeff']);
    expect(quads[1]).toMatchObject({
      subject: { value: 'http://a/\u00a0' },
      predicate: { value: 'http://p/\u2028' },
      object: { datatype: { value: 'urn:\u00a0' } },
    });
  });

  it('refuses bytes that are not UTF-8', async () => {
    expect(await readError(readJsonLd, Buffer.from('{"http://p":"\xff"}', 'latin1'))).toMatchObject({
      code: 'INVALID_RDF',
      location: { line: 1, column: 14 },
    });
  });

  it('stops at the signal', async () => {
    await expect(read({ 'http://p': 1 }, { signal: AbortSignal.abort() })).rejects.toMatchObject({ code: 'ABORTED' });
  });
});

it('keeps the digits of integers beyond 2^53', async () => {
  const values = [
    '9007199254740993',
    '-12345678901234567890',
    '123456789012345678901',
    '1e16',
    '1000000000000000000001',
  ];
  const quads = await read(`{"http://ex/p":[${values}],"http://ex/json":{"@type":"@json","@value":9007199254740993}}`);
  const objects = quads.map(({ object }) => (object.termType === 'Literal' ? object.value : ''));
  expect(objects.sort()).toEqual(
    // RFC 8785 section 3.2.2.3: the numbers of canonical JSON are doubles. Section 8.2.2: so are
    // integers from 10^21 on.
    [...values.slice(0, 3), '10000000000000000', '1.0E21', '9007199254740992'].sort(),
  );
});

describe('remote contexts', () => {
  const touched: string[] = [];
  const poison = (name: string) => (): never => {
    touched.push(name);
    throw new Error(`${name} was called`);
  };

  beforeEach(() => {
    touched.length = 0;
    vi.stubGlobal('fetch', poison('fetch'));
    vi.spyOn(http, 'request').mockImplementation(poison('http.request'));
    vi.spyOn(https, 'request').mockImplementation(poison('https.request'));
    vi.spyOn(net.Socket.prototype, 'connect').mockImplementation(poison('connect'));
  });

  afterEach(() => {
    vi.unstubAllGlobals();
    vi.restoreAllMocks();
  });

  it.each([
    ['a context', { '@context': 'http://127.0.0.1:9/c', p: 1 }],
    ['a context by https', { '@context': 'https://schema.org/', p: 1 }],
    ['one of several', { '@context': [{ '@vocab': 'http://ex/' }, 'http://127.0.0.1:9/c'], p: 1 }],
    ['a relative context', { '@context': 'c', p: 1 }],
    ['an import', { '@context': { '@version': 1.1, '@import': 'http://127.0.0.1:9/c' }, p: 1 }],
    [
      'a property-scoped context',
      { '@context': { p: { '@id': 'http://p', '@context': 'http://127.0.0.1:9/c' } }, p: { q: 1 } },
    ],
    [
      'a type-scoped context',
      { '@context': { T: { '@id': 'http://T', '@context': 'http://127.0.0.1:9/c' } }, '@type': 'T' },
    ],
    ['a context of an embedded node', { 'http://p': { '@context': 'http://127.0.0.1:9/c', q: 1 } }],
    ['a file', { '@context': 'file:///etc/passwd', p: 1 }],
  ])('are refused without a loader, and nothing is requested: %s', async (_, document) => {
    const refused = await error(document, { baseIri: 'http://127.0.0.1:9/' });
    expect(refused.code).toBe('INVALID_RDF');
    expect(refused.message).toMatch(/remote.*not loaded/);
    expect(touched).toEqual([]);
  });

  it('do not make a document of a string', async () => {
    await error('"http://127.0.0.1:9/document"');
    await error('["http://127.0.0.1:9/document"]').catch(() => undefined);
    expect(touched).toEqual([]);
  });

  it('come from the loader that is given, each URL resolved, and are not kept for others', async () => {
    const asked: string[] = [];
    const context = { '@context': { p: 'http://ex/p', '@language': 'EN' } };
    const documentLoader = async (url: string) => {
      asked.push(url);
      return { document: context };
    };
    const document = { '@context': 'c', p: 'x' };
    const [quad] = await read(document, { baseIri: 'http://h/d/', documentLoader });
    expect(quad).toMatchObject({ predicate: { value: 'http://ex/p' }, object: { language: 'en' } });
    expect(asked).toEqual(['http://h/d/c']);
    expect(context['@context']['@language']).toBe('EN');
    expect((await error(document, { baseIri: 'http://h/d/' })).message).toMatch(/not loaded/);
  });

  it('may be text, and are checked like a document', async () => {
    const loading = (document: unknown) => ({ documentLoader: async () => ({ document }) });
    const document = { '@context': 'http://h/c', p: 'x' };
    expect(await read(document, loading('{"@context":{"p":"http://ex/p"}}'))).toHaveLength(1);
    expect((await error(document, loading('{"@context":'))).message).toMatch(/JSON/);
    expect((await error(document, loading([]))).code).toBe('INVALID_RDF');
  });

  it('pass on why they could not be loaded', async () => {
    const failing = (thrown: Error) => ({
      documentLoader: async () => {
        throw thrown;
      },
    });
    const document = { '@context': 'http://h/c', p: 'x' };
    const offline = await error(document, failing(new Error('offline')));
    expect(offline.message).toMatch(/http:\/\/h\/c.*offline/);
    expect(await error(document, failing(new WorldsError('TIMEOUT', 'too late')))).toMatchObject({ code: 'TIMEOUT' });
  });
});

describe('the context that is given', () => {
  const context = { name: 'http://ex/name', '@language': 'EN' };

  it.each<[string, unknown]>([
    ['itself', context],
    ['in a document', { '@context': context, ignored: 1 }],
    ['as one of several', [{ name: 'http://ex/other' }, context]],
    ['as one of several in a document', { '@context': [null, context] }],
  ])('applies before that of the document, %s', async (_, given) => {
    const [quad] = await read({ name: 'Ada' }, { context: given });
    expect(quad).toMatchObject({ predicate: { value: 'http://ex/name' }, object: { value: 'Ada', language: 'en' } });
    const [own] = await read({ '@context': { name: 'http://own/name' }, name: 'Ada' }, { context: given });
    expect(own).toMatchObject({ predicate: { value: 'http://own/name' }, object: { language: 'en' } });
    expect(context).toEqual({ name: 'http://ex/name', '@language': 'EN' });
  });

  it.each([undefined, null, {}, []])('changes nothing as %j', async (given) => {
    expect(await read({ name: 'Ada', 'http://p': 1 }, { context: given })).toHaveLength(1);
  });

  it.each<[string, unknown]>([
    ['as a URL', 'http://127.0.0.1:9/c'],
    ['in a list', [context, 'http://127.0.0.1:9/c']],
    ['in a document', { '@context': 'http://127.0.0.1:9/c' }],
    ['scoped to a term', { p: { '@id': 'http://p', '@context': 'http://127.0.0.1:9/c' } }],
  ])('is refused when it is remote, %s, and comes from the loader', async (_, given) => {
    const document = { p: { '@id': 'urn:x' } };
    const refused = await error(document, { context: given });
    expect(refused.code).toBe('INVALID_RDF');
    expect(refused.message).toMatch(/remote.*not loaded/);
    const documentLoader = async () => ({ document: { '@context': { p: 'http://p' } } });
    expect(await read(document, { context: given, documentLoader })).toHaveLength(1);
  });

  it('may have any name for a term', async () => {
    const given = JSON.parse('{"__proto__":"http://ex/proto","hasOwnProperty":"http://ex/has"}');
    const quads = await read('{"__proto__":"a","hasOwnProperty":"b"}', { context: given });
    expect(quads.map(({ predicate }) => predicate.value).sort()).toEqual(['http://ex/has', 'http://ex/proto']);
    expect(Object.hasOwn(given, '__proto__')).toBe(true);
  });

  it('is rejected if it is not a context', async () => {
    const cyclic: Record<string, unknown> = {};
    cyclic.a = cyclic;
    for (const given of [cyclic, () => 1, Symbol('a'), 5n])
      expect(await error({}, { context: given })).toMatchObject({ code: 'INVALID_ARGUMENT' });
    let deep: unknown = {};
    for (let depth = 0; depth < 600; depth++) deep = { a: deep };
    for (const given of [deep, 5, true, { a: 5 }])
      expect(await error({}, { context: given })).toMatchObject({ code: 'INVALID_RDF' });
  });
});
