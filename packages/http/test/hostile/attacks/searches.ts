import { type Attack, type HostileRequest, importOf, json, list } from '../attack.ts';

const ask = (value: unknown, path = '/worlds/w/search') => json('POST', path, value);
const many = (n: number, item: (i: number) => string) => Array.from({ length: n }, (_, i) => item(i));

/** Documents to search: n of them with m words. */
const texts = (n: number, words: number) => () => [
  importOf(
    list(n, (i) => `<urn:d${i}> <urn:text> "${list(words, (j) => `word${(i * 31 + j * 7) % 997}`)}" .\n`, ''),
    'application/n-quads',
  ),
];

const ROWS: readonly (readonly [string, number, (n: number) => unknown, Partial<Attack>?])[] = [
  ['many words', 5_000, (n) => ({ query: list(n, (i) => `word${i}`) })],
  ['the same word', 5_000, (n) => ({ query: 'text '.repeat(n) })],
  ['a long word', 50_000, (n) => ({ query: 'x'.repeat(n) })],
  ['a word of marks', 20_000, (n) => ({ query: `e${'\u0301'.repeat(n)}` })],
  ['letters of two units', 20_000, (n) => ({ query: '\u{1F600}'.repeat(n) })],
  ['Chinese without spaces', 15_000, (n) => ({ query: '\u6587\u5b57'.repeat(n) })],
  ['Thai without spaces', 15_000, (n) => ({ query: '\u0e01\u0e32'.repeat(n) })],
  ['punctuation', 50_000, (n) => ({ query: '-.'.repeat(n / 2) })],
  ['an unfinished word of one letter', 1, () => ({ query: 'w', prefix: true, limit: 1000 })],
  ['unfinished words', 2_000, (n) => ({ query: list(n, (i) => `w${i}`), prefix: true })],
  ['all hits, explained', 1, () => ({ query: 'word1 word2 word3 text number', limit: 1000, explain: true })],
  ['facets of all hits', 1, () => ({ query: 'text number word1', limit: 1, facets: true })],
  ['many facets', 2_000, (n) => ({ query: 'text', facets: many(n, () => 'types') })],
  ['feedback', 1, (n) => ({ query: 'word1 text', feedback: { documents: 1000 * n, terms: 1000 * n } })],
  ['subjects', 2_000, (n) => ({ query: 'text', subjects: many(n, (i) => `urn:s${i}`) })],
  ['predicates', 2_000, (n) => ({ query: 'text', predicates: many(n, (i) => `urn:p${i}`) })],
  ['types', 2_000, (n) => ({ query: 'text', types: many(n, (i) => `urn:t${i}`) })],
  ['a long subject', 50_000, (n) => ({ query: 'text', subjects: [`urn:${'x'.repeat(n)}`] })],
  ['sources', 4_000, (n) => ({ query: 'text', sources: many(n, () => 'w') })],
  ['a limit beyond all', 1, () => ({ query: 'text', limit: Number.MAX_SAFE_INTEGER })],
];

const TYPE = '<http://www.w3.org/1999/02/22-rdf-syntax-ns#type>';
const quads = (text: string) => [importOf(text, 'application/n-quads')];
/** Every hit has types of its own. */
const typed = (n: number, types: number) =>
  quads(
    list(
      n,
      (i) =>
        `<urn:d${i}> <urn:q${i}> "word${i % 7} text" .\n${list(types, (j) => `<urn:d${i}> ${TYPE} <urn:T${i}x${j}> .\n`, '')}`,
      '',
    ),
  );
/** Classes below one another, which searches for types follow. */
const classes = (n: number) =>
  quads(
    list(
      n,
      (i) =>
        `<urn:C${i + 1}> <http://www.w3.org/2000/01/rdf-schema#subClassOf> <urn:C${i}> .\n<urn:d${i}> ${TYPE} <urn:C${i}> .\n<urn:d${i}> <urn:p> "text ${i}" .\n`,
      '',
    ),
  );

/** Searches of worlds that are made for them. */
const FACETS: readonly Attack[] = (
  [
    ['facets of many values', { query: 'text', limit: 1000, facets: true }, (size) => typed(250 * size, 4)],
    ['facets of many types of each', { query: 'text', limit: 1000, facets: ['types'] }, (size) => typed(60, 60 * size)],
    ['facets of many types, to a guest', { query: 'text', facets: true }, (size) => typed(250 * size, 4), 'guest'],
    [
      'types of a deep hierarchy',
      { query: 'text', types: ['urn:C0'], sources: [{ slug: 'w', schema: true }, 'w'] },
      (size) => classes(500 * size),
    ],
    ['all hits, to a guest', { query: 'word1 word2', limit: 1000 }, (size) => texts(500 * size, 20)(), 'guest'],
    [
      'fields of many labels',
      { query: 'label', fields: true },
      (size) =>
        quads(
          list(1_000 * size, (i) => `<urn:d${i}> <http://www.w3.org/2000/01/rdf-schema#label> "label ${i}" .\n`, ''),
        ),
    ],
    [
      'settings of a fusion',
      {
        query: 'text',
        fusion: { method: 'rrf', k: 1 },
        limit: 1000,
        explain: true,
        feedback: true,
        canonicalOrder: true,
      },
      (size) => texts(500 * size, 20)(),
    ],
  ] as const satisfies readonly (readonly [string, unknown, NonNullable<Attack['before']>, HostileRequest['as']?])[]
).map(([name, body, before, as]: readonly [string, unknown, NonNullable<Attack['before']>, HostileRequest['as']?]) => ({
  name: `search: ${name}`,
  route: 'searchWorld',
  before,
  at: () => ({ ...ask(body), as }),
  statuses: [200, 400, 503],
}));

export const SEARCHES: readonly Attack[] = [
  ...ROWS.map(
    ([name, length, body, more], i): Attack => ({
      name: `search: ${name}`,
      route: i % 2 ? 'searchCollection' : 'searchWorld',
      at: (size) => ask(body(length * size), i % 2 ? '/worlds/search' : '/namespaces/mallet/worlds/w/search'),
      statuses: [200, 400, 413, 503],
      ...more,
    }),
  ),
  {
    name: 'search: the first of many documents',
    route: 'searchWorld',
    before: (size) => texts(2_000 * size, 20)(),
    at: () => ask({ query: 'word1 word2', limit: 1000 }),
    statuses: [200, 503],
  },
  {
    name: 'search: the first of long documents',
    route: 'searchWorld',
    before: (size) => texts(4, 20_000 * size)(),
    at: () => ask({ query: 'word1 word2', limit: 1000 }),
    statuses: [200, 503],
  },
  {
    name: 'search: the first of one document of one word',
    route: 'searchWorld',
    before: (size) => [importOf(`<urn:d> <urn:text> "${'x'.repeat(250_000 * size)}" .\n`, 'application/n-quads')],
    at: () => ask({ query: 'xxx', prefix: true }),
    statuses: [200, 503],
  },
  ...FACETS,
  {
    name: 'search: the first of documents without spaces',
    route: 'searchWorld',
    before: (size) => [
      importOf(`<urn:d> <urn:text> "${'\u6587\u5b57\u4e2d'.repeat(25_000 * size)}" .\n`, 'application/n-quads'),
    ],
    at: () => ask({ query: '\u6587\u5b57', prefix: true }),
    statuses: [200, 503],
  },
];
