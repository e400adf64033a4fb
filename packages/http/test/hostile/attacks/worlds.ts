import { type Attack, importOf, json, list } from '../attack.ts';

const triples = (n: number) => list(n, (i) => `<urn:e${i}> <urn:p${i % 5}> "text ${i}" .\n`, '');
const exported = (accept: string) => ({ method: 'POST', path: '/worlds/w/export', headers: { accept } });

/** Documents that writers find hard: one subject, nested blank nodes, lists, many prefixes. */
const WORLDS_TO_WRITE: Readonly<Record<string, (n: number) => string>> = {
  triples: (n) => triples(n * 10),
  'one subject': (n) => list(n * 10, (i) => `<urn:s> <urn:p> "${i}" .\n`, ''),
  'a chain of blank nodes': (n) => list(n * 4, (i) => `_:b${i} <urn:p> _:b${i + 1} .\n`, ''),
  'a list': (n) =>
    `<urn:s> <urn:p> _:l0 .\n${list(n * 4, (i) => `_:l${i} <http://www.w3.org/1999/02/22-rdf-syntax-ns#first> "${i}" .\n_:l${i} <http://www.w3.org/1999/02/22-rdf-syntax-ns#rest> _:l${i + 1} .\n`, '')}`,
  namespaces: (n) => list(n * 4, (i) => `<http://e/${i}/s> <http://e/${i}#p> <http://e/${i}/o> .\n`, ''),
  'long texts': (n) => list(4, (i) => `<urn:s${i}> <urn:p> "${'x'.repeat(n * 200)}" .\n`, ''),
};

const EXPORTS: readonly Attack[] = ['text/turtle', 'application/ld+json', 'application/n-quads', 'text/n3'].flatMap(
  (accept) =>
    Object.entries(WORLDS_TO_WRITE).map(
      ([name, document]): Attack => ({
        name: `export: ${name} as ${accept}`,
        route: 'exportWorld',
        before: (size) => [importOf(document(500 * size), 'application/n-quads')],
        at: () => exported(accept),
        statuses: [200],
      }),
    ),
);

const GRAPHS: readonly Attack[] = [
  {
    name: 'graph: a GET of many triples',
    route: 'getGraph',
    before: (size) => [importOf(triples(5_000 * size), 'application/n-quads')],
    at: () => ({ method: 'GET', path: '/worlds/w/graphs?default' }),
    statuses: [200, 503],
  },
  {
    name: 'graph: a GET as RDF/XML of many predicates',
    route: 'getGraph',
    before: (size) => [
      importOf(
        list(1_000 * size, (i) => `<urn:s${i}> <http://e/${i}#p> "a" .\n`, ''),
        'application/n-quads',
      ),
    ],
    at: () => ({ method: 'GET', path: '/worlds/w/graphs?default', headers: { accept: 'application/rdf+xml' } }),
    statuses: [200, 503],
  },
  {
    name: 'graph: a long name',
    route: 'getGraph',
    at: (size) => ({ method: 'GET', path: `/worlds/w/graphs?graph=urn:${'x'.repeat(900 * size)}` }),
    statuses: [404, 431],
  },
  {
    name: 'graph: many slashes',
    route: 'putGraph',
    at: (size) => ({
      method: 'PUT',
      path: `/worlds/w/graphs${'/a'.repeat(450 * size)}`,
      headers: { 'content-type': 'text/turtle' },
      body: '<> a <> .',
    }),
    statuses: [201, 204, 400, 431],
  },
  {
    name: 'graph: one of many is deleted',
    route: 'deleteGraph',
    before: (size) => [
      importOf(
        list(2_000 * size, (i) => `<urn:s> <urn:p> "a" <urn:g${i}> .\n`, ''),
        'application/n-quads',
      ),
    ],
    at: () => ({ method: 'DELETE', path: '/worlds/w/graphs?graph=urn:g1' }),
    statuses: [204],
  },
  {
    name: 'graph: a large one is deleted',
    route: 'deleteGraph',
    before: (size) => [importOf(triples(5_000 * size), 'application/n-quads')],
    at: () => ({ method: 'DELETE', path: '/worlds/w/graphs?default' }),
    statuses: [204],
  },
  {
    name: 'graph: a large one is replaced by little',
    route: 'putGraph',
    before: (size) => [importOf(triples(5_000 * size), 'application/n-quads')],
    at: () => ({
      method: 'PUT',
      path: '/worlds/w/graphs?default',
      headers: { 'content-type': 'text/turtle' },
      body: '<urn:a> <urn:b> 1 .',
    }),
    statuses: [204],
  },
];

