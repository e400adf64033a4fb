import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { openapiDocument } from '../src/openapi-document.ts';
import { ROUTES } from '../src/routes.ts';

// biome-ignore lint/suspicious/noExplicitAny: a document of JSON, looked at from outside
type Json = any;

/**
 * The operations of this API, written by hand. The document must agree, and every other operation
 * in it must be listed as an addition.
 */

interface Operation {
  readonly method: string;
  readonly path: string;
  /** Of the shorthand family; the namespaced one has 403 besides. */
  readonly statuses: readonly number[];
  readonly body?: string;
  readonly bodyIsOptional?: true;
  readonly query?: readonly string[];
  /** The media types and, where it is JSON, the schema of the answer 200 or 201. */
  readonly answer?: Readonly<Record<string, unknown>>;
}

const RDF = [
  'text/turtle',
  'application/n-quads',
  'application/n-triples',
  'text/n3',
  'application/trig',
  'application/ld+json',
];
const DESCRIPTION = ['text/turtle', 'application/rdf+xml', 'application/trig', 'application/ld+json'];
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const json = (schema: unknown) => ({ 'application/json': schema });
const text = (types: readonly string[]) => Object.fromEntries(types.map((type) => [type, { type: 'string' }]));
const sparql = { ...text(DESCRIPTION), 'application/sparql-results+json': ref('SparqlResults') };

const SPECIFIED: readonly Operation[] = [
  {
    method: 'get',
    path: '/worlds',
    statuses: [200, 401],
    query: ['page', 'pageSize', 'consistency'],
    answer: json({ type: 'array', items: ref('World') }),
  },
  {
    method: 'post',
    path: '/worlds',
    statuses: [201, 400, 403, 409],
    body: 'CreateWorldParams',
    answer: json(ref('World')),
  },
  {
    method: 'get',
    path: '/worlds/{slug}',
    statuses: [200, 400, 401, 404, 410],
    query: ['at', 'consistency'],
    answer: json(ref('World')),
  },
  { method: 'put', path: '/worlds/{slug}', statuses: [204, 400, 401, 404], body: 'UpdateWorldParams' },
  {
    method: 'delete',
    path: '/worlds/{slug}',
    statuses: [204, 401, 404],
    body: 'DeleteWorldBody',
    bodyIsOptional: true,
  },
  {
    method: 'post',
    path: '/worlds/{slug}/export',
    statuses: [200, 400, 401, 410],
    body: 'ExportPostBody',
    bodyIsOptional: true,
    answer: text(RDF),
  },
  {
    method: 'post',
    path: '/worlds/{slug}/import',
    statuses: [204, 400, 401],
    body: 'ImportPostBody',
    query: ['rdfDirection', 'graph', 'mode', 'baseIri'],
  },
  {
    method: 'post',
    path: '/worlds/{slug}/sparql',
    statuses: [200, 204, 400, 401, 410],
    body: 'SparqlPostBody',
    answer: sparql,
  },
  {
    method: 'post',
    path: '/worlds/sparql',
    statuses: [200, 204, 400, 401, 410],
    body: 'SparqlPostBody',
    answer: sparql,
  },
  {
    method: 'post',
    path: '/worlds/{slug}/search',
    statuses: [200, 400, 401],
    body: 'SearchPostBody',
    answer: json({ anyOf: [{ type: 'array', items: ref('TripleSearchResult') }, ref('FacetedHits')] }),
  },
  {
    method: 'post',
    path: '/worlds/search',
    statuses: [200, 400, 401],
    body: 'SearchPostBody',
    answer: json({ anyOf: [{ type: 'array', items: ref('TripleSearchResult') }, ref('FacetedHits')] }),
  },
];

const GRAPH_TYPES = [...RDF, 'application/rdf+xml'];
const GRAPH_ADDRESSES = [
  { path: '/worlds/{slug}/graphs', query: ['graph', 'default'] },
  { path: '/worlds/{slug}/graphs/{graph}', query: [] },
];

