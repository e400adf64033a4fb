import { afterEach, beforeEach, expect, it } from 'vitest';
import { dataFactory, WorldsEngine } from '../../src/index.ts';
import { quadsOf } from './world-state.ts';

// Language tags compare without case (RDF 1.2 Concepts section 3.4), and one rule says everywhere
// what a tag is.

let engine: WorldsEngine;
beforeEach(async () => {
  engine = await WorldsEngine.open({ textIndex: null });
  await engine.createWorld({ slug: 'w' });
});
afterEach(() => engine.close());

const S = '<http://example.org/s>';
const P = '<http://example.org/p>';

/** A way in for one literal with a language tag. */
const WAYS: readonly (readonly [string, (tag: string) => Promise<unknown>])[] = [
  ...(
    [
      ['application/n-triples', (tag) => `${S} ${P} "x"@${tag} .`],
      ['application/n-quads', (tag) => `${S} ${P} "x\\t"@${tag} .\n${S} ${P} "x" @${tag} .`],
      ['text/turtle', (tag) => `${S} ${P} "x"@${tag} .`],
      ['application/trig', (tag) => `${S} ${P} "x"@${tag} .`],
      ['text/n3', (tag) => `${S} ${P} "x"@${tag} .`],
      [
        'application/ld+json',
        (tag) => `{"@id":"http://example.org/s","http://example.org/p":{"@value":"x","@language":"${tag}"}}`,
      ],
      [
        'application/rdf+xml',
        (tag) =>
          `<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:e="http://example.org/"><rdf:Description rdf:about="http://example.org/s"><e:p xml:lang="${tag}">x</e:p></rdf:Description></rdf:RDF>`,
      ],
    ] as const satisfies readonly (readonly [string, (tag: string) => string])[]
  ).map(
    ([contentType, text]) =>
      [contentType, (tag: string) => engine.import({ source: 'w', data: text(tag), contentType })] as const,
  ),
  ['INSERT DATA', (tag) => engine.update({ sources: ['w'], query: `INSERT DATA { ${S} ${P} "x"@${tag} }` })],
  [
    'STRLANG',
    (tag) =>
      engine.update({ sources: ['w'], query: `INSERT { ${S} ${P} ?x } WHERE { BIND(STRLANG("x", "${tag}") AS ?x) }` }),
  ],
  [
    'write',
    (tag) => {
      const literal = { ...dataFactory.literal('x', 'en'), language: tag } as ReturnType<typeof dataFactory.literal>;
      const [s, p] = ['s', 'p'].map((name) => dataFactory.namedNode(`http://example.org/${name}`));
      return engine.write({ source: 'w', insert: [dataFactory.quad(s, p, literal)] });
    },
  ],
];

it('tags that differ in case are one, whatever brings them in', async () => {
  for (const [, bring] of WAYS) for (const tag of ['en-us', 'EN-US', 'en-US']) await bring(tag);
  const quads = await quadsOf(engine, 'w');
  // And the one with the tab.
  expect(quads.map(({ object }) => object).map((object) => object.termType === 'Literal' && object.language)).toEqual([
    'en-US',
    'en-US',
  ]);
});

it('queries find a literal by any case of its tag', async () => {
  await WAYS[0][1]('EN-us');
  for (const condition of [
    `${S} ${P} "x"@eN-Us`,
    `${S} ${P} ?x FILTER(?x = "x"@en-us)`,
    `${S} ${P} ?x FILTER(sameTerm(?x, STRLANG("x", "EN-US")))`,
    `${S} ${P} ?x FILTER(LANG(?x) = "en-US")`,
    `${S} ${P} ?x FILTER(?x IN ("x"@EN-US))`,
  ]) {
    expect(await engine.ask({ sources: ['w'], query: `ASK { ${condition} }` }), condition).toBe(true);
  }
  const [quad] = await quadsOf(engine, 'w');
  expect(quad.object.equals({ ...dataFactory.literal('x', 'en'), language: 'en-us' } as never)).toBe(true);
});

it('a long subtag goes out as it came in', async () => {
  await WAYS[0][1]('zh-classical');
  const before = await quadsOf(engine, 'w');
  for (const contentType of WAYS.map(([name]) => name).filter((name) => name.includes('/'))) {
    await engine.createWorld({ slug: 'copy' });
    const data = await engine.export({ source: 'w', contentType });
    await engine.import({ source: 'copy', data, contentType });
    expect(await quadsOf(engine, 'copy'), contentType).toEqual(before);
    await engine.deleteWorld({ source: 'copy' });
  }
});

it.each(WAYS.filter(([name]) => name !== 'STRLANG'))(
  '%s refuses a language of more than 8 letters',
  async (_, bring) => {
    await expect(bring('cantbethislong')).rejects.toThrow(/language tag/);
    expect(await quadsOf(engine, 'w')).toEqual([]);
  },
);
