import { isomorphic } from 'rdf-isomorphic';
import { describe, expect, it } from 'vitest';
import { readJsonLd } from '../../src/formats/jsonld-reader.ts';
import { writeJsonLd } from '../../src/formats/jsonld-writer.ts';
import { dataFactory } from '../../src/model/term.ts';
import { ArraySource } from './array-source.ts';
import { readDocument, writtenText } from './documents.ts';

const { namedNode, blankNode, literal, quad } = dataFactory;
const ex = (name: string) => namedNode(`http://ex/${name}`);
const RDF = 'http://www.w3.org/1999/02/22-rdf-syntax-ns#';
const XSD = 'http://www.w3.org/2001/XMLSchema#';
const type = namedNode(`${RDF}type`);
const first = namedNode(`${RDF}first`);
const rest = namedNode(`${RDF}rest`);
const nil = namedNode(`${RDF}nil`);
const JSON_TYPE = namedNode(`${RDF}JSON`);
const S = ex('s');

type Quads = ReturnType<typeof quad>[];

/** What a document with `context` has in `@graph`; reading it must give the same dataset. */
async function compact(quads: Quads, context: unknown, graph = '@graph'): Promise<unknown> {
  const text = await writtenText(writeJsonLd, new ArraySource(quads), { context });
  const document = JSON.parse(text);
  expect(document['@context']).toEqual(context);
  const read = await readDocument(readJsonLd, text, { rdfDirection: 'dir-lang-string' });
  expect(isomorphic(read, quads)).toBe(true);
  return document[graph];
}

const value = (object: Parameters<typeof quad>[2]) => [quad(S, ex('p'), object)];
const list = (...items: Parameters<typeof quad>[2][]): Quads => [
  quad(S, ex('p'), items.length === 0 ? nil : blankNode('l0')),
  ...items.flatMap((item, i) => [
    quad(blankNode(`l${i}`), first, item),
    quad(blankNode(`l${i}`), rest, i + 1 < items.length ? blankNode(`l${i + 1}`) : nil),
  ]),
];

