/** Kind of an operation, which determines how it treats unknown worlds. */
export type Kind = 'list' | 'create' | 'get' | 'update' | 'delete' | 'export' | 'import' | 'sparql' | 'search';

export interface Family {
  readonly name: 'namespaced' | 'default namespace';
  worlds(namespace: string): string;
}

/** The two families of routes. */
export const FAMILIES: readonly Family[] = [
  { name: 'namespaced', worlds: (namespace) => `/namespaces/${namespace}/worlds` },
  { name: 'default namespace', worlds: () => '/worlds' },
];

export interface OperationKind {
  readonly name: string;
  readonly kind: Kind;
  readonly method: string;
  /** Behind `/worlds`; `{slug}` stands for the world. */
  readonly suffix: string;
  /** Statuses in both families, and those that only the namespaced family adds. */
  readonly statuses: readonly number[];
  readonly namespacedStatuses: readonly number[];
  readonly success: number;
  readonly body: 'none' | 'optional' | 'required';
  /** A body that does what the operation is for; `slug` is free for create. */
  readonly good?: (slug: string) => unknown;
  /**
   * Well-formed JSON bodies that violate the schema of the operation, with the field that
   * the message must name.
   */
  readonly bad?: readonly (readonly [body: unknown, field: string])[];
}

const RDF = Buffer.from('<urn:s> <urn:imported> "yes" .\n').toString('base64');

const SOURCE = (field: string): readonly (readonly [unknown, string])[] => [
  [{ source: 7 }, field],
  [{ source: {} }, field],
  [{ source: { slug: 7 } }, field],
  [{ source: { name: 'x/y', write: 'yes' } }, field],
];

const SCOPE = (base: object): readonly (readonly [unknown, string])[] => [
  [{ ...base, sources: 'ada' }, 'sources'],
  [{ ...base, sources: [7] }, 'sources'],
  [{ ...base, sources: [{ namespace: 'alpha' }] }, 'sources'],
  [{ ...base, sources: [{ slug: 'ada', schema: 1 }] }, 'sources'],
  [{ ...base, namespace: 7 }, 'namespace'],
];

const SPARQL_BAD = [
  [{ query: 7 }, 'query'],
  [{ query: ['ASK {}'] }, 'query'],
  [{ query: 'ASK {}', defaultGraphUris: 'urn:g' }, 'defaultGraphUris'],
  [{ query: 'ASK {}', defaultGraphUris: [7] }, 'defaultGraphUris'],
  [{ query: 'ASK {}', namedGraphUris: {} }, 'namedGraphUris'],
  ...SCOPE({ query: 'ASK {}' }),
] as const;

const SEARCH_BAD = [
  [{}, 'query'],
  [{ query: 7 }, 'query'],
  [{ query: 'x', limit: 0 }, 'limit'],
  [{ query: 'x', limit: 1.5 }, 'limit'],
  [{ query: 'x', limit: '5' }, 'limit'],
  [{ query: 'x', subjects: 'urn:s' }, 'subjects'],
  [{ query: 'x', predicates: [1] }, 'predicates'],
  [{ query: 'x', types: [null] }, 'types'],
  ...SCOPE({ query: 'x' }),
] as const;

