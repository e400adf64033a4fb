import { type Attack, type HostileRequest, importOf, json, list, nest } from '../attack.ts';

const many = <Item>(n: number, item: (i: number) => Item): Item[] => Array.from({ length: n }, (_, i) => item(i));
const members = (n: number, item: (i: number) => readonly [string, unknown]) => Object.fromEntries(many(n, item));
const quads = (text: string) => importOf(text, 'application/n-quads');
const nested = (depth: number, inner: unknown = {}): unknown => {
  let value = inner;
  for (let i = 0; i < depth; i++) value = { 'urn:p0': value };
  return value;
};

/** Worlds that are hard to nest: chains, hubs, and nodes that all embed each other. */
const chain = (n: number) => quads(list(n, (i) => `<urn:c${i}> <urn:next> <urn:c${i + 1}> .\n`, ''));
const blankChain = (n: number) => quads(list(n, (i) => `_:b${i} <urn:next> _:b${i + 1} .\n`, ''));
const hub = (n: number) =>
  quads(list(n, (i) => `<urn:hub> <urn:p${i % 50}> <urn:o${i}> .\n<urn:o${i}> <urn:back> <urn:hub> .\n`, ''));
const clique = (n: number) => quads(list(n, (i) => list(n, (j) => `<urn:k${i}> <urn:p> <urn:k${j}> .\n`, ''), ''));
const texts = (n: number) =>
  quads(
    list(
      n,
      (i) =>
        `<urn:t${i}> <urn:text> "text ${i}"@en .\n<urn:t${i}> <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <urn:T${i % 40}> .\n`,
      '',
    ),
  );

const JSONLD = 'application/ld+json';

type Row = readonly [
  name: string,
  length: number,
  body: (n: number) => unknown,
  more?: Partial<Attack> & { readonly as?: HostileRequest['as'] },
];

