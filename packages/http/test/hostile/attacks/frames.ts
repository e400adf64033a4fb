import { type Attack, type HostileRequest, importOf, json, list } from '../attack.ts';
import { burst, many } from './burst.ts';

const JSONLD = 'application/ld+json';
const RDF = 'http://www.w3.org/1999/02/22-rdf-syntax-ns#';
const quads = (text: string) => importOf(text, 'application/n-quads');
const members = (n: number, item: (i: number) => readonly [string, unknown]) => Object.fromEntries(many(n, item));
/** A frame in frames: each level is made of the one below it. */
const levels = (n: number, around: (inner: unknown) => unknown, inner: unknown = {}): unknown => {
  let value = inner;
  for (let i = 0; i < n; i++) value = around(value);
  return value;
};

const hub = (n: number) =>
  quads(list(n, (i) => `<urn:hub> <urn:p> <urn:o${i}> .\n<urn:o${i}> <urn:name> "${i}" .\n`, ''));
const cyclic = (n: number) => quads(list(n, (i) => list(n, (j) => `<urn:k${i}> <urn:p> <urn:k${j}> .\n`, ''), ''));
const pairs = (n: number) =>
  quads(list(n, (i) => `<urn:s${i}> <urn:p> <urn:o${i}> .\n<urn:o${i}> <urn:x> "${i}" .\n`, ''));
const graphs = (n: number) =>
  quads(list(n, (i) => `<urn:g${i}> <urn:p> "${i}" <urn:g${i}> .\n<urn:g${i}> <urn:p> "x" .\n`, ''));
const longList = (n: number) =>
  quads(
    `<urn:s> <urn:list> _:l0 .\n${list(
      n,
      (i) =>
        `_:l${i} <${RDF}first> <urn:i${i}> .\n_:l${i} <${RDF}rest> ${i === n - 1 ? `<${RDF}nil>` : `_:l${i + 1}`} .\n<urn:i${i}> <urn:of> <urn:s> .\n`,
      '',
    )}`,
  );
const typed = (n: number) =>
  quads(list(n, (i) => `<urn:t${i}> <${RDF}type> <urn:T${i % 200}> .\n<urn:t${i}> <urn:text> "text ${i}"@en .\n`, ''));

type Row = readonly [
  name: string,
  body: (size: number) => unknown,
  before: (size: number) => readonly HostileRequest[],
  more?: Partial<Attack>,
];

