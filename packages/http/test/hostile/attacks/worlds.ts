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
  ...(['GET', 'POST', 'DELETE'] as const).map(
    (method): Attack => ({
      name: `graph: dots in a path, ${method}`,
      route: method === 'GET' ? 'getGraph' : method === 'POST' ? 'postGraph' : 'deleteGraph',
      at: (size) => ({
        method,
        path: `/namespaces/mallet/worlds/w/graphs/a${'/%2e%2e'.repeat(100 * size)}`,
        ...(method === 'POST' && { headers: { 'content-type': 'text/turtle' }, body: '<> a <> .' }),
      }),
      statuses: [201, 204, 400, 404, 431],
    }),
  ),
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

const NOW = { query: 'DELETE { ?s ?p ?o } INSERT { ?s ?p "new" } WHERE { ?s ?p ?o }' };

/**
 * Copies and comparisons of large worlds, of the past, and by callers of whom an answer hides
 * something.
 */
const MORE_COPIES: readonly Attack[] = [
  {
    name: 'fork: of the past',
    route: 'forkWorld',
    before: (size) => [importOf(triples(5_000 * size), 'application/n-quads'), json('POST', '/worlds/w/sparql', NOW)],
    at: (size) => json('POST', '/worlds/w/fork', { slug: `past-${size}`, at: 2 }),
    statuses: [201, 400, 410],
  },
  {
    name: 'fork: of many graphs',
    route: 'forkWorld',
    before: (size) => [
      importOf(
        list(2_000 * size, (i) => `<urn:s> <urn:p> "a" <urn:g${i}> .\n`, ''),
        'application/n-quads',
      ),
    ],
    at: () => json('POST', '/worlds/w/fork', { slug: 'graphs', label: 'x', description: 'y' }),
    statuses: [201],
  },
  {
    name: 'fork: of a long name',
    route: 'forkWorld',
    at: (size) => json('POST', '/worlds/w/fork', { slug: 'x'.repeat(50_000 * size) }),
    statuses: [400],
  },
  {
    name: 'fork: of a moment of digits',
    route: 'forkWorld',
    at: (size) => json('POST', '/worlds/w/fork', { slug: 'x', at: '9'.repeat(50_000 * size) }),
    statuses: [400],
  },
  {
    name: 'fork: by a guest',
    route: 'forkWorld',
    before: (size) => [importOf(triples(5_000 * size), 'application/n-quads')],
    at: () => ({ ...json('POST', '/worlds/w/fork', { slug: 'stolen' }), as: 'guest' }),
    statuses: [403],
  },
  {
    name: 'diff: with the past',
    route: 'diffWorlds',
    before: (size) => [importOf(triples(5_000 * size), 'application/n-quads'), json('POST', '/worlds/w/sparql', NOW)],
    at: () => json('POST', '/worlds/w/diff', { from: 2 }),
    // Without a storage, the past is known only from when somebody followed the namespace.
    statuses: [200, 400, 410],
  },
  {
    name: 'diff: by a guest',
    route: 'diffWorlds',
    before: (size) => [importOf(triples(5_000 * size), 'application/n-quads'), ...other('<urn:s> <urn:p> "x" .')],
    at: () => ({ ...json('POST', '/worlds/w/diff', { to: { source: 'other' } }), as: 'guest' }),
    statuses: [200],
  },
  {
    name: 'diff: long texts, by a guest',
    route: 'diffWorlds',
    before: (size) => [
      ...other('<urn:s> <urn:p> "x" .'),
      importOf(
        list(40, (i) => `<urn:s> <urn:p> "${'x'.repeat(20_000 * size)}${i}" .\n`, ''),
        'application/n-quads',
      ),
    ],
    at: () => ({ ...json('POST', '/worlds/w/diff', { to: { source: 'other' } }), as: 'guest' }),
    statuses: [200],
  },
  {
    name: 'diff: with little memory',
    route: 'diffWorlds',
    before: (size) => [
      importOf(triples(5_000 * size), 'application/n-quads'),
      ...other('<urn:s> <urn:p> 1 .\n'.replace('1', '"1"')),
    ],
    at: () => json('POST', '/worlds/w/diff', { to: { source: 'other' }, maxMemoryBytes: 1_000 }),
    statuses: [400],
  },
  ...[1, 2].map(
    (kind): Attack => ({
      name: `diff: ${kind === 1 ? 'regular graphs that only a search tells apart' : 'cliques of blank nodes'}`,
      route: 'diffWorlds',
      before: (size) => {
        const n = kind === 1 ? 50 * size : 8 + size;
        const text = (shift: number) =>
          kind === 1
            ? list(n, (i) => list(3, (j) => `_:b${i} <urn:p> _:b${(i * (j + 2) + shift) % n} .\n`, ''), '')
            : list(n, (i) => list(n, (j) => `_:b${i} <urn:p> _:b${j} .\n`, ''), '');
        return [importOf(text(1), 'application/n-quads'), ...other(text(2))];
      },
      at: () => json('POST', '/worlds/w/diff', { to: { source: 'other' } }),
      statuses: [200, 400, 413, 503],
      cost: 'answer',
    }),
  ),
  {
    name: 'backup: by an admin',
    route: 'backup',
    before: (size) => [importOf(triples(5_000 * size), 'application/n-quads')],
    at: () => ({ method: 'GET', path: '/backup', as: 'admin' }),
    statuses: [200],
  },
  {
    name: 'backup: since something long',
    route: 'backup',
    at: (size) => ({ method: 'GET', path: `/backup?since=${'x'.repeat(500 * size)}`, as: 'admin' }),
    statuses: [0, 200, 400, 404],
  },
];

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
    name: 'schema: 10,000 predicates, to a guest',
    route: 'worldSchema',
    ...schemaOf('/worlds/w/schema?limit=1000000', (size) =>
      list(625 * size, (i) => list(16, (j) => `<urn:e${i}> <urn:q${i * 16 + j}> <urn:e${j}> .\n`, ''), ''),
    ),
    statuses: [200],
  },
  {
    name: 'schema: one subject of many classes',
    route: 'worldSchema',
    ...schemaOf('/worlds/w/schema?limit=100', (size) =>
      list(1_000 * size, (i) => `<urn:s> ${TYPE} <urn:C${i}> .\n<urn:s> <urn:p> <urn:s> .\n`, ''),
    ),
    statuses: [200, 400, 503],
  },
  {
    name: 'schema: predicates of long names',
    route: 'worldSchema',
    ...schemaOf('/worlds/w/schema', (size) =>
      list(200 * size, (i) => `<urn:s> <urn:${'q'.repeat(2_000)}${i}> "x" .\n`, ''),
    ),
    statuses: [200],
  },
  {
    name: 'explain: many patterns',
    route: 'sparqlWorld',
    at: (size) =>
      json('POST', '/worlds/w/sparql', {
        query: `SELECT * { ${list(60 * size, (i) => `?v${i} ?p${i} ?v${i + 1} .`)} }`,
        explain: 'plan',
      }),
    statuses: [200, 400, 503],
  },
  {
    name: 'explain: with measurements, without end',
    route: 'sparqlWorld',
    at: () =>
      json('POST', '/worlds/w/sparql', {
        query: 'SELECT (COUNT(*) AS ?n) { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i FILTER(STR(?c) < STR(?f)) }',
        explain: 'analyze',
      }),
    statuses: [200, 503],
    cost: 'answer',
  },
  {
    name: 'explain: to a guest',
    route: 'sparqlWorld',
    at: (size) => ({
      ...json('POST', '/worlds/w/sparql', { query: 'ASK {} '.repeat(5_000 * size), explain: 'plan' }),
      as: 'guest',
    }),
    statuses: [403],
  },
  {
    name: 'bindings: many',
    route: 'sparqlWorld',
    at: (size) =>
      json('POST', '/worlds/w/sparql', {
        query: 'SELECT * { ?s ?p ?o }',
        form: 'select',
        bindings: Object.fromEntries(
          Array.from({ length: 1_000 * size }, (_, i) => [`v${i}`, { type: 'uri', value: `urn:${i}` }]),
        ),
      }),
    statuses: [200, 400, 413],
  },
  {
    name: 'bindings: nested triple terms',
    route: 'sparqlWorld',
    at: (size) => ({
      ...json('POST', '/worlds/w/sparql', {}),
      body: `{"query":"SELECT * { ?s ?p ?o }","bindings":{"o":${'{"type":"triple","value":{"subject":{"type":"uri","value":"urn:s"},"predicate":{"type":"uri","value":"urn:p"},"object":'.repeat(300 * size)}{"type":"uri","value":"urn:o"}${'}}'.repeat(300 * size)}}}`,
    }),
    statuses: [200, 400, 413],
  },
  {
    name: 'canonical order: of many rows',
    route: 'sparqlWorld',
    before: (size) => [importOf(triples(2_500 * size), 'application/n-quads')],
    at: () => json('POST', '/worlds/w/sparql', { query: 'SELECT * { ?s ?p ?o }', canonicalOrder: true }),
    statuses: [200, 400, 503],
  },
  {
    name: 'canonical order: of a graph, to a guest',
    route: 'sparqlWorld',
    before: (size) => [importOf(triples(2_500 * size), 'application/n-quads')],
    at: () => ({
      ...json('POST', '/worlds/w/sparql', { query: 'CONSTRUCT { ?s ?p ?o } WHERE { ?s ?p ?o }' }),
      as: 'guest',
    }),
    statuses: [200, 400, 503],
  },
  {
    name: 'canonical order: of groups, to a guest',
    route: 'sparqlCollection',
    before: (size) => [importOf(triples(2_500 * size), 'application/n-quads')],
    at: () => ({
      ...json('POST', '/worlds/sparql', {
        query: 'SELECT ?s (GROUP_CONCAT(?o) AS ?all) { ?s ?p ?o } GROUP BY ?s LIMIT 10',
      }),
      as: 'guest',
    }),
    statuses: [200, 400, 503],
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

export const WORLDS: readonly Attack[] = [...SCHEMAS, ...EXPORTS, ...GRAPHS, ...RECORDS, ...COPIES, ...MORE_COPIES];