/** What the standard protocols add. */
const ADDITIONS: readonly (Operation & { readonly bodyTypes?: readonly string[] })[] = [
  ...['/worlds/{slug}/sparql', '/worlds/sparql'].map((path) => ({
    method: 'get',
    path,
    statuses: [200, 400, 401, 410],
    query: ['query', 'default-graph-uri', 'named-graph-uri', 'at', 'consistency'],
    answer: sparql,
  })),
  {
    method: 'post',
    path: '/worlds/{slug}/fork',
    statuses: [201, 400, 401, 403, 409, 410],
    body: 'ForkPostBody',
    answer: json(ref('World')),
  },
  {
    method: 'post',
    path: '/worlds/{slug}/diff',
    statuses: [200, 400, 401, 410],
    body: 'DiffPostBody',
    bodyIsOptional: true,
    answer: text(['application/rdf-patch']),
  },
  ...['/changes', '/worlds/{slug}/changes'].map((path) => ({
    method: 'get',
    path,
    statuses: [200, 400, 401, 403, 404],
    query: ['after', 'quads', 'follow', 'consistency'],
    answer: text(['text/event-stream']),
  })),
  {
    method: 'get',
    path: '/worlds/{slug}/schema',
    statuses: [200, 400, 401, 404],
    query: ['limit', 'consistency'],
    answer: json(ref('WorldSchema')),
  },
  { method: 'get', path: '/stats', statuses: [200, 401, 403], answer: json(ref('NamespaceStats')) },
  { method: 'get', path: '/worlds/{slug}/stats', statuses: [200, 401, 404], answer: json(ref('WorldStats')) },
  ...GRAPH_ADDRESSES.flatMap((address) => [
    {
      ...address,
      method: 'get',
      statuses: [200, 400, 401, 404, 410],
      query: [...address.query, 'at', 'consistency'],
      answer: text(GRAPH_TYPES),
    },
    { ...address, method: 'put', statuses: [201, 204, 400, 401, 404], bodyTypes: GRAPH_TYPES },
    { ...address, method: 'post', statuses: [201, 204, 400, 401, 404], bodyTypes: GRAPH_TYPES },
    { ...address, method: 'delete', statuses: [204, 400, 401, 404] },
  ]),
];

/** Fields by schema; those that are required are marked. */
const FIELDS: Readonly<Record<string, readonly string[]>> = {
  World: ['slug!', 'namespace', 'label', 'description', 'createdAt!', 'updatedAt!', 'deletedAt'],
  CreateWorldParams: ['slug!', 'namespace', 'label', 'description'],
  UpdateWorldParams: ['source', 'label', 'description'],
  DeleteWorldBody: ['source'],
  ForkPostBody: ['slug!', 'source', 'at', 'label', 'description'],
  DiffPostBody: ['source', 'from', 'to', 'maxMemoryBytes'],
  ExportPostBody: [
    'contentType',
    'source',
    'at',
    'consistency',
    'context',
    'frame',
    'framing',
    'rdfDirection',
    'graph',
    'prefixes',
    'canonicalOrder',
  ],
  ImportPostBody: ['data!', 'contentType', 'source', 'context', 'rdfDirection', 'graph', 'mode', 'baseIri'],
  SparqlPostBody: [
    'query',
    'sources',
    'namespace',
    'defaultGraphUris',
    'namedGraphUris',
    'at',
    'consistency',
    'form',
    'bindings',
    'baseIri',
    'timeoutMs',
    'maxRows',
    'maxMemoryBytes',
    'canonicalOrder',
    'blind',
    'validate',
    'explain',
  ],
  SearchPostBody: [
    'query!',
    'sources',
    'namespace',
    'consistency',
    'limit',
    'subjects',
    'predicates',
    'types',
    'fusion',
    'fields',
    'feedback',
    'prefix',
    'explain',
    'facets',
    'canonicalOrder',
  ],
  HitExplanation: ['terms!', 'textScore!', 'similarity!', 'snippet!'],
  TripleSearchResult: ['subject!', 'predicate!', 'object!', 'vecRank!', 'ftsRank!', 'score!', 'world!', 'explanation'],
  SparqlHead: ['vars', 'link'],
  SparqlSelectResults: ['head!', 'results!'],
  SparqlAskResults: ['head!', 'boolean!'],
  SparqlQuadsResults: ['head!', 'results!'],
  SparqlQuad: ['subject!', 'predicate!', 'object!', 'graph!'],
  QuotaUse: ['used!', 'limit!'],
  NamespaceStats: ['namespace!', 'worlds!', 'quads!', 'quotas'],
  CallerDescription: ['id!', 'namespace!', 'admin!', 'namespaces!'],
  WorldStats: ['namespace!', 'slug!', 'quotas'],
  ServerActivity: [
    ...['time!', 'health!', 'memory!', 'counters!', 'feeds!', 'waiting!'],
    ...['namespaces!', 'namespacesInMemory!', 'running!', 'slowest!'],
  ],
  WorldSchema: ['namespace!', 'slug!', 'quads!', 'classes!', 'predicates!', 'links!', 'totals!'],
  SparqlValidation: ['form', 'prefixes!', 'error'],
  FacetedHits: ['hits!', 'facets'],
  Error: ['error!'],
};