const ROWS: readonly Row[] = [
  [
    'defaults of embedded nodes',
    () => ({
      frame: { '@id': 'urn:hub', 'urn:p': { '@id': {}, ...members(9_000, (i) => [`urn:q${i}`, { '@default': 'x' }]) } },
    }),
    (size) => [hub(250 * size)],
    { cost: 'answer' },
  ],
  [
    'nothing for what embedded nodes lack',
    () => ({ frame: { '@id': 'urn:hub', 'urn:p': { '@id': {}, ...members(9_000, (i) => [`urn:q${i}`, []]) } } }),
    (size) => [hub(250 * size)],
    { cost: 'answer' },
  ],
  [
    'defaults of embedded nodes that are left out',
    () => ({
      frame: { '@id': 'urn:hub', 'urn:p': { '@id': {}, ...members(9_000, (i) => [`urn:q${i}`, []]) } },
      framing: { omitDefault: true },
    }),
    (size) => [hub(250 * size)],
    { cost: 'answer' },
  ],
  [
    'many patterns for each value',
    (size) => ({ frame: { 'urn:p': many(500 * size, (i) => ({ '@id': `urn:none${i}` })) } }),
    () => [pairs(5_000)],
    { cost: 'answer' },
  ],
  [
    'patterns of types in patterns',
    (size) => ({ frame: { 'urn:p': many(500 * size, (i) => ({ 'urn:x': { '@type': `urn:T${i}` } })) } }),
    () => [pairs(5_000)],
    { cost: 'answer' },
  ],
  ['the graph of each node', () => ({ frame: { '@graph': {} } }), (size) => [graphs(1_000 * size)]],
  [
    'names of nodes among many graphs',
    () => ({ frame: { '@id': many(9_000, (i) => `urn:none${i}`) } }),
    (size) => [graphs(2_000 * size)],
  ],
  [
    'included nodes of included nodes',
    (size) => ({ frame: levels(10 * size, (inner) => ({ '@included': inner })) }),
    () => [pairs(300)],
    { cost: 'answer' },
  ],
  [
    'included nodes that embed each other each time',
    () => ({ frame: { '@embed': '@always', '@included': { '@embed': '@always' } } }),
    (size) => [cyclic(3 + Math.log2(size))],
    { cost: 'answer' },
  ],
  [
    'references in reverse, in reverse',
    (size) => ({ frame: levels(2 + size, (inner) => ({ '@embed': '@always', '@reverse': { 'urn:p': inner } })) }),
    () => [cyclic(12)],
    { cost: 'answer' },
  ],
  [
    'a frame that grows with each level',
    (size) => ({
      frame: levels(3, (inner) => members(6 + size, (i) => [`urn:p${i}`, inner])),
      framing: { requireAll: true },
    }),
    () => [pairs(2_000)],
    { cost: 'answer' },
  ],
  [
    'a long list, whose items embed it',
    () => ({ frame: { '@embed': '@always', 'urn:list': { '@list': [{ '@embed': '@always', 'urn:of': {} }] } } }),
    (size) => [longList(100 * size)],
    { cost: 'answer' },
  ],
  [
    'a long list',
    () => ({ context: { l: { '@id': 'urn:list', '@container': '@list' } } }),
    (size) => [longList(2_000 * size)],
  ],
  [
    'contexts of types of contexts',
    (size) => ({
      context: members(200, (i) => [
        `T${i}`,
        { '@id': `urn:T${i}`, '@context': members(8 * size, (j) => [`t${i}x${j}`, 'urn:text']) },
      ]),
    }),
    () => [typed(2_000)],
    { cost: 'answer' },
  ],
  [
    'contexts of types, framed',
    (size) => ({
      frame: {
        '@context': members(200, (i) => [
          `T${i}`,
          { '@id': `urn:T${i}`, '@context': members(8 * size, (j) => [`t${j}`, `urn:${j}`]) },
        ]),
      },
    }),
    () => [typed(2_000)],
    { cost: 'answer' },
  ],
  [
    'containers by language, of terms for each language',
    (size) => ({
      context: members(500 * size, (i) => [`t${i}`, { '@id': 'urn:text', '@container': i % 2 ? '@language' : '@set' }]),
    }),
    () => [typed(5_000)],
  ],
  [
    'terms nested in terms',
    (size) => ({
      context: {
        n: '@nest',
        ...members(200 * size, (i) => [`t${i}`, { '@id': `urn:q${i}`, '@nest': 'n' }]),
        text: { '@id': 'urn:text', '@nest': 'n' },
      },
    }),
    () => [typed(2_000)],
  ],
];

const framed = (body: unknown, as?: HostileRequest['as']): HostileRequest => ({
  ...json('POST', '/worlds/w/export', { contentType: JSONLD, ...(body as object) }),
  as,
});

export const FRAMES: readonly Attack[] = [
  ...ROWS.map(
    ([name, body, before, more]): Attack => ({
      name: `frame: ${name}`,
      route: 'exportWorld',
      before,
      at: (size) => framed(body(size)),
      statuses: [200, 400, 413, 503],
      ...more,
    }),
  ),
  {
    name: 'frame: many together, of cyclic data',
    route: 'exportWorld',
    before: () => [cyclic(60)],
    at: (size) => burst(many(4 * size, (i) => framed({ frame: { '@embed': '@always' } }, i % 2 ? 'guest' : 'mallory'))),
    statuses: [0, 200, 400, 429, 503],
    cost: 'answer',
  },
];