/** Exports in a form that the request describes. The length is that of size 1. */
const ROWS: readonly Row[] = [
  [
    'a frame of a chain',
    1,
    () => ({ contentType: JSONLD, frame: { 'urn:next': {} } }),
    { before: (size) => [chain(150 * size)] },
  ],
  [
    'a frame of a chain of blank nodes',
    1,
    () => ({ contentType: JSONLD, frame: { 'urn:next': {} } }),
    { before: (size) => [blankChain(100 * size)] },
  ],
  [
    'a frame that embeds each time',
    1,
    () => ({ contentType: JSONLD, frame: { '@embed': '@always', 'urn:p': {} } }),
    { before: (size) => [clique(5 * size)], cost: 'answer' },
  ],
  [
    'a frame that embeds once',
    1,
    () => ({ contentType: JSONLD, frame: { '@embed': '@once', 'urn:p': {} } }),
    { before: (size) => [clique(5 * size)], cost: 'answer' },
  ],
  [
    'a frame of a hub',
    1,
    () => ({ contentType: JSONLD, frame: { '@embed': '@always', 'urn:back': {} } }),
    { before: (size) => [hub(250 * size)] },
  ],
  ['a frame of all', 1, () => ({ contentType: JSONLD, frame: {} }), { before: (size) => [texts(1_000 * size)] }],
  ['a deep frame', 60, (n) => ({ contentType: JSONLD, frame: nested(n) }), { before: () => [chain(100)] }],
  // JSON.stringify recurses: the test itself would overflow with deeper ones.
  ['a frame of arrays in arrays', 200, (n) => ({ contentType: JSONLD, frame: JSON.parse(nest('[', '', ']')(n)) })],
  [
    'a deep frame of lists',
    60,
    (n) => ({ contentType: JSONLD, frame: JSON.parse(`{"urn:p":${nest('{"@list":[', '{}', ']}')(n)}}`) }),
  ],
  [
    'a wide frame',
    2_500,
    (n) => ({ contentType: JSONLD, frame: members(n, (i) => [`urn:q${i}`, {}]) }),
    { before: () => [texts(500)] },
  ],
  [
    'a frame of defaults',
    1_000,
    (n) => ({ contentType: JSONLD, frame: members(n, (i) => [`urn:q${i}`, { '@default': 'x' }]) }),
    { before: () => [texts(500)] },
  ],
  [
    'a frame of types',
    5_000,
    (n) => ({ contentType: JSONLD, frame: { '@type': many(n, (i) => `urn:T${i}`) } }),
    { before: () => [texts(500)] },
  ],
  [
    'a frame of names',
    5_000,
    (n) => ({ contentType: JSONLD, frame: { '@id': many(n, (i) => `urn:t${i}`) } }),
    { before: () => [texts(500)] },
  ],
  [
    'a frame of values',
    2_500,
    (n) => ({ contentType: JSONLD, frame: { 'urn:text': many(n, (i) => ({ '@value': `text ${i}` })) } }),
    { before: () => [texts(500)] },
  ],
  [
    'a frame of languages',
    2_500,
    (n) => ({ contentType: JSONLD, frame: { 'urn:text': { '@value': {}, '@language': many(n, (i) => `en-${i}`) } } }),
    { before: () => [texts(500)] },
  ],
  [
    'a frame that requires all',
    1_000,
    (n) => ({ contentType: JSONLD, frame: { '@requireAll': true, ...members(n, (i) => [`urn:q${i}`, {}]) } }),
    { before: () => [texts(500)] },
  ],
  ['frames', 1_000, (n) => ({ contentType: JSONLD, frame: many(n, (i) => ({ '@id': `urn:t${i}` })) })],
  [
    'frames in reverse',
    1,
    () => ({ contentType: JSONLD, frame: { '@reverse': { 'urn:back': { '@embed': '@always' } } } }),
    { before: (size) => [hub(250 * size)] },
  ],
  [
    'flags of framing',
    1,
    () => ({
      contentType: JSONLD,
      frame: {},
      framing: {
        embed: '@always',
        explicit: true,
        requireAll: true,
        omitDefault: true,
        omitGraph: false,
        pruneBlankNodeIdentifiers: true,
      },
    }),
    { before: (size) => [texts(500 * size)] },
  ],
  [
    'flags that are none',
    4_000,
    (n) => ({ contentType: JSONLD, frame: {}, framing: members(n, (i) => [`k${i}`, true]) }),
    { statuses: [400, 413] },
  ],
  [
    'a context of many terms',
    2_500,
    (n) => ({ contentType: JSONLD, context: members(n, (i) => [`t${i}`, `urn:q${i}`]) }),
    { before: () => [texts(500)] },
  ],
  [
    'a context of prefixes',
    1_500,
    (n) => ({
      contentType: JSONLD,
      context: members(n, (i) => [`t${i}`, { '@id': `urn:${'t'.repeat(i % 50)}`, '@prefix': true }]),
    }),
    { before: () => [texts(1_000)] },
  ],
  [
    'a context of a long term',
    50_000,
    (n) => ({ contentType: JSONLD, context: { ['x'.repeat(n)]: 'urn:text' } }),
    { before: () => [texts(500)] },
  ],
  [
    'a context of a long vocabulary',
    50_000,
    (n) => ({ contentType: JSONLD, context: { '@vocab': `urn:${'x'.repeat(n)}` } }),
    { before: () => [texts(500)] },
  ],
  [
    'a context of terms of terms',
    600,
    (n) => ({ contentType: JSONLD, context: members(n, (i) => [`t${i}`, `t${i + 1}:x`]) }),
  ],
  [
    'contexts in contexts',
    60,
    (n) => ({ contentType: JSONLD, context: JSON.parse(nest('{"t":{"@id":"urn:next","@context":', '{}', '}}')(n)) }),
    { before: () => [chain(100)] },
  ],
  [
    'many contexts',
    2_500,
    (n) => ({ contentType: JSONLD, context: many(n, (i) => ({ [`t${i}`]: 'urn:text' })) }),
    { before: () => [texts(500)] },
  ],
  [
    'contexts of types',
    500,
    (n) => ({
      contentType: JSONLD,
      context: members(n, (i) => [`T${i}`, { '@id': `urn:T${i}`, '@context': { t: 'urn:text' } }]),
    }),
    { before: () => [texts(2_000)] },
  ],
  [
    'terms for each language and type of one property',
    1_500,
    (n) => ({
      contentType: JSONLD,
      context: members(n, (i) => [`t${i}`, { '@id': 'urn:text', '@language': `en-x${i}` }]),
    }),
    { before: () => [texts(2_000)] },
  ],
  [
    'a remote context',
    200,
    (n) => ({ contentType: JSONLD, context: many(n, (i) => `http://127.0.0.1:1/${i}`) }),
    { statuses: [400] },
  ],
  [
    'a context of a base of dots',
    10_000,
    (n) => ({ contentType: JSONLD, context: { '@base': `http://e/${'../'.repeat(n)}` } }),
  ],
  [
    'directions',
    1,
    () => ({ contentType: JSONLD, rdfDirection: 'compound-literal' }),
    { before: (size) => [blankChain(500 * size)] },
  ],
  [
    'prefixes',
    1_500,
    (n) => ({ contentType: 'text/turtle', prefixes: members(n, (i) => [`p${i}`, `urn:${'t'.repeat(i % 50)}`]) }),
    { before: () => [texts(1_000)] },
  ],
  [
    'a long prefix',
    50_000,
    (n) => ({ contentType: 'application/trig', prefixes: { ['p'.repeat(n)]: 'urn:', q: `urn:${'x'.repeat(n)}` } }),
  ],
  ['a graph of a long name', 50_000, (n) => ({ graph: `urn:${'x'.repeat(n)}` })],
  ['a moment of digits', 50_000, (n) => ({ at: '9'.repeat(n) }), { statuses: [400, 413] }],
  ['canonical order of triples', 1, () => ({ canonicalOrder: true }), { before: (size) => [texts(2_500 * size)] }],
  [
    'canonical order of a chain of blank nodes',
    1,
    () => ({ canonicalOrder: true }),
    { before: (size) => [blankChain(1_000 * size)] },
  ],
  [
    'canonical order of rings',
    1,
    () => ({ canonicalOrder: true }),
    {
      before: (size) => [quads(list(1_000 * size, (i) => `_:b${i} <urn:p> _:b${i - (i % 8) + ((i + 1) % 8)} .\n`, ''))],
      cost: 'answer',
      statuses: [200, 400, 503],
    },
  ],
  [
    'canonical order of a clique of blank nodes',
    1,
    () => ({ canonicalOrder: true }),
    {
      before: (size) => [quads(list(6 + size, (i) => list(6 + size, (j) => `_:b${i} <urn:p> _:b${j} .\n`, ''), ''))],
      cost: 'answer',
      statuses: [200, 400, 503],
    },
  ],
  [
    'canonical order of stars',
    1,
    () => ({ canonicalOrder: true }),
    {
      before: (size) => [quads(list(40, (i) => list(25 * size, (j) => `_:s${i} <urn:p> _:l${i}x${j} .\n`, ''), ''))],
      cost: 'answer',
      statuses: [200, 400, 503],
    },
  ],
  [
    'canonical order of literals that are long',
    1,
    () => ({ canonicalOrder: true }),
    { before: (size) => [quads(list(8, (i) => `<urn:s> <urn:p> "${'x'.repeat(250_000 * size)}${i}" .\n`, ''))] },
  ],
  ['all, to a guest', 1, () => ({}), { before: (size) => [texts(2_500 * size)], as: 'guest' }],
  [
    'a frame, to a guest',
    1,
    () => ({ contentType: JSONLD, frame: { 'urn:next': {} } }),
    { before: (size) => [chain(100 * size)], as: 'guest' },
  ],
  [
    'blank nodes as Turtle, to a guest',
    1,
    () => ({ contentType: 'text/turtle' }),
    { before: (size) => [blankChain(1_000 * size)], as: 'guest' },
  ],
  [
    'rings as JSON-LD, to a guest',
    1,
    () => ({ contentType: JSONLD }),
    {
      before: (size) => [quads(list(500 * size, (i) => `_:b${i} <urn:p> _:b${i - (i % 8) + ((i + 1) % 8)} .\n`, ''))],
      as: 'guest',
      cost: 'answer',
      statuses: [200, 400, 503],
    },
  ],
  [
    'as RDF Patch',
    1,
    () => ({ contentType: 'application/rdf-patch' }),
    { before: (size) => [texts(2_500 * size)], statuses: [200, 400] },
  ],
];