/** 11 operations, each in both families. */
export const OPERATION_KINDS: readonly OperationKind[] = [
  {
    name: 'List worlds',
    kind: 'list',
    method: 'GET',
    suffix: '',
    statuses: [200, 401],
    namespacedStatuses: [403],
    success: 200,
    body: 'none',
  },
  {
    name: 'Create',
    kind: 'create',
    method: 'POST',
    suffix: '',
    statuses: [201, 400, 403, 409],
    namespacedStatuses: [],
    success: 201,
    body: 'required',
    good: (slug) => ({ slug: `${slug}-new`, label: 'New' }),
    bad: [
      [{}, 'slug'],
      [{ slug: 7 }, 'slug'],
      [{ slug: '' }, 'slug'],
      [{ slug: 'ok', label: 7 }, 'label'],
      [{ slug: 'ok', description: 7 }, 'description'],
      [{ slug: 'ok', namespace: 7 }, 'namespace'],
      [{ slug: 'ok', namespace: '_' }, 'namespace'],
    ],
  },
  {
    name: 'Get',
    kind: 'get',
    method: 'GET',
    suffix: '/{slug}',
    statuses: [200, 401, 404],
    namespacedStatuses: [403],
    success: 200,
    body: 'none',
  },
  {
    name: 'Update',
    kind: 'update',
    method: 'PUT',
    suffix: '/{slug}',
    statuses: [204, 400, 401, 404],
    namespacedStatuses: [403],
    success: 204,
    body: 'required',
    good: () => ({ label: 'Changed' }),
    bad: [
      [{ label: 7 }, 'label'],
      [{ label: null }, 'label'],
      [{ description: 7 }, 'description'],
      ...SOURCE('source'),
    ],
  },
  {
    name: 'Delete',
    kind: 'delete',
    method: 'DELETE',
    suffix: '/{slug}',
    statuses: [204, 401, 404],
    namespacedStatuses: [403],
    success: 204,
    body: 'optional',
    good: () => ({}),
    bad: SOURCE('source'),
  },
  {
    name: 'Export',
    kind: 'export',
    method: 'POST',
    suffix: '/{slug}/export',
    statuses: [200, 400, 401],
    namespacedStatuses: [403],
    success: 200,
    body: 'optional',
    good: () => ({ contentType: 'application/n-quads' }),
    bad: [[{ contentType: 7 }, 'contentType'], ...SOURCE('source')],
  },
  {
    name: 'Import',
    kind: 'import',
    method: 'POST',
    suffix: '/{slug}/import',
    statuses: [204, 400, 401],
    namespacedStatuses: [403],
    success: 204,
    body: 'required',
    good: () => ({ data: RDF }),
    bad: [
      [{}, 'data'],
      [{ data: 7 }, 'data'],
      [{ data: 'no base64!' }, 'data'],
      [{ data: RDF, contentType: 7 }, 'contentType'],
      ...SOURCE('source').map(([body, field]) => [{ data: RDF, ...(body as object) }, field] as const),
    ],
  },
  ...(['/{slug}', ''] as const).flatMap((suffix): OperationKind[] => [
    {
      name: suffix ? 'SPARQL, one world' : 'SPARQL, collection',
      kind: 'sparql',
      method: 'POST',
      suffix: `${suffix}/sparql`,
      statuses: [200, 204, 400, 401],
      namespacedStatuses: [403],
      success: 200,
      body: 'required',
      good: () => ({ query: 'SELECT * { ?s ?p ?o }' }),
      bad: SPARQL_BAD,
    },
    {
      name: suffix ? 'Search, one world' : 'Search, collection',
      kind: 'search',
      method: 'POST',
      suffix: `${suffix}/search`,
      statuses: [200, 400, 401],
      namespacedStatuses: [403],
      success: 200,
      body: 'required',
      good: () => ({ query: 'engine' }),
      bad: SEARCH_BAD,
    },
  ]),
];

/** One of the 22 operations. */
export interface Operation extends OperationKind {
  readonly title: string;
  readonly family: Family;
  readonly isCollection: boolean;
  path(namespace: string, slug: string): string;
}

export const OPERATIONS: readonly Operation[] = FAMILIES.flatMap((family) =>
  OPERATION_KINDS.map((kind) => ({
    ...kind,
    title: `${kind.name}, ${family.name}`,
    family,
    isCollection: !kind.suffix.includes('{slug}'),
    path: (namespace: string, slug: string) => family.worlds(namespace) + kind.suffix.replace('{slug}', slug),
  })),
);

export const IMPORTED_RDF = RDF;
