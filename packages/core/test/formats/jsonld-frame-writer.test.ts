import { describe, expect, it } from 'vitest';
import { Slicer } from '../../src/contracts/slicer.ts';
import { readJsonLd } from '../../src/formats/jsonld-reader.ts';
import { writeJsonLd } from '../../src/formats/jsonld-writer.ts';
import type { WriteOptions } from '../../src/formats/rdf-format.ts';
import { DEFAULT_REQUEST_LIMITS } from '../../src/model/request-limits.ts';
import { dataFactory } from '../../src/model/term.ts';
import { ArraySource } from './array-source.ts';
import { lines, readDocument, writtenText } from './documents.ts';

const EX = 'http://example.org/';
const VOCAB = { '@vocab': EX };
const { blankNode, namedNode, quad, literal } = dataFactory;

/** A document framed, without the context that it repeats. */
async function framed(document: unknown, frame: object, options: Partial<WriteOptions> = {}): Promise<unknown> {
  const quads = await readDocument(readJsonLd, JSON.stringify(document));
  const given = { '@context': VOCAB, ...frame };
  const iris = new Set(quads.flatMap((q) => [q.subject, q.predicate, q.object, q.graph].map(({ value }) => value)));
  const source = new ArraySource(
    quads,
    [],
    [...iris].sort().map((iri) => namedNode(iri)),
  );
  const text = await writtenText(writeJsonLd, source, { frame: given, ...options });
  const { '@context': context, ...rest } = JSON.parse(text);
  expect(context).toEqual(given['@context']);
  return rest;
}

const nodes = (...graph: object[]) => ({ '@context': { ...VOCAB, contains: { '@type': '@id' } }, '@graph': graph });

const INTRODUCTION = {
  '@id': `${EX}library/the-republic#introduction`,
  '@type': 'Chapter',
  description: 'An introductory chapter on The Republic.',
  title: 'The Introduction',
};
const REPUBLIC = { '@id': `${EX}library/the-republic`, '@type': 'Book', creator: 'Plato', title: 'The Republic' };
const LIBRARY = { '@id': `${EX}library`, '@type': 'Library', location: 'Athens' };
const LIBRARIES = nodes(
  { ...LIBRARY, contains: REPUBLIC['@id'] },
  { ...REPUBLIC, contains: INTRODUCTION['@id'] },
  INTRODUCTION,
);
const NESTED = { ...LIBRARY, contains: { ...REPUBLIC, contains: INTRODUCTION } };
const ref = ({ '@id': id }: { '@id': string }) => ({ '@id': id });