const PATCH = 'application/rdf-patch';

/** Patches that are imported, in all ways to write one. */
const PATCHES: readonly (readonly [string, number, (n: number) => string, Partial<Attack>?])[] = [
  ['additions', 5_000, (n) => `TX .\n${list(n, (i) => `A <urn:s${i}> <urn:p${i % 7}> "${i}" .\n`, '')}TC .\n`],
  [
    'additions and deletions of the same',
    2_500,
    (n) => list(n, () => 'A <urn:s> <urn:p> "x" .\nD <urn:s> <urn:p> "x" .\n', ''),
  ],
  ['deletions of nothing', 5_000, (n) => list(n, (i) => `D <urn:s${i}> <urn:p> "${i}" .\n`, '')],
  ['transactions', 5_000, (n) => 'TX .\nTC .\n'.repeat(n)],
  ['transactions that are aborted', 2_500, (n) => list(n, (i) => `TX .\nA <urn:s> <urn:p> "${i}" .\nTA .\n`, '')],
  ['headers', 20_000, (n) => list(n, (i) => `H k${i} "${i}" .\n`, '')],
  ['prefixes', 5_000, (n) => list(n, (i) => `PA p${i} <urn:${i}> .\n`, '')],
  ['a long prefix', 5_000, (n) => `PA p <urn:${'x'.repeat(n)}> .\n${list(n, (i) => `A p:${i} p:p p:o .\n`, '')}`],
  ['a line without end', 500_000, (n) => `A <urn:s> <urn:p> "${'x'.repeat(n)}`],
  ['rows that are none', 60_000, (n) => 'Z '.repeat(n)],
  ['blank nodes', 5_000, (n) => list(n, (i) => `A _:b${i} <urn:p> _:b${i + 1} .\n`, '')],
];

export const EXPORTS_AND_PATCHES: readonly Attack[] = [
  ...ROWS.map(
    ([name, length, body, { as, ...more } = {}]): Attack => ({
      name: `export: ${name}`,
      route: 'exportWorld',
      at: (size) => ({ ...json('POST', '/worlds/w/export', body(length * size)), as }),
      statuses: [200, 400, 413, 503],
      ...more,
    }),
  ),
  ...PATCHES.map(
    ([name, length, text, more]): Attack => ({
      name: `patch: ${name}`,
      route: 'importWorld',
      at: (size) => importOf(text(length * size), PATCH),
      statuses: [204, 400, 413, 503],
      ...more,
    }),
  ),
];