const RECORDS: readonly Attack[] = [
  {
    name: 'backup: by somebody who is no admin',
    route: 'backup',
    at: (size) => ({ method: 'GET', path: `/backup?since=${'x'.repeat(500 * size)}` }),
    statuses: [403],
  },
  {
    name: 'namespaces: with a long query string',
    route: 'listNamespaces',
    at: (size) => ({ method: 'GET', path: `/namespaces?page=${'x'.repeat(500 * size)}` }),
    statuses: [200],
  },
  {
    name: 'world: a long label',
    route: 'createWorld',
    at: (size) => json('POST', '/worlds', { slug: `long-${size}`, label: 'x'.repeat(60_000 * size), description: 'y' }),
    statuses: [201, 400, 413],
  },
  {
    name: 'world: a long slug',
    route: 'createWorld',
    at: (size) => json('POST', '/worlds', { slug: 'x'.repeat(50_000 * size) }),
    statuses: [400],
  },
  {
    name: 'world: a long description',
    route: 'updateWorld',
    at: (size) => json('PUT', '/worlds/w', { description: '\u{1F600}'.repeat(12_000 * size) }),
    statuses: [204, 400, 413],
  },
  {
    name: 'world: a large one is deleted',
    route: 'deleteWorld',
    before: (size) => [importOf(triples(5_000 * size), 'application/n-quads')],
    at: () => ({ method: 'DELETE', path: '/worlds/w' }),
    statuses: [204],
  },
  {
    name: 'world: a list of many',
    route: 'listWorlds',
    before: (size) => Array.from({ length: 30 * size }, (_, i) => json('POST', '/worlds', { slug: `l${i}` })),
    at: () => ({ method: 'GET', path: '/worlds?pageSize=100&page=1' }),
    statuses: [200, 503],
  },
  {
    name: 'world: a page of long digits',
    route: 'listWorlds',
    at: (size) => ({ method: 'GET', path: `/worlds?page=${'9'.repeat(900 * size)}` }),
    statuses: [200, 400, 431],
  },
  {
    name: 'world: a query over many worlds',
    route: 'sparqlCollection',
    before: (size) => Array.from({ length: 30 * size }, (_, i) => json('POST', '/worlds', { slug: `q${i}` })),
    at: () => json('POST', '/worlds/sparql', { query: 'SELECT * { ?s ?p ?o . ?o ?q ?r }' }),
    statuses: [200, 503],
  },
  {
    name: 'world: a record is read',
    route: 'getWorld',
    at: (size) => ({ method: 'GET', path: `/worlds/w?${'a=b&'.repeat(200 * size)}` }),
    statuses: [200, 431],
  },
  {
    name: 'world: statistics of a large world',
    route: 'worldStats',
    before: (size) => [importOf(triples(5_000 * size), 'application/n-quads')],
    at: () => ({ method: 'GET', path: '/worlds/w/stats' }),
    statuses: [200],
  },
  {
    name: 'world: statistics of many',
    route: 'namespaceStats',
    before: (size) => Array.from({ length: 30 * size }, (_, i) => json('POST', '/worlds', { slug: `s${i}` })),
    at: () => ({ method: 'GET', path: '/stats' }),
    statuses: [200],
  },
  {
    name: 'world: a slug of percent signs',
    route: 'getWorld',
    at: (size) => ({ method: 'GET', path: `/worlds/${'%25'.repeat(300 * size)}` }),
    statuses: [404, 431],
  },
];

