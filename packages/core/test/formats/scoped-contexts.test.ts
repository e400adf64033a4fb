import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readJsonLd } from '../../src/formats/jsonld-reader.ts';
import { lines, readDocument, readError } from './documents.ts';

const read = (document: unknown, options = {}) => readDocument(readJsonLd, JSON.stringify(document), options);
const error = (document: unknown, options = {}) => readError(readJsonLd, JSON.stringify(document), options);
/** Predicate and value of each quad. */
const pairs = async (document: unknown, options = {}) =>
  (await read(document, options)).map(({ predicate, object }) => `${predicate.value} ${object.value}`).sort();

const NEST = { '@id': '@nest', '@context': { '@vocab': 'http://nest/' } };
const CONTEXT = { '@vocab': 'http://ex/', nest: NEST };

describe('a context that is scoped to an alias of @nest', () => {
  it.each<[string, Record<string, unknown>, object]>([
    ['maps the properties of one object', { nest: { p: 1 }, p: 2 }, { 'http://nest/p': 1, 'http://ex/p': 2 }],
    [
      'maps those of several, and joins the values of one property',
      { nest: [{ p: 1 }, { p: 2, q: 3 }, {}], 'http://nest/p': 4 },
      { 'http://nest/p': [1, 2, 4], 'http://nest/q': 3 },
    ],
    ['stays in force below', { nest: { p: { q: 1 } } }, { 'http://nest/p': { 'http://nest/q': 1 } }],
    ['nests in itself', { nest: { nest: { p: 1 } } }, { 'http://nest/p': 1 }],
    [
      'may be scoped to a term of another',
      {
        '@context': {
          outer: {
            '@id': '@nest',
            '@context': { a: 'http://a', inner: { '@id': '@nest', '@context': { a: 'http://b' } } },
          },
        },
        outer: { a: 1, inner: { a: 2 } },
      },
      { 'http://a': 1, 'http://b': 2 },
    ],
    [
      'takes part in lists, sets and maps',
      {
        '@context': {
          l: { '@container': '@list' },
          i: { '@container': '@index' },
          d: { '@container': '@id', '@id': 'http://ex/d' },
        },
        l: [{ nest: { p: 1 } }],
        i: { x: { nest: { p: 2 } } },
        d: { 'urn:d': { nest: { p: 3 } } },
      },
      {
        'http://ex/l': { '@list': [{ 'http://nest/p': 1 }] },
        'http://ex/i': { 'http://nest/p': 2 },
        'http://ex/d': { '@id': 'urn:d', 'http://nest/p': 3 },
      },
    ],
    [
      'may hold reverse properties and included nodes',
      {
        nest: [
          { '@reverse': { r: [{ '@id': 'urn:a' }] }, '@included': [{ p: 1 }], '@index': 'i' },
          { '@reverse': { r: { '@id': 'urn:b' }, s: { '@id': 'urn:c' } } },
        ],
        '@reverse': { 'http://nest/r': { '@id': 'urn:d' } },
      },
      {
        '@reverse': {
          'http://nest/r': [{ '@id': 'urn:a' }, { '@id': 'urn:b' }, { '@id': 'urn:d' }],
          'http://nest/s': { '@id': 'urn:c' },
        },
        '@included': [{ 'http://nest/p': 1 }],
      },
    ],
    [
      'may be null, and may have terms with types and languages',
      {
        '@context': {
          n: { '@id': '@nest', '@context': [null, { a: { '@id': 'http://a', '@type': '@id' }, b: 'http://b' }] },
        },
        n: { a: 'urn:x', b: 'y', c: 'z' },
      },
      { 'http://a': { '@id': 'urn:x' }, 'http://b': 'y' },
    ],
    [
      'may override protected terms',
      { '@context': { '@protected': true, p: 'http://p' }, nest: { q: 1 }, p: 2 },
      { 'http://nest/q': 1, 'http://p': 2 },
    ],
    ['lets other names stand for the alias', { '@context': { other: 'nest' }, other: { p: 1 } }, { 'http://ex/p': 1 }],
  ])('%s', async (_, { '@context': context = {}, ...document }, same) => {
    expect(lines(await read({ '@context': [CONTEXT, context], '@id': 'urn:s', ...document }))).toEqual(
      lines(await read({ '@id': 'urn:s', ...same })),
    );
  });

  it('equals manual nesting, at any depth', async () => {
    const VOCABS = new Map([
      ['a', 'http://a/'],
      ['b', 'http://b/'],
    ]);
    const context = {
      '@vocab': 'http://ex/',
      ...Object.fromEntries(
        [...VOCABS].map(([name, vocab]) => [name, { '@id': '@nest', '@context': { '@vocab': vocab } }]),
      ),
    };
    interface Content {
      readonly strings: readonly string[];
      readonly nodes: readonly Content[];
      readonly nests: readonly (readonly [string, Content])[];
    }
    const content: fc.Memo<Content> = fc.memo((depth) =>
      fc.record({
        strings: fc.array(fc.constantFrom('x', 'y'), { maxLength: 2 }),
        nodes: depth > 1 ? fc.array(content(), { maxLength: 2 }) : fc.constant([]),
        nests:
          depth > 1
            ? fc.array(fc.tuple(fc.constantFrom(...VOCABS.keys()), content()), { maxLength: 2 })
            : fc.constant([]),
      }),
    );

    await fc.assert(
      fc.asyncProperty(content(4), async (root) => {
        let ids = 0;
        const expected: string[] = [];
        const written = ({ strings, nodes, nests }: Content, subject: string, vocab: string): object => {
          for (const text of strings) expected.push(`${subject} ${vocab}string ${text}`);
          return {
            string: strings,
            node: nodes.map((node) => {
              const id = `urn:${++ids}`;
              expected.push(`${subject} ${vocab}node ${id}`);
              return { '@id': id, ...written(node, id, vocab) };
            }),
            ...Object.fromEntries(
              [...VOCABS].map(([name, inner]) => [
                name,
                nests.filter(([key]) => key === name).map(([, nested]) => written(nested, subject, inner)),
              ]),
            ),
          };
        };
        const quads = await read({ '@context': context, '@id': 'urn:0', ...written(root, 'urn:0', 'http://ex/') });
        const found = quads.map(
          ({ subject, predicate, object }) => `${subject.value} ${predicate.value} ${object.value}`,
        );
        expect([...new Set(found)].sort()).toEqual([...new Set(expected)].sort());
      }),
    );
  });

  it('may come from a remote context, or from the given one', async () => {
    const documentLoader = async () => ({ document: { '@context': CONTEXT } });
    expect(await pairs({ '@context': 'http://h/c', nest: { p: 1 } }, { documentLoader })).toEqual(['http://nest/p 1']);
    expect(await pairs({ nest: { p: 1 } }, { context: CONTEXT })).toEqual(['http://nest/p 1']);
  });

  it('is found when its keywords are written with escapes', async () => {
    const text = JSON.stringify({ '@context': CONTEXT, nest: { p: 1 } }).replaceAll('@', '\\u0040');
    const [quad] = await readDocument(readJsonLd, text);
    expect(quad.predicate.value).toBe('http://nest/p');
  });

  it('stays as it is in a JSON literal', async () => {
    const json = { '@context': { nest: { '@context': { p: 'http://p' }, '@id': '@nest' } }, nest: { p: 1 } };
    const [{ object }] = await read({ 'http://j': { '@type': '@json', '@value': json } });
    expect(object.value).toBe(JSON.stringify(json));
  });

  it.each<[string, Record<string, unknown>, object]>([
    [
      'another name with a context',
      { '@context': { n: { '@id': 'nest', '@context': {} } }, n: { p: 1 } },
      { 'http://ex/p': 1 },
    ],
    [
      'a plain alias with a context',
      { '@context': { m: '@nest', n: { '@id': 'm', '@context': {} } }, n: { p: 1 } },
      { 'http://ex/p': 1 },
    ],
    ['a container', { '@context': { n: { ...NEST, '@container': '@set' } }, n: { p: 1 } }, { 'http://nest/p': 1 }],
    [
      'a type with a context',
      { '@context': { T: { '@context': { p: 'http://T' } } }, '@type': 'T', nest: { p: 1, q: 1 } },
      { '@type': 'http://ex/T', 'http://T': 1, 'http://nest/q': 1 },
    ],
    [
      'a type map',
      { '@context': { m: { '@container': '@type' } }, m: { T: { '@id': 'urn:m', nest: { p: 1 } } } },
      { 'http://ex/m': { '@id': 'urn:m', '@type': 'http://ex/T', 'http://nest/p': 1 } },
    ],
    [
      'a graph container',
      { '@context': { g: { '@container': ['@graph', '@id'] } }, g: { 'urn:g': { '@id': 'urn:s', nest: { p: 1 } } } },
      { 'http://ex/g': { '@id': 'urn:g', '@graph': [{ '@id': 'urn:s', 'http://nest/p': 1 }] } },
    ],
    ['@id in what is nested', { nest: { '@id': 'urn:s', p: 1 } }, { 'http://nest/p': 1 }],
    ['@type in what is nested', { nest: [{ p: 1 }, { '@type': 'C' }] }, { '@type': 'http://ex/C', 'http://nest/p': 1 }],
    [
      '@graph in what is nested',
      { nest: { nest: { '@graph': [{ p: 1, '@id': 'urn:n' }] } } },
      { '@graph': [{ '@id': 'urn:n', 'http://nest/p': 1 }] },
    ],
  ])('is read with %s', async (name, { '@context': context = {}, ...document }, same) => {
    const id = name.startsWith('@id') ? {} : { '@id': 'urn:s' };
    expect(lines(await read({ '@context': [CONTEXT, context], ...id, ...document }))).toEqual(
      lines(await read({ '@id': 'urn:s', ...same })),
    );
  });

  it.each([
    ['a string', 'x'],
    ['a value', { '@value': 'x' }],
    ['a number in an array', [{ p: 1 }, 5]],
  ])('does not let %s be nested', async (_, nest) => {
    const refused = await error({ '@context': CONTEXT, nest });
    expect(refused.code).toBe('INVALID_RDF');
    expect(refused.message).toMatch(/@nest/);
  });

  it('has no effect if it is not used', async () => {
    const context = [CONTEXT, { T: { '@context': { p: 'http://T' } } }];
    expect(await pairs({ '@context': context, '@type': 'T', p: 1 })).toContain('http://T 1');
  });
});