describe('a frame, in the examples of JSON-LD 1.1 Framing', () => {
  it.each<[string, object, object, object]>([
    [
      'nests nodes (1.1)',
      LIBRARIES,
      { '@type': 'Library', contains: { '@type': 'Book', contains: { '@type': 'Chapter' } } },
      NESTED,
    ],
    [
      'matches on properties (4.1)',
      LIBRARIES,
      { location: 'Athens', contains: { title: 'The Republic', contains: { title: 'The Introduction' } } },
      NESTED,
    ],
    [
      'matches anything (4.2.1)',
      LIBRARIES,
      { location: {}, contains: { creator: {}, contains: { description: {} } } },
      NESTED,
    ],
    [
      'matches the absence of a property (4.2.2)',
      LIBRARIES,
      { creator: [], title: [], contains: { location: [], description: [], contains: { location: [] } } },
      {
        ...NESTED,
        creator: null,
        title: null,
        contains: {
          ...NESTED.contains,
          location: null,
          description: null,
          contains: { ...INTRODUCTION, location: null },
        },
      },
    ],
    ['matches on values (4.2.3)', LIBRARIES, { location: { '@value': 'Athens' } }, NESTED],
    ['matches on @id (4.2.4)', LIBRARIES, { '@id': LIBRARY['@id'] }, NESTED],
    ['uses an empty frame where it has none (4.3)', LIBRARIES, { '@type': 'Library' }, NESTED],
    [
      'has defaults (4.4)',
      LIBRARIES,
      {
        '@type': 'Library',
        description: 'A great Library.',
        contains: { '@type': 'Book', description: { '@default': 'A great book.' } },
      },
      { ...NESTED, description: null, contains: { ...NESTED.contains, description: 'A great book.' } },
    ],
    [
      'has default types (4.4)',
      nodes(
        { ...LIBRARY, contains: REPUBLIC['@id'] },
        { ...REPUBLIC, '@type': [], contains: INTRODUCTION['@id'] },
        { ...INTRODUCTION, '@type': [] },
      ),
      {
        '@type': 'Library',
        contains: { '@type': { '@default': 'Book' }, contains: { '@type': { '@default': 'Chapter' } } },
      },
      NESTED,
    ],
    [
      'embeds never (4.5.1)',
      LIBRARIES,
      { '@type': 'Library', contains: { '@type': 'Book', '@embed': '@never' } },
      { ...LIBRARY, contains: ref(REPUBLIC) },
    ],
    [
      'embeds explicit properties (4.5.2)',
      LIBRARIES,
      {
        '@type': 'Library',
        description: {},
        contains: { '@type': 'Book', '@explicit': true, title: {}, contains: { '@type': 'Chapter' } },
      },
      {
        ...LIBRARY,
        description: null,
        contains: { ...ref(REPUBLIC), '@type': 'Book', title: 'The Republic', contains: INTRODUCTION },
      },
    ],
    [
      'requires all (4.5.5)',
      LIBRARIES,
      {
        '@type': 'Library',
        contains: {
          '@requireAll': true,
          creator: {},
          title: {},
          contains: { '@requireAll': true, description: {}, title: {} },
        },
      },
      NESTED,
    ],
    [
      'reverses properties (4.6)',
      LIBRARIES,
      {
        '@context': { ...VOCAB, within: { '@reverse': 'contains' } },
        '@type': 'Chapter',
        within: { '@type': 'Book', within: { '@type': 'Library' } },
      },
      {
        ...INTRODUCTION,
        within: { ...REPUBLIC, contains: ref(INTRODUCTION), within: { ...LIBRARY, contains: ref(REPUBLIC) } },
      },
    ],
    [
      'reaches into named graphs (4.7)',
      nodes(
        { '@id': `${EX}graphs/books`, '@graph': [{ ...REPUBLIC, contains: INTRODUCTION['@id'] }, INTRODUCTION] },
        { ...LIBRARY, contains: `${EX}graphs/books` },
      ),
      { '@type': 'Library', contains: { '@id': `${EX}graphs/books`, '@graph': { '@type': 'Book' } } },
      { ...LIBRARY, contains: { '@id': `${EX}graphs/books`, '@graph': { ...REPUBLIC, contains: INTRODUCTION } } },
    ],
  ])('%s', async (_, document, frame, expected) => {
    expect(await framed(document, frame)).toEqual(expected);
  });

  it('embeds a node once in a result, or always (4.5.1)', async () => {
    const document = nodes(
      { ...LIBRARY, books: ref(REPUBLIC), contains: REPUBLIC['@id'] },
      { ...REPUBLIC, contains: INTRODUCTION['@id'] },
      INTRODUCTION,
    );
    const book = NESTED.contains;
    expect(await framed(document, { '@type': 'Library', '@embed': '@always' })).toEqual({
      ...LIBRARY,
      books: book,
      contains: book,
    });
    const once = (await framed(document, { '@type': 'Library' })) as Record<string, unknown>;
    expect([once['books'], once['contains']]).toEqual(expect.arrayContaining([book, ref(REPUBLIC)]));
  });

  it('omits defaults (4.5.3)', async () => {
    const jane = { '@id': `${EX}#Jane`, '@type': 'Person', name: 'Jane' };
    const john = { '@id': `${EX}#John`, '@type': 'Person', name: 'John', child: jane };
    const document = nodes({ ...john, child: ref(jane) }, jane);
    const frame = (child: object) => ({ '@type': 'Person', child: { '@embed': '@always', ...child } });
    expect(await framed(document, frame({}))).toEqual({ '@graph': [{ ...jane, child: null }, john] });
    const omitted = { '@graph': [jane, john] };
    expect(await framed(document, frame({ '@omitDefault': true }))).toEqual(omitted);
    expect(await framed(document, frame({}), { framing: { omitDefault: true } })).toEqual(omitted);
  });

  it('wraps a single result in @graph only if asked to (4.5.4)', async () => {
    const frame = { '@type': 'Library' };
    expect(await framed(LIBRARIES, frame, { framing: { omitGraph: false } })).toEqual({ '@graph': [NESTED] });
    expect(await framed(LIBRARIES, { '@type': 'Shop' })).toEqual({});
    expect(await framed(LIBRARIES, { '@type': 'Shop' }, { framing: { omitGraph: false } })).toEqual({ '@graph': [] });
  });
});