describe('JSON-LD with a context', () => {
  it('has names of the context in the place of IRIs', async () => {
    const quads = [
      quad(S, type, ex('Person')),
      quad(S, ex('name'), literal('Ada')),
      quad(S, ex('knows'), ex('t')),
      quad(S, ex('age'), literal('36', namedNode(`${XSD}integer`))),
      quad(S, namedNode('http://other/p'), literal('x')),
      quad(ex('t'), type, ex('Person')),
      quad(ex('t'), type, ex('Writer')),
      quad(blankNode('x'), ex('name'), literal('Mary', 'en'), ex('g')),
    ];
    const context = {
      '@vocab': 'http://ex/',
      ex: 'http://ex/',
      knows: { '@type': '@id' },
      age: { '@type': `${XSD}integer` },
      id: '@id',
      graph: '@graph',
    };
    expect(await compact(quads, context, 'graph')).toEqual([
      { id: 'ex:s', '@type': 'Person', name: 'Ada', knows: 'ex:t', age: '36', 'http://other/p': 'x' },
      { id: 'ex:t', '@type': ['Person', 'Writer'] },
      { id: 'ex:g', graph: [{ id: '_:x', name: { '@value': 'Mary', '@language': 'en' } }] },
    ]);
  });

  const p = 'http://ex/p';
  it.each<[string, Quads, object, object]>([
    ['a set', value(literal('a')), { p: { '@id': p, '@container': '@set' } }, { p: ['a'] }],
    [
      'a language map',
      [
        ...value(literal('a', 'en')),
        ...value(literal('b', 'en')),
        ...value(literal('c', 'de')),
        ...value(literal('d')),
      ],
      { p: { '@id': p, '@container': '@language' } },
      { p: { en: ['a', 'b'], de: 'c', '@none': 'd' } },
    ],
    ['an index', value(literal('a')), { p: { '@id': p, '@container': '@index' } }, { p: { '@none': 'a' } }],
    ['a map by @id', value(ex('o')), { p: { '@id': p, '@container': '@id' } }, { p: { 'http://ex/o': {} } }],
    ['a map by @type', value(ex('o')), { p: { '@id': p, '@container': '@type' } }, { p: { '@none': 'http://ex/o' } }],
    ['a list', list(literal('a'), literal('b')), { p: { '@id': p, '@container': '@list' } }, { p: ['a', 'b'] }],
    [
      'a list without a container',
      list(literal('a'), ex('b')),
      { p },
      { p: { '@list': ['a', { '@id': 'http://ex/b' }] } },
    ],
    [
      'a list of nodes and texts of one language',
      list(literal('a', 'en'), ex('b')),
      { p, pEn: { '@id': p, '@language': 'en' } },
      { pEn: { '@list': ['a', { '@id': 'http://ex/b' }] } },
    ],
    ['an empty list', list(), { p: { '@id': p, '@container': '@list' } }, { p: [] }],
    [
      'a list of references',
      list(ex('a')),
      { p: { '@id': p, '@type': '@id', '@container': '@list' } },
      { p: ['http://ex/a'] },
    ],
    ['a term as a value', value(ex('o')), { p: { '@id': p, '@type': '@vocab' }, o: 'http://ex/o' }, { p: 'o' }],
    ['a name for one language', value(literal('a', 'en')), { p, pEn: { '@id': p, '@language': 'en' } }, { pEn: 'a' }],
    ['a name for one type', value(literal('1', ex('T'))), { p, t: { '@id': p, '@type': 'http://ex/T' } }, { t: '1' }],
    ['a default language', value(literal('a', 'en')), { '@language': 'en', p }, { p: 'a' }],
    ['no language for a plain text', value(literal('a')), { '@language': 'en', p }, { p: { '@value': 'a' } }],
    [
      'a direction',
      value(literal('a', { language: 'ar', direction: 'rtl' })),
      { p: { '@id': p, '@language': 'ar', '@direction': 'rtl' } },
      { p: 'a' },
    ],
    ['nesting', value(literal('a')), { p: { '@id': p, '@nest': 'more' }, more: '@nest' }, { more: { p: 'a' } }],
    [
      'JSON',
      value(literal('{"a":[1]}', namedNode(`${RDF}JSON`))),
      { p: { '@id': p, '@type': '@json' } },
      { p: { a: [1] } },
    ],
    [
      'a context of a type',
      [quad(S, type, ex('T')), ...value(literal('a'))],
      { T: { '@id': 'http://ex/T', '@context': { q: p } } },
      { '@type': 'T', q: 'a' },
    ],
    [
      'a context of a property',
      value(ex('o')),
      { p: { '@id': p, '@context': { id: '@id' } } },
      { p: { id: 'http://ex/o' } },
    ],
    [
      'a base IRI',
      value(ex('d/o')),
      { '@base': 'http://ex/d/', p: { '@id': p, '@type': '@id' } },
      { '@id': '../s', p: 'o' },
    ],
    // What follows would be lost, or be something else, if the algorithms were followed to the
    // letter.
    [
      'a prefix whose rest looks like an IRI',
      value(ex('a:b')),
      { '@base': 'http://ex/', p: { '@id': p, '@type': '@id' } },
      { '@id': 's', p: 'http://ex/a:b' },
    ],
    [
      'a name that looks like an IRI',
      [quad(S, ex('a:b'), literal('a'))],
      { '@vocab': 'http://ex/' },
      { 'http://ex/a:b': 'a' },
    ],
    [
      'a name that looks like a keyword',
      [quad(S, ex('@id'), literal('a'))],
      { '@vocab': 'http://ex/' },
      { 'http://ex/@id': 'a' },
    ],
    [
      'a text under an IRI that is a term for references',
      value(literal('a')),
      { [p]: { '@id': p, '@type': '@id' } },
      { [p]: { '@value': 'a' } },
    ],
    [
      'a direction that a language map does not have',
      value(literal('a', { language: 'ar', direction: 'rtl' })),
      { p: { '@id': p, '@container': '@language' } },
      { [p]: { '@value': 'a', '@language': 'ar', '@direction': 'rtl' } },
    ],
    [
      'one of two JSON literals under the term for JSON',
      [...value(literal('[2]', JSON_TYPE)), ...value(literal('1', JSON_TYPE)), ...value(literal('x'))],
      { p: { '@id': p, '@type': '@json' } },
      { p: [2], [p]: [{ '@type': '@json', '@value': 1 }, 'x'] },
    ],
    [
      'JSON in a list whose items are of that type',
      list(literal('{"a":[1]}', JSON_TYPE)),
      { p: { '@id': p, '@context': { p: { '@id': p, '@type': '@json' } } } },
      { p: { '@list': [{ '@type': '@json', '@value': { a: [1] } }] } },
    ],
    [
      'JSON under a term whose context says otherwise',
      value(literal('[1]', JSON_TYPE)),
      { p: { '@id': p, '@type': '@json', '@context': { p } } },
      { p: [1] },
    ],
    [
      'a list under a term that a context scoped to it makes one for graphs',
      list(ex('a')),
      { p: { '@id': p, '@context': { p: { '@id': p, '@container': '@graph' } } } },
      { p: { '@list': [{ '@id': 'http://ex/a' }] } },
    ],
    [
      'a reference in a map by @type of a context that does not propagate',
      [quad(S, type, ex('T')), ...value(ex('o'))],
      { T: { '@id': 'http://ex/T', '@context': { p: { '@id': p, '@container': '@type' } } } },
      { '@type': 'T', p: { '@none': { '@id': 'http://ex/o' } } },
    ],
    [
      'a reference where the alias of @id comes with the property',
      [quad(S, type, ex('T')), ...value(ex('o'))],
      { p: { '@id': p, '@context': { id: '@id' } }, T: { '@id': 'http://ex/T', '@context': { ex: 'http://ex/' } } },
      { '@id': 'ex:s', '@type': 'T', p: { '@id': 'ex:o' } },
    ],
    [
      'a list where its alias comes with the property',
      list(literal('a')),
      { p: { '@id': p, '@context': { list: '@list' } } },
      { p: { '@list': ['a'] } },
    ],
    [
      'a list in an index',
      list(literal('a')),
      { p: { '@id': p, '@container': '@index' } },
      { p: { '@none': { '@list': ['a'] } } },
    ],
    ['no list in a map by @id', list(), { p: { '@id': p, '@container': '@id' } }, { [p]: { '@list': [] } }],
    [
      'a text and a list in a map by @id that has the name of the property',
      [...value(literal('a')), ...list()],
      { [p]: { '@id': p, '@container': '@id' } },
      { [p]: { '@none': expect.arrayContaining(['a', { '@list': [] }]) } },
    ],
    [
      'a string in a map by @id',
      value(ex('o')),
      { p: { '@id': p, '@container': '@id', '@type': '@id' } },
      { p: { '@none': 'http://ex/o' } },
    ],
    [
      'a datatype in full if a context is scoped to it',
      value(literal('a', ex('T'))),
      { value: '@value', T: { '@id': 'http://ex/T', '@context': null } },
      { [p]: { '@type': 'http://ex/T', value: 'a' } },
    ],
    [
      'a language that is an alias of @none',
      value(literal('a', 'en')),
      { en: '@none', p: { '@id': p, '@container': '@language' } },
      { [p]: { '@language': 'en', '@value': 'a' } },
    ],
    [
      'JSON that is not canonical',
      value(literal('{ "a": 1.0 }', namedNode(`${RDF}JSON`))),
      { p: { '@id': p, '@type': '@json' } },
      { [p]: { '@type': `${RDF}JSON`, '@value': '{ "a": 1.0 }' } },
    ],
  ])('writes %s', async (_, quads, context, expected) => {
    const [node] = (await compact(quads, context)) as object[];
    expect({ '@id': 'http://ex/s', ...node }).toEqual({ '@id': 'http://ex/s', ...expected });
  });

  it('writes one list under a term for lists, and the next in full', async () => {
    const quads = [
      ...list(literal('a')),
      quad(S, ex('p'), blankNode('m')),
      quad(blankNode('m'), first, literal('b')),
      quad(blankNode('m'), rest, nil),
    ];
    const [node] = (await compact(quads, { p: { '@id': 'http://ex/p', '@container': '@list' } })) as object[];
    expect(node).toEqual({ '@id': 'http://ex/s', p: ['a'], 'http://ex/p': { '@list': ['b'] } });
  });

  it('writes lists in lists, down to a level that a reader takes', async () => {
    const nested = (depth: number): Quads =>
      Array.from({ length: depth }, (_, i) => [
        quad(blankNode(`c${i}`), first, i + 1 < depth ? blankNode(`c${i + 1}`) : literal('x')),
        quad(blankNode(`c${i}`), rest, nil),
      ]).flat();
    const context = { p: { '@id': 'http://ex/p', '@container': '@list' } };
    const written = (await compact([quad(S, ex('p'), blankNode('c0')), ...nested(3)], context)) as object[];
    expect(written).toEqual([{ '@id': 'http://ex/s', p: [[['x']]] }]);
    const deep = [quad(S, ex('p'), blankNode('c0')), ...nested(100)];
    const text = await writtenText(writeJsonLd, new ArraySource(deep), { context });
    expect(await readDocument(readJsonLd, text)).toHaveLength(deep.length);
    expect(text).not.toContain('['.repeat(20));
  });

  it.each<[string, Quads]>([
    ['is mentioned twice', [...list(literal('a')), quad(ex('t'), ex('p'), blankNode('l0'))]],
    ['says more of a cell', [...list(literal('a')), quad(blankNode('l0'), type, namedNode(`${RDF}List`))]],
    ['does not end', list(literal('a')).map((q) => (q.object.equals(nil) ? quad(q.subject, rest, ex('end')) : q))],
    ['is a ring', [quad(blankNode('l0'), rest, blankNode('l0')), quad(blankNode('l0'), first, literal('a'))]],
    [
      'is a ring of two',
      [0, 1].flatMap((i) => [
        quad(blankNode(`l${i}`), rest, blankNode(`l${1 - i}`)),
        quad(blankNode(`l${i}`), first, literal('a')),
      ]),
    ],
    ['is a type', [quad(S, type, blankNode('l0')), ...list(literal('a')).slice(1)]],
    ['is a graph', [...list(literal('a')), quad(S, ex('q'), literal('x'), blankNode('l0'))]],
  ])('writes a list as its triples if it %s', async (_, quads) => {
    const graph = (await compact(quads, { first: first.value })) as object[];
    expect(JSON.stringify(graph)).toContain('"first":"a"');
  });

  it('rejects data that the context has no name for', async () => {
    const written = (quads: Quads, context: unknown) => writtenText(writeJsonLd, new ArraySource(quads), { context });
    await expect(written(value(ex('o')), { http: 'urn:x:', urn: 'http://x/' })).resolves.toContain('http://ex/o');
    const urn = [quad(namedNode('urn:s'), ex('p'), literal('x'))];
    await expect(written(urn, { urn: 'http://x/' })).rejects.toMatchObject({
      code: 'UNSUPPORTED',
      message: expect.stringContaining('<urn:s>'),
    });
    const onlyLists = { 'http://ex/p': { '@id': 'http://ex/p', '@container': '@list' } };
    await expect(written(value(literal('x')), onlyLists)).rejects.toMatchObject({ code: 'UNSUPPORTED' });
    const triple = value(quad(S, ex('p'), S));
    await expect(written(triple, {})).rejects.toMatchObject({ code: 'UNSUPPORTED' });
  });

  it.each<[unknown, RegExp]>([
    [{ p: 1 }, /^context: Invalid JSON-LD: invalid term definition/],
    ['http://c/', /^context: .*<http:\/\/c\/> is remote, .*documentLoader/],
    [() => 1, /given JSON-LD context is not JSON/],
  ])('refuses the context %j', async (context, message) => {
    const written = writtenText(writeJsonLd, new ArraySource(value(literal('x'))), { context });
    await expect(written).rejects.toMatchObject({ code: 'INVALID_ARGUMENT', message: expect.stringMatching(message) });
  });

  it('loads a remote context as an import does', async () => {
    const documentLoader = async () => ({ document: { '@context': { p: 'http://ex/p' } } });
    const options = { context: 'http://c/', documentLoader };
    const text = await writtenText(writeJsonLd, new ArraySource(value(literal('x'))), options);
    expect(JSON.parse(text)).toEqual({ '@context': 'http://c/', '@graph': [{ '@id': 'http://ex/s', p: 'x' }] });
  });

  it('gives the memory of a node back when it is written', async () => {
    const quads = Array.from({ length: 500 }, (_, i) => quad(ex(`s${i}`), ex('p'), literal('x'.repeat(1000))));
    let claimed = 0;
    let most = 0;
    const claimMemory = (bytes: number) => {
      claimed += bytes;
      most = Math.max(most, claimed);
    };
    await writtenText(writeJsonLd, new ArraySource(quads), { context: {}, memory: { claimMemory } });
    expect(claimed).toBe(0);
    expect(most).toBeLessThan(5000);
  });
});