describe('a context that is scoped to a property', () => {
  const outer = (context: unknown) => ({
    '@vocab': 'http://ex/',
    '@base': 'http://base/',
    b: 'http://old/',
    p: { '@id': 'http://p', '@context': context },
  });

  it.each<[string, unknown, object, string[]]>([
    ['a relative @base', { '@base': 'a/' }, { '@id': 'x', a: 'y' }, ['http://ex/a y', 'http://p http://base/a/x']],
    [
      'a relative @vocab',
      { '@vocab': 'rel/' },
      { '@id': 'x', a: 'y' },
      ['http://ex/rel/a y', 'http://p http://base/x'],
    ],
    [
      'a definition of the property with a context',
      { p: { '@id': 'http://p2', '@context': { '@vocab': 'http://inner/' } } },
      { '@id': 'x', a: 'y', p: { '@id': 'z', a: 'y' } },
      ['http://ex/a y', 'http://inner/a y', 'http://p http://base/x', 'http://p2 http://base/z'],
    ],
    [
      'a term that a later context changes',
      [{ a: 'b' }, { b: 'http://new' }],
      { '@id': 'x', a: 'y' },
      ['http://old/ y', 'http://p http://base/x'],
    ],
    ['a context of null', null, { '@id': 'urn:x', a: 'y', 'http://q': 1 }, ['http://p urn:x', 'http://q 1']],
    [
      'terms of its own',
      { a: 'c:x', c: 'http://c/' },
      { '@id': 'x', a: 'y' },
      ['http://c/x y', 'http://p http://base/x'],
    ],
    ['a value', { '@language': 'en' }, { '@value': 'v' }, ['http://p v']],
  ])('is applied once, with %s', async (_, context, value, expected) => {
    expect(await pairs({ '@context': outer(context), p: value })).toEqual(expected);
  });

  it('is looked at where it is defined, used or not', async () => {
    expect(await error({ '@context': outer({ a: 5 }) })).toMatchObject({ code: 'INVALID_RDF' });
  });
});
