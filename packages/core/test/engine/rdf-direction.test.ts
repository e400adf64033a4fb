import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type RdfDirection, WorldsEngine } from '../../src/index.ts';

const JSON_LD = 'application/ld+json';
const P = 'https://example.org/p';
const RDF = 'http://www.w3.org/1999/02/22-rdf-syntax-ns#';

let engine: WorldsEngine;
beforeEach(async () => {
  engine = await WorldsEngine.open({ textIndex: null });
  for (const slug of ['w', 'v']) await engine.createWorld({ slug });
});
afterEach(() => engine.close());

const read = (data: unknown, rdfDirection?: RdfDirection, source = 'w') =>
  engine.import({
    source,
    data: typeof data === 'string' ? data : JSON.stringify(data),
    contentType: JSON_LD,
    rdfDirection,
    mode: 'replace',
  });
const quads = async (data: string) => engine.import({ source: 'w', data, mode: 'replace' });
const lines = async () => new TextDecoder().decode(await engine.export({ source: 'w' }));
const written = async (rdfDirection?: RdfDirection) =>
  new TextDecoder().decode(await engine.export({ source: 'w', contentType: JSON_LD, rdfDirection }));
const directed = {
  '@id': 'urn:s',
  [P]: [{ '@value': 'شاي', '@language': 'ar-EG', '@direction': 'rtl' }],
};

describe('@direction of JSON-LD', () => {
  it('is ignored without rdfDirection, with a note', async () => {
    const { notes } = await read(directed);
    expect(notes).toEqual([expect.stringContaining('@direction of 1 values was ignored; pass rdfDirection')]);
    expect(await lines()).toBe(`<urn:s> <${P}> "شاي"@ar-EG .\n`);
  });

  it.each([
    ['i18n-datatype', `<urn:s> <${P}> "شاي"^^<https://www.w3.org/ns/i18n#ar-eg_rtl> .\n`],
    ['dir-lang-string', `<urn:s> <${P}> "شاي"@ar-EG--rtl .\n`],
  ] as const)('becomes a literal: %s', async (rdfDirection, expected) => {
    expect((await read(directed, rdfDirection)).notes).toEqual([]);
    expect(await lines()).toBe(expected);
  });

  it('becomes a compound literal', async () => {
    await read(directed, 'compound-literal');
    await engine.import({
      source: 'v',
      data: `<urn:s> <${P}> _:c .\n_:c <${RDF}value> "شاي" .\n_:c <${RDF}language> "ar-eg" .\n_:c <${RDF}direction> "rtl" .\n`,
    });
    expect(await engine.isIsomorphic({ source: 'w', to: { source: 'v' } })).toBe(true);
  });

  it('needs a language for a literal of RDF 1.2, a well-formed one always', async () => {
    const without = { '@id': 'urn:s', [P]: { '@value': 'x', '@direction': 'ltr' } };
    await expect(read(without, 'dir-lang-string')).rejects.toMatchObject({ code: 'INVALID_RDF' });
    await read(without, 'i18n-datatype');
    expect(await lines()).toBe(`<urn:s> <${P}> "x"^^<https://www.w3.org/ns/i18n#_ltr> .\n`);
    const malformed = { '@id': 'urn:s', [P]: { '@value': 'x', '@language': 'e_n', '@direction': 'ltr' } };
    for (const each of ['i18n-datatype', 'compound-literal', 'dir-lang-string'] as const)
      await expect(read(malformed, each)).rejects.toMatchObject({ code: 'INVALID_RDF' });
  });

  it('survives a round trip with every rdfDirection', async () => {
    const value = fc.record(
      {
        '@value': fc.string(),
        '@language': fc.constantFrom('en', 'ar-eg', 'he'),
        '@direction': fc.constantFrom('ltr', 'rtl'),
      },
      { requiredKeys: ['@value', '@language'] },
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(value, { minLength: 1, maxLength: 5 }),
        fc.constantFrom<RdfDirection>('i18n-datatype', 'compound-literal', 'dir-lang-string'),
        async (values, rdfDirection) => {
          await read([{ '@id': 'urn:s', [P]: values }], rdfDirection);
          await read(await written(rdfDirection), rdfDirection, 'v');
          expect(await engine.isIsomorphic({ source: 'w', to: { source: 'v' } })).toBe(true);
          const [node] = JSON.parse(await written(rdfDirection));
          expect(Object.keys(node)).toEqual(['@id', P]);
        },
      ),
      { numRuns: 40, seed: 4 },
    );
  });
});

describe('an export with rdfDirection', () => {
  const compound = (extra = '') =>
    `<urn:s> <${P}> _:c .\n_:c <${RDF}value> "x" .\n_:c <${RDF}direction> "rtl" .\n${extra}`;

  it('leaves compound literals as they are without it', async () => {
    await quads(compound());
    expect(JSON.parse(await written())).toHaveLength(2);
    expect(JSON.parse(await written('i18n-datatype'))).toHaveLength(2);
    expect(JSON.parse(await written('compound-literal'))).toEqual([
      { '@id': 'urn:s', [P]: [{ '@value': 'x', '@direction': 'rtl' }] },
    ]);
  });

  it.each([
    ['is mentioned twice', `<urn:t> <${P}> _:c .\n`],
    ['is mentioned in another graph', `<urn:t> <${P}> _:c <urn:g> .\n`],
    ['has quads in another graph', `_:c <${P}> "x" <urn:g> .\n`],
    ['names a graph', `<urn:t> <${P}> "x" _:c .\n`],
    ['has more properties', `_:c <${P}> "more" .\n`],
    ['has two texts', `_:c <${RDF}value> "y" .\n`],
    ['has two directions', `_:c <${RDF}direction> "ltr" .\n`],
    ['has a language that is none', `_:c <${RDF}language> "e n" .\n`],
  ])('loses nothing of a node that %s', async (_, extra) => {
    await quads(compound(extra));
    await read(await written('compound-literal'), 'compound-literal', 'v');
    expect(await engine.isIsomorphic({ source: 'w', to: { source: 'v' } })).toBe(true);
  });

  it.each([
    `_:c <${P}> _:c .\n_:c <${RDF}value> "x" .\n_:c <${RDF}direction> "rtl" .\n`,
    `<urn:s> <${RDF}type> _:c .\n_:c <${RDF}value> "x" .\n_:c <${RDF}direction> "rtl" .\n`,
    `<urn:s> <${P}> _:c .\n_:c <${RDF}value> "x"@en .\n_:c <${RDF}direction> "rtl" .\n`,
    `<urn:s> <${P}> _:c .\n_:c <${RDF}direction> "rtl" .\n`,
    `<urn:s> <${P}> "x"^^<https://www.w3.org/ns/i18n#en_up> .\n<urn:s> <${P}> "x"^^<https://www.w3.org/ns/i18n#a_b_rtl> .\n`,
  ])('loses nothing of %s', async (data) => {
    await quads(data);
    for (const each of ['compound-literal', 'i18n-datatype'] as const) {
      await read(await written(each), each, 'v');
      expect(await engine.isIsomorphic({ source: 'w', to: { source: 'v' } })).toBe(true);
    }
  });

  it('is refused for another value', async () => {
    const rdfDirection = 'i18n' as RdfDirection;
    await expect(engine.export({ source: 'w', rdfDirection })).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
  });
});