const item = (name: string, more: object = {}) => ({ '@id': EX + name, ...more });

describe('a frame', () => {
  it.each<[string, object[], object, object]>([
    // Where jsonld differs, the specification decides: see docs/reference/json-ld-differences.md.
    [
      'matches node patterns deeply',
      [item('a', { p: item('b', { q: 'x' }) }), item('c', { p: item('d', { r: 'x' }) })],
      { p: { q: {} } },
      item('a', { p: item('b', { q: 'x' }) }),
    ],
    [
      'matches any of several patterns',
      [item('a', { p: 'x' }), item('b', { p: 'y' }), item('c', { p: 'z' })],
      { p: ['x', 'y'] },
      { '@graph': [item('a', { p: 'x' }), item('b', { p: 'y' })] },
    ],
    [
      'matches numbers',
      [item('a', { p: 1 }), item('b', { p: 2 })],
      { p: 2 },
      item('b', { p: { '@value': '2', '@type': 'http://www.w3.org/2001/XMLSchema#integer' } }),
    ],
    [
      'keeps literals beside a node pattern',
      [item('a', { p: [item('b', { '@type': 'T' }), 'x'] }), item('c')],
      { '@id': `${EX}a`, p: { '@type': 'T' } },
      item('a', { p: [item('b', { '@type': 'T' }), 'x'] }),
    ],
    [
      'leaves out other values than a value pattern has',
      [item('a', { p: ['x', 'y', { '@value': 'x', '@language': 'en' }] })],
      { '@id': `${EX}a`, p: { '@value': 'x' } },
      item('a', { p: 'x' }),
    ],
    [
      'compares languages without case',
      [item('a', { p: { '@value': 'x', '@language': 'en-GB' } })],
      { p: { '@value': {}, '@language': 'EN-gb' } },
      item('a', { p: { '@value': 'x', '@language': 'en-GB' } }),
    ],
    [
      'takes an empty array in a frame that @type decides',
      [item('a', { '@type': 'T', p: 'x' })],
      { '@type': 'T', p: [] },
      item('a', { '@type': 'T', p: 'x' }),
    ],
    [
      'embeds once in reverse properties, too',
      [item('a', { p: item('b') }), item('b', { '@type': 'T', q: item('c', { r: 'x' }) }), item('a', { q: item('c') })],
      { '@type': 'T', '@reverse': { p: {} } },
      item('b', {
        '@type': 'T',
        q: item('c', { r: 'x' }),
        '@reverse': { p: item('a', { p: item('b'), q: item('c') }) },
      }),
    ],
    [
      'finds lists beside other values, and lists with anything',
      [item('a', { p: ['x', { '@list': ['y'] }] }), item('b', { p: 'y' })],
      { p: { '@list': [{}] } },
      item('a', { p: ['x', { '@list': ['y'] }] }),
    ],
    [
      'does not take references for values',
      [item('a', { p: item('b') }), item('c', { p: 'x' })],
      { p: { '@value': {} } },
      item('c', { p: 'x' }),
    ],
    [
      'includes what @included matches',
      [item('a', { '@type': 'T' }), item('b', { '@type': 'U' })],
      { '@type': 'T', '@included': { '@id': `${EX}b` } },
      item('a', { '@type': 'T', '@included': item('b', { '@type': 'U' }) }),
    ],
    [
      'has null for a missing value, an empty array for a set',
      [item('a', { '@type': 'T' })],
      {
        '@context': { ...VOCAB, p: { '@container': '@language' }, q: { '@container': '@set' } },
        '@type': 'T',
        p: {},
        q: {},
      },
      item('a', { '@type': 'T', [`${EX}p`]: null, q: [] }),
    ],
    [
      'takes {} of a term that is a map for a wildcard',
      [item('a', { p: { '@value': 'x', '@language': 'en' } })],
      { '@context': { ...VOCAB, p: { '@container': '@language' } }, p: {} },
      item('a', { p: { en: 'x' } }),
    ],
    [
      'frames the default graph alone if it has @graph',
      [item('a', { '@type': 'T' }), item('g', { '@graph': [item('b', { '@type': 'T' })] })],
      { '@graph': { '@type': 'T' } },
      item('a', { '@type': 'T' }),
    ],
    [
      'merges graphs otherwise',
      [item('a', { '@type': 'T' }), item('g', { '@graph': [item('a', { p: 'x' })] })],
      { '@type': 'T' },
      item('a', { '@type': 'T', p: 'x' }),
    ],
    [
      'puts graphs into terms for them',
      [
        item('a', { '@type': 'T', p: item('g') }),
        item('g', { '@graph': [item('b', { q: 'x' }), item('c', { q: 'y' })] }),
      ],
      {
        '@context': { ...VOCAB, p: { '@container': ['@graph', '@id'] } },
        '@type': 'T',
        '@graph': {},
        'http://example.org/p': { '@graph': {} },
      },
      item('a', { '@type': 'T', p: { [`${EX}g`]: { '@included': [item('b', { q: 'x' }), item('c', { q: 'y' })] } } }),
    ],
  ])('%s', async (_, graph, frame, expected) => {
    expect(await framed({ '@context': VOCAB, '@graph': graph }, frame)).toEqual(expected);
  });

  it.each<[object, object]>([
    [
      { '@type': 'T', p: { '@embed': '@never' } },
      { type: 'T', p: { embed: '@never' } },
    ],
    [
      { '@type': 'T', '@explicit': true, p: {} },
      { type: 'T', explicit: true, p: {} },
    ],
    [
      { '@type': 'T', q: { '@default': 'none' } },
      { type: 'T', q: { otherwise: 'none' } },
    ],
    [
      { '@type': 'T', q: { '@omitDefault': true } },
      { type: 'T', q: { omit: true } },
    ],
    [
      { '@requireAll': true, '@type': 'T', q: {} },
      { all: true, type: 'T', q: {} },
    ],
    [{ '@type': { '@default': 'X' } }, { type: { otherwise: 'X' } }],
    [
      { '@type': 'T', map: { '@embed': '@never' } },
      { type: 'T', map: { never: '@never' } },
    ],
    [
      { '@type': 'T', q: { '@default': { p: 'x' } } },
      { type: 'T', q: { otherwise: { p: 'x', embed: true } } },
    ],
  ])('takes %j with the aliases of the context', async (frame, renamed) => {
    const aliases = {
      type: '@type',
      embed: '@embed',
      never: 'embed',
      explicit: '@explicit',
      all: '@requireAll',
      omit: '@omitDefault',
      otherwise: '@default',
      graph: '@graph',
    };
    const context = { ...VOCAB, map: { '@id': `${EX}r`, '@container': '@id' } };
    const data = nodes(item('a', { '@type': 'T', p: item('b', { s: 'x' }), r: item('b') }), item('c', { p: 'y' }));
    const expected = await framed(data, { '@context': context, ...frame });
    const found = await framed(data, { '@context': { ...context, ...aliases }, ...renamed });
    expect(
      JSON.parse(JSON.stringify(found).replaceAll('"type":', '"@type":').replaceAll('"graph":', '"@graph":')),
    ).toEqual(expected);
  });

  it.each<[string, object, object]>([
    // Expansion, step 7: a type-scoped context applies to nodes in an index, but not to others.
    ['@index', { p: { '@none': { '@id': `${EX}b`, Q: 'x' } } }, {}],
    ['@set', { p: [{ '@id': `${EX}b`, q: 'x' }] }, {}],
    ['@id', { p: { [`${EX}b`]: { q: 'x' } } }, {}],
    // Step 13.8.3.1: in such a map, the term is that of the context around the type-scoped one.
    ['@id', { p: { [`${EX}b`]: { Q: 'x' } } }, { p: { '@id': 'p', '@context': { Q: 'q' } } }],
    ['@type', { p: { '@none': { '@id': `${EX}b`, q: 'x' } } }, {}],
  ])('writes nodes in a map by %s as they are read', async (container, expected, terms) => {
    const data = [item('a', { '@type': 'T', p: item('b', { q: 'x' }) })];
    const scoped = { p: { '@id': `${EX}p`, '@container': container }, Q: `${EX}q` };
    const context = { ...VOCAB, T: { '@id': `${EX}T`, '@context': scoped }, ...terms };
    const found = (await framed(nodes(...data), { '@context': context, '@type': 'T' })) as object;
    expect(found).toEqual({ '@id': `${EX}a`, '@type': 'T', ...expected });
    const read = await readDocument(readJsonLd, JSON.stringify({ '@context': context, ...found }));
    expect(lines(read)).toEqual(lines(await readDocument(readJsonLd, JSON.stringify(nodes(...data)))));
  });

  it('leaves out identifiers of blank nodes that occur once', async () => {
    const document = nodes({ '@type': 'T', p: { q: 'x' }, r: { '@id': '_:b' } }, item('s', { p: { '@id': '_:b' } }));
    const twice = (await framed(document, { '@type': 'T' })) as Record<string, object>;
    expect(twice).toMatchObject({ '@type': 'T', p: { q: 'x' }, r: {} });
    expect(twice).not.toHaveProperty('@id');
    expect(twice['p']).not.toHaveProperty('@id');
    const kept = await framed(document, { '@type': 'T' }, { framing: { pruneBlankNodeIdentifiers: false } });
    expect(kept).toMatchObject({ '@id': expect.stringMatching(/^_:/), p: { '@id': expect.stringMatching(/^_:/) } });
    const both = (await framed(document, {})) as { '@graph': Record<string, Record<string, string>>[] };
    const [t, s] = ['r', 'p'].map((name) =>
      both['@graph'].find((node) => node[name] && (name === 'r') === '@type' in node),
    );
    expect(t!['r']['@id']).toBe(s!['p']['@id']);
  });

  it.each<[object, RegExp]>([
    [{ '@id': '_:b' }, /@id must be \{\} or absolute IRIs, and "_:b" is neither/],
    [{ '@id': 'relative' }, /@id must be .* "relative"/],
    [{ '@type': ['_:b'] }, /@type must be/],
    [{ '@type': [{}, 'T'] }, /an object in @type/],
    [{ '@embed': '@last' }, /invalid @embed value: "@last"; it must be @always, @once, @never/],
    [{ p: { '@explicit': 'yes' } }, /@explicit is "yes"; it must be true or false/],
    [{ '@embbed': true }, /@embbed is not a keyword of frames; did you mean @embed\?/],
    [{ '@default': 1 }, /@default belongs to a property/],
    [{ p: { '@language': 'en' } }, /@language and @direction need a @value/],
    [{ '@graph': [{}, {}] }, /it must be a single object/],
    [{ '@context': 'http://c/' }, /<http:\/\/c\/> is remote, .*documentLoader/],
    [{ '@context': { p: 1 } }, /invalid term definition/],
    [{ p: { '@value': [{}, 1] } }, /an object in @value/],
  ])('refuses %j', async (frame, message) => {
    await expect(framed(LIBRARIES, frame)).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
      message: expect.stringMatching(message),
    });
  });

  it('takes a context beside it, and not two', async () => {
    const quads = [quad(namedNode(`${EX}a`), namedNode(`${EX}p`), literal('x'))];
    const written = (options: object) => writtenText(writeJsonLd, new ArraySource(quads), options);
    expect(JSON.parse(await written({ frame: { p: {} }, context: VOCAB }))).toEqual({
      '@context': VOCAB,
      '@id': `${EX}a`,
      p: 'x',
    });
    await expect(written({ frame: { '@context': VOCAB }, context: VOCAB })).rejects.toThrow(/pass only one of them/);
    for (const frame of ['http://f/', null, []])
      await expect(written({ frame })).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
    await expect(written({ frame: { p: 1n } })).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
    const documentLoader = async () => ({ document: { '@context': VOCAB } });
    expect(JSON.parse(await written({ frame: { '@context': 'http://c/', p: {} }, documentLoader }))).toEqual({
      '@context': 'http://c/',
      '@id': `${EX}a`,
      p: 'x',
    });
  });

  it('embeds down to a limit', async () => {
    const chain = Array.from({ length: 20 }, (_, i) =>
      quad(namedNode(`${EX}n${i}`), namedNode(`${EX}p`), namedNode(`${EX}n${i + 1}`)),
    );
    const frame = { '@id': `${EX}n0` };
    const written = (maxFrameDepth: number) =>
      writtenText(writeJsonLd, new ArraySource(chain), { frame, limits: { ...DEFAULT_REQUEST_LIMITS, maxFrameDepth } });
    expect(JSON.parse(await written(21))['http://example.org/p']['@id']).toBe(`${EX}n1`);
    await expect(written(20)).rejects.toMatchObject({
      code: 'LIMIT_EXCEEDED',
      message: expect.stringContaining('maxFrameDepth'),
    });
  });

  it('claims the memory of what a result holds, and gives it back', async () => {
    // Embedding always doubles the nodes at each level.
    const levels = (count: number) =>
      Array.from({ length: count }, (_, i) =>
        ['p', 'q'].map((name) => quad(namedNode(`${EX}n${i}`), namedNode(EX + name), namedNode(`${EX}n${i + 1}`))),
      ).flat();
    let claimed = 0;
    const claimMemory = (bytes: number) => {
      claimed += bytes;
      if (claimed > 1 << 20) throw new RangeError('too much');
    };
    const frame = { '@id': `${EX}n0`, '@embed': '@always' };
    const written = (count: number) =>
      writtenText(writeJsonLd, new ArraySource(levels(count)), { frame, memory: { claimMemory } });
    expect((await written(8)).length).toBeGreaterThan(10_000);
    expect(claimed).toBe(0);
    await expect(written(40)).rejects.toThrow('too much');
  });

  it('claims the memory of defaults in embedded nodes', async () => {
    const quads = Array.from({ length: 100 }, (_, i) =>
      quad(namedNode(`${EX}a`), namedNode(`${EX}p`), namedNode(EX + i)),
    );
    let claimed = 0;
    let most = 0;
    const claimMemory = (bytes: number) => {
      claimed += bytes;
      most = Math.max(most, claimed);
    };
    const mostOf = async (defaults: number) => {
      most = 0;
      const members = Array.from({ length: defaults }, (_, i) => [`${EX}q${i}`, { '@default': 'x' }]);
      const frame = { '@id': `${EX}a`, [`${EX}p`]: { '@id': {}, ...Object.fromEntries(members) } };
      await writtenText(writeJsonLd, new ArraySource(quads), { frame, memory: { claimMemory } });
      expect(claimed).toBe(0);
      return most;
    };
    expect((await mostOf(50)) - (await mostOf(0))).toBeGreaterThan(100 * 50 * 100);
  });

  it('looks only at the graphs that a result reaches', async () => {
    const count = 400;
    const quads = Array.from({ length: count }, (_, i) => [
      quad(namedNode(EX + i), namedNode(`${EX}p`), literal('x')),
      quad(namedNode(`${EX}in${i}`), namedNode(`${EX}p`), literal('x'), namedNode(EX + i)),
    ]).flat();
    let claims = 0;
    const claimMemory = () => {
      claims++;
    };
    const written = await writtenText(writeJsonLd, new ArraySource(quads), {
      frame: { '@graph': {} },
      memory: { claimMemory },
    });
    expect(JSON.parse(written)['@graph']).toHaveLength(count);
    expect(claims).toBeLessThan(50 * count);
  });

  it('holds one result at a time', async () => {
    const quads = Array.from({ length: 500 }, (_, i) =>
      quad(namedNode(EX + i), namedNode(`${EX}p`), literal('x'.repeat(1000))),
    );
    let claimed = 0;
    let most = 0;
    const claimMemory = (bytes: number) => {
      claimed += bytes;
      most = Math.max(most, claimed);
    };
    await writtenText(writeJsonLd, new ArraySource(quads), { frame: {}, memory: { claimMemory } });
    expect(claimed).toBe(0);
    expect(most).toBeLessThan(50_000);
  });
});