/** Documents that are hard to compare or to copy: blank nodes that only their places tell apart. */
const WORLDS_TO_COMPARE: Readonly<Record<string, (n: number) => string>> = {
  triples: (n) => triples(n * 20),
  'a chain of blank nodes': (n) => list(n * 8, (i) => `_:b${i} <urn:p> _:b${i + 1} .\n`, ''),
  'rings of blank nodes': (n) => list(n * 8, (i) => `_:b${i} <urn:p> _:b${i - (i % 8) + ((i + 1) % 8)} .\n`, ''),
  'blank nodes that all know each other': (n) =>
    list(n, (i) => list(8, (j) => `_:b${i} <urn:p> _:b${(i * 7 + j) % n} .\n`, ''), ''),
};

const other = (data: string) => [
  json('POST', '/worlds', { slug: 'other' }),
  json('POST', '/worlds/other/import', {
    data: Buffer.from(data).toString('base64'),
    contentType: 'application/n-quads',
  }),
];

const COPIES: readonly Attack[] = Object.entries(WORLDS_TO_COMPARE).flatMap(([name, document]): Attack[] => [
  {
    name: `fork: ${name}`,
    route: 'forkWorld',
    before: (size) => [importOf(document(250 * size), 'application/n-quads')],
    at: (size) => json('POST', '/worlds/w/fork', { slug: `fork-${size}` }),
    statuses: [201],
  },
  {
    name: `diff: ${name}`,
    route: 'diffWorlds',
    before: (size) => [importOf(document(250 * size), 'application/n-quads'), ...other(document(250 * size))],
    at: () => json('POST', '/worlds/w/diff', { to: { source: 'mallet/other' } }),
    // Blank nodes that nothing tells apart are not compared beyond a limit.
    statuses: [200, 400, 413, 503],
    cost: 'answer',
  },
]);

const schemaOf = (path: string, n: (size: number) => string): Pick<Attack, 'before' | 'at'> => ({
  before: (size) => [importOf(n(size), 'application/n-quads')],
  at: () => ({ method: 'GET', path }),
});
const TYPE = '<http://www.w3.org/1999/02/22-rdf-syntax-ns#type>';

const SCHEMAS: readonly Attack[] = [
  {
    name: 'schema: many predicates',
    route: 'worldSchema',
    ...schemaOf('/worlds/w/schema', (size) => list(1_000 * size, (i) => `<urn:e${i % 50}> <urn:q${i}> "x" .\n`, '')),
    statuses: [200],
  },
  {
    name: 'schema: many classes of each entity, all linked',
    route: 'worldSchema',
    ...schemaOf('/namespaces/mallet/worlds/w/schema?limit=10', (size) =>
      list(
        20 * size,
        (i) =>
          list(30, (j) => `<urn:e${i}> ${TYPE} <urn:C${j}> .\n`, '') +
          list(20, (j) => `<urn:e${i}> <urn:p${j}> <urn:e${j}> .\n`, ''),
        '',
      ),
    ),
    statuses: [200],
  },
  {
    name: 'schema: a limit that is none',
    route: 'worldSchema',
    at: (size) => ({ method: 'GET', path: `/worlds/w/schema?limit=${'9'.repeat(100 * size)}` }),
    statuses: [400],
  },
  {
    name: 'validate: quotes, and prefixes without end',
    route: 'sparqlWorld',
    at: (size) =>
      json('POST', '/worlds/w/sparql', { query: "PREFIX a:''' \"\" <".repeat(1_000 * size), validate: true }),
    statuses: [200],
  },
  {
    name: 'validate: many prefixes',
    route: 'sparqlCollection',
    at: (size) =>
      json('POST', '/worlds/sparql', {
        query: `${list(1_000 * size, (i) => `PREFIX p${i}: <urn:${i}>`)} ASK { ?s p:x }`,
        validate: true,
      }),
    statuses: [200],
  },
];

export const WORLDS: readonly Attack[] = [...SCHEMAS, ...EXPORTS, ...GRAPHS, ...RECORDS, ...COPIES];