const document = openapiDocument('https://worlds.example') as Json;
const schemas = document.components.schemas;
const NULLABLE_STRING = { type: ['string', 'null'] };
const STRINGS = { type: 'array', items: { type: 'string' } };

describe('the document', () => {
  it('has the specified operations, in both families, and the listed additions', () => {
    const expected = [...SPECIFIED, ...ADDITIONS].map(({ method, path }) => `${method} ${path}`);
    const both = [
      ...expected.flatMap((one) => [one, one.replace(' ', ' /namespaces/{namespace}')]),
      'get /activity',
      'get /backup',
      'get /namespaces',
    ];
    const actual = Object.entries<object>(document.paths).flatMap(([path, item]) =>
      Object.keys(item).map((method) => `${method} ${path}`),
    );
    expect(actual.sort()).toEqual(both.sort());
    const ids = Object.values<Json>(document.paths).flatMap((item) =>
      Object.values<Json>(item).map(({ operationId }) => operationId),
    );
    expect(new Set(ids).size).toBe(both.length);
  });

  it('has a path for every route that there is, and none besides', () => {
    const routes = ['', '/namespaces/{namespace}'].flatMap((prefix) =>
      ROUTES.filter(({ isGlobal }) => prefix === '' || !isGlobal).map(
        ({ method, path }) => `${method.toLowerCase()} ${prefix}${path.replace('*', '')}`,
      ),
    );
    const paths = Object.entries<object>(document.paths).flatMap(([path, item]) =>
      Object.keys(item).map((method) => `${method} ${path}`),
    );
    expect(paths.sort()).toEqual(routes.sort());
  });

  describe.each(['', '/namespaces/{namespace}'])('below %j', (prefix) => {
    it.each<(typeof ADDITIONS)[number]>([...SPECIFIED, ...ADDITIONS])('$method $path', (expected) => {
      const { method, path, statuses, body, bodyTypes, bodyIsOptional, query = [], answer } = expected;
      const operation = document.paths[prefix + path][method];
      const all = prefix === '' || statuses.includes(403) ? statuses : [...statuses, 403];
      expect(Object.keys(operation.responses).sort()).toEqual([...all.map(String), 'default'].sort());
      for (const [status, response] of Object.entries<Json>(operation.responses)) {
        if (Number(status) >= 300 || status === 'default')
          expect(response.content['application/json'].schema).toEqual(ref('Error'));
        if (status === '204') expect(response.content).toBeUndefined();
      }
      const content = operation.responses[statuses[0]].content;
      const found = Object.fromEntries(Object.entries<Json>(content ?? {}).map(([type, { schema }]) => [type, schema]));
      expect(found).toMatchObject(answer ?? {});
      expect(operation.requestBody?.content['application/json']?.schema).toEqual(body && ref(body));
      if (body || bodyTypes) expect(operation.requestBody.required ?? false).toBe(!bodyIsOptional);
      if (bodyTypes) expect(Object.keys(operation.requestBody.content).sort()).toEqual([...bodyTypes].sort());
      const parameters = (operation.parameters ?? []) as { in: string; name: string; required: boolean }[];
      const names = (place: string) => parameters.filter((one) => one.in === place).map(({ name }) => name);
      expect(names('query')).toEqual(query);
      expect(names('path')).toEqual([...(prefix + path).matchAll(/\{(\w+)\}/g)].map(([, name]) => name));
      expect(operation.operationId).toMatch(/^\w+$/);
    });
  });

  it.each(Object.entries(FIELDS))('%s has its fields', (name, fields) => {
    const { properties, required = [] } = schemas[name];
    expect(Object.keys(properties).map((field) => (required.includes(field) ? `${field}!` : field))).toEqual(fields);
  });

  it('has their types', () => {
    expect(schemas.World.properties).toMatchObject({
      slug: { type: 'string' },
      namespace: { type: 'string' },
      label: { type: 'string' },
      description: NULLABLE_STRING,
      createdAt: { type: 'number' },
      updatedAt: { type: 'number' },
      deletedAt: { type: ['number', 'null'] },
    });
    expect(schemas.CreateWorldParams.properties).toMatchObject({
      slug: { type: 'string' },
      description: NULLABLE_STRING,
    });
    expect(schemas.UpdateWorldParams.properties).toMatchObject({
      source: ref('WorldSource'),
      description: NULLABLE_STRING,
    });
    expect(schemas.ImportPostBody.properties).toMatchObject({ data: { type: 'string' }, source: ref('WorldSource') });
    expect(schemas.SparqlPostBody.properties).toMatchObject({
      sources: { type: 'array', items: ref('WorldSource') },
      defaultGraphUris: STRINGS,
      namedGraphUris: STRINGS,
    });
    expect(schemas.SearchPostBody.properties).toMatchObject({
      query: { type: 'string' },
      limit: { type: 'integer', minimum: 1 },
      subjects: STRINGS,
      predicates: STRINGS,
      types: STRINGS,
      fusion: {
        anyOf: [
          { enum: ['adaptive', 'rrf', 'convex'] },
          { properties: { k: { type: 'number', exclusiveMinimum: 0, default: 60 }, textWeight: { minimum: 0 } } },
        ],
      },
      fields: { anyOf: [{ type: 'boolean' }, { properties: { label: { type: 'number', minimum: 0 } } }] },
      feedback: {
        anyOf: [{ type: 'boolean' }, { properties: { documents: { type: 'integer', minimum: 1, maximum: 100 } } }],
      },
      explain: { type: 'boolean' },
    });
    expect(schemas.TripleSearchResult.properties).toMatchObject({
      vecRank: { type: ['number', 'null'] },
      ftsRank: { type: ['number', 'null'] },
      score: { type: 'number' },
      world: ref('World'),
    });
    expect(schemas.SparqlHead.properties.link.type).toEqual(['array', 'null']);
    expect(schemas.Error.properties.error).toMatchObject({
      properties: { message: { type: 'string' } },
      required: ['message'],
    });
  });

  it('has the three forms of a WorldSource', () => {
    const flags = { write: { type: 'boolean' }, schema: { type: 'boolean' } };
    expect(schemas.WorldSource.anyOf).toMatchObject([
      { type: 'string' },
      { properties: { name: { type: 'string' }, ...flags }, required: ['name'] },
      { properties: { slug: { type: 'string' }, namespace: { type: 'string' }, ...flags }, required: ['slug'] },
    ]);
  });

  it('has the four kinds of SparqlValue', () => {
    const [uri, bnode, literal, triple] = schemas.SparqlValue.anyOf;
    expect([uri, bnode, literal, triple].map(({ properties }) => properties.type.enum)).toEqual([
      ['uri'],
      ['bnode'],
      ['literal'],
      ['triple'],
    ]);
    expect(Object.keys(literal.properties)).toEqual(['type', 'value', 'xml:lang', 'datatype']);
    expect(literal.required).toEqual(['type', 'value']);
    expect(triple.properties.value).toMatchObject({
      properties: { subject: ref('SparqlValue'), predicate: ref('SparqlValue'), object: ref('SparqlValue') },
      required: ['subject', 'predicate', 'object'],
    });
  });

  it('has the limits and defaults of lists', () => {
    const { parameters } = document.paths['/worlds'].get;
    expect(parameters.map((one: Json) => one.schema)).toEqual([
      { type: 'integer', default: 1, description: expect.any(String) },
      { type: 'integer', maximum: 100, default: 20, description: expect.any(String) },
      { type: 'string', enum: ['bounded', 'latest'], description: expect.any(String) },
    ]);
  });

  it('describes every parameter, body, response, schema and tag', () => {
    const missing: string[] = [];
    const require = (name: string, described: { description?: string }) => {
      if (!described.description) missing.push(name);
    };
    const tags = new Map<string, Json>(document.tags.map((tag: Json) => [tag.name, tag]));
    for (const [path, item] of Object.entries<object>(document.paths)) {
      for (const [method, operation] of Object.entries<Json>(item)) {
        const name = `${method} ${path}`;
        for (const parameter of operation.parameters ?? []) require(`${name} ${parameter.name}`, parameter);
        if (operation.requestBody) require(`${name} body`, operation.requestBody);
        for (const [status, response] of Object.entries<Json>(operation.responses))
          require(`${name} ${status}`, response);
        for (const tag of operation.tags) require(`tag ${tag}`, tags.get(tag) ?? {});
      }
    }
    for (const [name, schema] of Object.entries<Json>(schemas)) require(name, schema);
    expect(missing).toEqual([]);
  });

  it('asks for a bearer token everywhere, and says which version it is', () => {
    expect(document).toMatchObject({
      openapi: '3.1.0',
      info: { version: '1.0.0' },
      security: [{ bearer: [] }],
      servers: [{ url: 'https://worlds.example' }],
      components: { securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } } },
    });
  });

  it('is shipped as it is generated', () => {
    const shipped = JSON.parse(readFileSync(new URL('../openapi.json', import.meta.url), 'utf8'));
    expect(shipped, 'run: npx tsx packages/http/scripts/write-openapi.ts').toEqual(
      JSON.parse(JSON.stringify(openapiDocument('http://localhost'))),
    );
  });
});