describe('framing gets its turn', () => {
  /** Pauses whenever it is asked. Keeps the most terms that were looked at between two pauses. */
  class CountingSlicer extends Slicer {
    pauses = 0;
    looks = 0;
    mostLooks = 0;
    override get due(): boolean {
      return true;
    }
    override async pause(): Promise<void> {
      this.pauses++;
      this.mostLooks = Math.max(this.mostLooks, this.looks);
      this.looks = 0;
    }
  }

  const SIZE = 20_000;
  const ex = (name: string | number) => namedNode(EX + name);
  const range = <Item>(make: (i: number) => Item, size = SIZE) => Array.from({ length: size }, (_, i) => make(i));
  const type = namedNode('http://www.w3.org/1999/02/22-rdf-syntax-ns#type');
  const first = namedNode('http://www.w3.org/1999/02/22-rdf-syntax-ns#first');
  const rest = namedNode('http://www.w3.org/1999/02/22-rdf-syntax-ns#rest');
  const nil = namedNode('http://www.w3.org/1999/02/22-rdf-syntax-ns#nil');
  const ofA = (make: (i: number) => ReturnType<typeof quad>) => [quad(ex('a'), type, ex('T')), ...range(make)];

  // At most 1,024 nodes, values, members or patterns are taken between two pauses.
  it.each<[string, object, ReturnType<typeof quad>[]]>([
    ['nodes that match', { '@type': `${EX}T` }, range((i) => quad(ex(i), type, ex('T')))],
    ['nodes that do not', { [`${EX}q`]: {} }, range((i) => quad(ex(i), ex('p'), literal('x')))],
    ['literals of a node', { '@type': `${EX}T` }, ofA((i) => quad(ex('a'), ex('p'), literal(`${i}`)))],
    ['properties of a node', { '@type': `${EX}T` }, ofA((i) => quad(ex('a'), ex(`p${i}`), literal('x')))],
    ['types of a node', { '@id': `${EX}a` }, ofA((i) => quad(ex('a'), type, ex(`T${i}`)))],
    ['references of a node', { '@type': `${EX}T`, '@embed': '@never' }, ofA((i) => quad(ex('a'), ex('p'), ex(i)))],
    [
      'values that a pattern excludes',
      { '@type': `${EX}T`, [`${EX}p`]: { '@value': 'x' } },
      ofA((i) => quad(ex('a'), ex('p'), literal(`${i}`))),
    ],
    [
      'items of a list',
      { '@type': `${EX}T` },
      [
        ...ofA((i) => quad(blankNode(`c${i}`), rest, i + 1 < SIZE ? blankNode(`c${i + 1}`) : nil)),
        ...range((i) => quad(blankNode(`c${i}`), first, literal(`${i}`))),
        quad(ex('a'), ex('p'), blankNode('c0')),
      ],
    ],
    [
      'nodes of a reverse property',
      { '@type': `${EX}T`, '@reverse': { [`${EX}p`]: {} } },
      ofA((i) => quad(ex(i), ex('p'), ex('a'))),
    ],
    [
      'nodes of a graph',
      { '@id': `${EX}a`, '@graph': {} },
      [quad(ex('a'), type, ex('T')), ...range((i) => quad(ex(i), ex('p'), literal('x'), ex('a')))],
    ],
    [
      'members of a frame',
      Object.fromEntries(range((i) => [`${EX}p${i}`, {}])),
      [quad(ex('a'), ex('p1'), literal('x'))],
    ],
    [
      'patterns for each value',
      { '@type': `${EX}T`, [`${EX}p`]: range((i) => ({ '@value': `${i}` }), 1000) },
      [quad(ex('a'), type, ex('T')), ...range((i) => quad(ex('a'), ex('p'), literal(`x${i}`)), 20)],
    ],
    [
      'members of the frame of each embedded node',
      {
        '@id': `${EX}a`,
        [`${EX}p`]: {
          '@id': {},
          ...Object.fromEntries(range((i) => [`${EX}q${i}`, { '@default': 'x', '@omitDefault': true }], 200)),
        },
      },
      range((i) => quad(ex('a'), ex('p'), ex(i)), 100),
    ],
    ['types in a frame', { '@type': range((i) => `${EX}T${i}`) }, [quad(ex('a'), type, ex('T1'))]],
    ['values in a frame', { [`${EX}p`]: { '@value': range((i) => `${i}`) } }, [quad(ex('a'), ex('p'), literal('1'))]],
  ])('between %s', async (_, frame, quads) => {
    const slicer = new CountingSlicer();
    const source = new ArraySource(quads);
    const { terms } = source;
    const kind = terms.kind.bind(terms);
    terms.kind = (id) => {
      slicer.looks++;
      return kind(id);
    };
    await writtenText(writeJsonLd, source, { frame, slicer });
    await slicer.pause();
    expect(slicer.pauses).toBeGreaterThanOrEqual(Math.floor(SIZE / 1024));
    expect(slicer.mostLooks).toBeLessThan(8 * 1024);
  });
});
