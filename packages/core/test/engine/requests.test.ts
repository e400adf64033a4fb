import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { getWorldRequest, prepareRequest, searchRequest, sparqlRequest, validate } from '../../src/engine/requests.ts';
import {
  SIMPLE_GET_WORLD,
  SIMPLE_PREPARE,
  SIMPLE_RUN,
  SIMPLE_SEARCH,
  SIMPLE_SPARQL,
} from '../../src/engine/simple-requests.ts';
import { WorldsEngine } from '../../src/index.ts';
import { ProbeSparqlEngine } from './probe-sparql-engine.ts';

let engine: WorldsEngine;
beforeEach(async () => {
  engine = await WorldsEngine.open({ textIndex: null, sparql: new ProbeSparqlEngine() });
  await engine.createWorld({ slug: 'w' });
});
afterEach(() => engine.close());

const NO_STRING = [5, true, {}, [], Symbol('s'), () => 'x'];
const NO_SOURCE = [
  undefined,
  null,
  5,
  {},
  [],
  { slug: 5 },
  { slug: 'w', namespace: 5 },
  { name: 5 },
  { namespace: 'n' },
  { slug: 'w', write: 'yes' },
  { slug: 'w', schema: 1 },
];
const NO_SOURCES = [null, 'w', {}, 5, [null], ['w', 5]];
const NO_SIGNAL = [null, {}, { aborted: false }, new AbortController(), 'x'];
const NO_REVISION = [null, '1', 1.5, -1, Number.NaN];
const NO_TERM = [5, 'urn:s', {}, { value: 'x' }];
const NO_STRINGS = [null, 'x', [5], [null], {}];
const NO_IRIS = [...NO_STRINGS, ['relative'], ['urn:a b'], ['']];
const NO_IRI = [null, 5, '', 'relative', 'urn:a b', '//host/path', 'urn:<'];
const NO_FUNCTION = [null, 5, {}, 'x'];
const NO_COUNT = [null, '1', 1.5, -1, Number.NaN];

const SPARQL = {
  good: { query: 'ASK' },
  wrong: {
    query: [undefined, null, 5, {}, [], ['ASK']],
    sources: NO_SOURCES,
    namespace: [null, ...NO_STRING],
    defaultGraphUris: NO_IRIS,
    namedGraphUris: NO_IRIS,
    bindings: [null, 5, 'x', { x: undefined }, { x: null }, { x: {} }, new Map([['x', Symbol('x')]])],
    baseIri: NO_IRI,
    signal: NO_SIGNAL,
    timeoutMs: [null, '1', -1, Number.NaN, {}],
    maxRows: NO_COUNT,
    ifRevision: NO_REVISION,
  },
};

/** Every method, a request that is right, and what each field may not be. */
const METHODS: Record<string, { readonly good: object; readonly wrong: Record<string, readonly unknown[]> }> = {
  createWorld: {
    good: { slug: 'v' },
    wrong: {
      slug: [undefined, null, ...NO_STRING],
      namespace: [null, ...NO_STRING],
      label: [null, ...NO_STRING],
      description: NO_STRING,
      ifExists: [null, 'maybe', 5],
    },
  },
  getWorld: { good: {}, wrong: { source: NO_SOURCE } },
  listWorlds: {
    good: {},
    wrong: { namespace: [null, ...NO_STRING], page: [null, '1', 1.5, Number.NaN], pageSize: [null, '1', 0.5] },
  },
  worlds: { good: {}, wrong: { namespace: [null, ...NO_STRING] } },
  updateWorld: {
    good: { source: 'w' },
    wrong: { source: NO_SOURCE, label: [null, ...NO_STRING], description: NO_STRING },
  },
  deleteWorld: { good: { source: 'w' }, wrong: { source: NO_SOURCE } },
  deleteNamespace: { good: {}, wrong: { namespace: [undefined, null, ...NO_STRING] } },
  import: {
    good: { source: 'w', data: '' },
    wrong: {
      source: NO_SOURCE,
      data: [undefined, null, 5, {}],
      contentType: [null, ...NO_STRING],
      baseIri: NO_IRI,
      ifRevision: NO_REVISION,
      signal: NO_SIGNAL,
      onProgress: NO_FUNCTION,
    },
  },
  write: {
    good: { source: 'w', insert: [] },
    wrong: {
      source: NO_SOURCE,
      insert: [null, 5, 'x', {}],
      delete: [null, 5, 'x', {}],
      ifRevision: NO_REVISION,
      signal: NO_SIGNAL,
    },
  },
  export: {
    good: { source: 'w' },
    wrong: {
      source: NO_SOURCE,
      contentType: [null, ...NO_STRING],
      prefixes: [null, 5, 'x', { ex: 5 }],
      signal: NO_SIGNAL,
    },
  },
  quads: {
    good: { source: 'w' },
    wrong: {
      source: NO_SOURCE,
      subject: NO_TERM,
      predicate: NO_TERM,
      object: NO_TERM,
      graph: NO_TERM,
      signal: NO_SIGNAL,
    },
  },
  sparql: SPARQL,
  query: SPARQL,
  ask: SPARQL,
  search: {
    good: { query: 'x' },
    wrong: {
      query: [undefined, null, ...NO_STRING],
      sources: NO_SOURCES,
      namespace: [null, ...NO_STRING],
      limit: [null, '1', 0, -1, 1.5, Number.NaN],
      subjects: NO_STRINGS,
      predicates: NO_STRINGS,
      types: NO_STRINGS,
      signal: NO_SIGNAL,
    },
  },
  serviceDescription: {
    good: { endpointUrl: 'http://example.org/sparql' },
    wrong: {
      sources: NO_SOURCES,
      namespace: [null, ...NO_STRING],
      endpointUrl: [undefined, ...NO_IRI],
      contentType: [null, ...NO_STRING],
    },
  },
  stats: { good: {}, wrong: { namespace: [null, ...NO_STRING] } },
};

async function call(method: string, request: unknown): Promise<unknown> {
  const result: unknown = await (engine as unknown as Record<string, (request: unknown) => unknown>)[method](request);
  // Generators look at their request with the first step.
  if (typeof result === 'object' && result !== null && Symbol.asyncIterator in result) {
    for await (const _ of result as AsyncIterable<unknown>) break;
  }
  return result;
}

const fields = Object.entries(METHODS).flatMap(([method, { good, wrong }]) =>
  Object.entries(wrong).map(([field, values]) => ({ method, field, good, values })),
);

describe('a request with a wrong field is INVALID_ARGUMENT that names method and field', () => {
  it.each(fields)('$method: $field', async ({ method, field, good, values }) => {
    const before = await engine.listWorlds();
    for (const value of values) {
      const outcome = await call(method, { ...good, [field]: value }).then(
        () => 'done',
        (error) => error,
      );
      expect(outcome, `${method} with ${field}: ${String(JSON.stringify(value) ?? String(value))}`).toMatchObject({
        code: 'INVALID_ARGUMENT',
        message: expect.stringMatching(new RegExp(`^(${method}: )?${field}\\b`)),
      });
    }
    expect(await engine.listWorlds()).toEqual(before);
  });

  it.each(Object.keys(METHODS))('%s takes one object', async (method) => {
    for (const request of [null, 5, 'w', ['w']]) {
      await expect(call(method, request)).rejects.toMatchObject({
        code: 'INVALID_ARGUMENT',
        message: expect.stringContaining(method),
      });
    }
  });

  it('says what was expected if a query is not a string or a source is invalid', async () => {
    await expect(engine.sparql({ query: 5 as never })).rejects.toMatchObject({
      message: expect.not.stringContaining('world'),
    });
    await expect(engine.getWorld({ source: 5 as never })).rejects.toMatchObject({
      message: expect.stringContaining('world'),
    });
  });

  it('names the place in a list', async () => {
    await expect(engine.search({ query: 'x', sources: ['w', 5 as never] })).rejects.toMatchObject({
      message: expect.stringContaining('sources[1]'),
    });
    await expect(engine.search({ query: 'x', subjects: ['w', 5 as never] })).rejects.toMatchObject({
      message: expect.stringContaining('subjects[1]'),
    });
    await expect(engine.search({ query: 'x', sources: ['w', '_'] })).rejects.toMatchObject({
      message: expect.stringContaining('sources[1]'),
    });
  });
});

describe('unknown fields', () => {
  it.each(['__proto__', 'constructor', 'extra'])('are refused, %s too', async (name) => {
    const request = JSON.parse(`{"source":"w","label":"x","${name}":{"description":"y"}}`);
    await expect(engine.updateWorld(request)).rejects.toThrow(`no field "${name}"`);
    expect(await engine.getWorld({ source: 'w' })).not.toHaveProperty('label');
  });
});

describe('the sources of a request', () => {
  it('named twice count once, with the same flags only', async () => {
    expect(await engine.ask({ query: 'ASK', sources: ['w', 'default/w', { slug: 'w', namespace: '_' }] })).toBe(true);
    await expect(engine.ask({ query: 'ASK', sources: ['w', { slug: 'w', schema: true }] })).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
      message: expect.stringContaining('sources[1]'),
    });
  });

  it.each([
    ['one world', ['w'], 'w'],
    ['one of two that does not say so, though the other may not be written', ['w', { slug: 'v', write: false }], null],
    ['one that says so among three', ['w', { slug: 'v', write: true }, 'u'], 'v'],
    ['one beside its schema', ['w', { slug: 'v', schema: true }], 'w'],
    ['a schema alone', [{ slug: 'w', schema: true }], null],
    ['a schema that says write', [{ slug: 'w', schema: true, write: true }], null],
    ['nobody', [], null],
    ['one that may not be written', [{ slug: 'w', write: false }], null],
    ['two', ['w', 'v'], null],
    [
      'two that say so',
      [
        { slug: 'w', write: true },
        { slug: 'v', write: true },
      ],
      null,
    ],
    ['all of a namespace', undefined, null],
  ])('make %s the target of an update, or reject it', async (_, sources, target) => {
    await engine.createWorld({ slug: 'v' });
    await engine.createWorld({ slug: 'u' });
    const probe = new ProbeSparqlEngine();
    await using other = await WorldsEngine.open({ textIndex: null, sparql: probe });
    for (const slug of ['u', 'v', 'w']) await other.createWorld({ slug });
    probe.change = (view) => {
      const id = view.source.terms.intern({ termType: 'NamedNode', value: 'urn:x', equals: () => false });
      const column = Uint32Array.of(id);
      return view.apply({
        inserted: { length: 1, subject: column, predicate: column, object: column, graph: Uint32Array.of(1) },
      });
    };
    const run = other.update({ query: 'UPDATE', sources: sources as never });
    if (target === null) await expect(run).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
    else expect(await run).toMatchObject({ inserted: 1 });
    for (const slug of ['u', 'v', 'w']) {
      expect((await other.export({ source: slug })).length > 0).toBe(slug === target);
    }
  });
});

describe('a simple request', () => {
  const SCHEMAS = [
    [SIMPLE_SPARQL, sparqlRequest],
    [SIMPLE_PREPARE, prepareRequest],
    [SIMPLE_SEARCH, searchRequest],
    [SIMPLE_GET_WORLD, getWorldRequest],
  ] as const;
  const source = fc.record(
    {
      slug: fc.string(),
      namespace: fc.string(),
      write: fc.boolean(),
      schema: fc.option(fc.boolean(), { nil: undefined }),
    },
    { requiredKeys: ['slug'] },
  );
  const value = fc.oneof(
    fc.string(),
    fc.boolean(),
    fc.integer({ min: -1, max: 2 }),
    source,
    fc.array(
      fc.oneof({ weight: 4, arbitrary: fc.oneof(fc.string(), source) }, { weight: 1, arbitrary: fc.anything() }),
    ),
    fc.anything(),
  );
  const fields = [...Object.keys(sparqlRequest.fields), 'source', 'limit', '__proto__', 'other'];
  const request = fc.dictionary(fc.constantFrom('query', 'source', 'sources', 'namespace', ...fields), value, {
    maxKeys: 4,
    noNullPrototype: false,
  });

  it('is one that its schema gives back as it is', () => {
    const simple = new Map<unknown, number>();
    fc.assert(
      fc.property(
        fc.oneof(
          request,
          fc.record(
            { query: fc.string(), sources: fc.array(fc.oneof(fc.string(), source)) },
            { requiredKeys: ['query'] },
          ),
          fc.record({ source: fc.oneof(fc.string(), source) }),
          fc.record({ sources: fc.array(source), maxRows: fc.nat() }, { requiredKeys: [] }),
          value,
        ),
        (one) => {
          for (const [requests, schema] of SCHEMAS) {
            if (!requests.includes(one)) continue;
            simple.set(schema, (simple.get(schema) ?? 0) + 1);
            expect({ ...(one as object) }).toEqual(validate('it', schema, one));
          }
          if (!SIMPLE_RUN.includes(one)) return;
          simple.set('run', (simple.get('run') ?? 0) + 1);
          const whole = { ...(one as object), query: 'ASK {}' };
          expect(whole).toEqual(validate('it', sparqlRequest, whole));
        },
      ),
      { numRuns: 4000, seed: 1122 },
    );
    const counts = [...SCHEMAS.map(([, schema]) => schema), 'run'].map((requests) => simple.get(requests));
    for (const count of counts) expect(count, `${counts}`).toBeGreaterThan(50);
  });

  it('is a text with its base, worlds, a signal and limits, and nothing else', () => {
    expect(SIMPLE_SPARQL.includes({ query: 'ASK {}' })).toBe(true);
    expect(SIMPLE_SPARQL.includes({ query: 'ASK {}', sources: ['a', 'n/b'], namespace: 'n' })).toBe(true);
    expect(SIMPLE_SPARQL.includes({ query: 'ASK {}', sources: [{ slug: 'a' }, { slug: 'a', namespace: 'n' }] })).toBe(
      true,
    );
    for (const source of [
      { namespace: 'n' },
      { slug: 'a', write: 1 },
      { slug: 5 },
      { slug: undefined },
      { name: 'n/a' },
      null,
      ['a'],
    ])
      expect(SIMPLE_SPARQL.includes({ query: 'ASK {}', sources: [source] })).toBe(false);
    for (const limit of ['maxRows', 'timeoutMs', 'maxMemoryBytes']) {
      expect(SIMPLE_SPARQL.includes({ query: 'ASK {}', [limit]: 1 })).toBe(true);
      for (const wrong of [-1, '1', Number.NaN, Number.POSITIVE_INFINITY, null])
        expect(SIMPLE_SPARQL.includes({ query: 'ASK {}', [limit]: wrong })).toBe(false);
    }
    expect(SIMPLE_SPARQL.includes({ query: 'ASK {}', maxRows: 1.5 })).toBe(false);
    expect(SIMPLE_SPARQL.includes({ query: 'ASK {}', canonicalOrder: true, baseIri: 'urn:base' })).toBe(true);
    expect(SIMPLE_SPARQL.includes({ query: 'ASK {}', canonicalOrder: 1 })).toBe(false);
    expect(SIMPLE_SPARQL.includes({ query: 'ASK {}', baseIri: 'base' })).toBe(false);
    expect(SIMPLE_SPARQL.includes({ query: 'ASK {}', consistency: 'latest' })).toBe(false);
    expect(SIMPLE_SPARQL.includes({ query: 'ASK {}', maxRows: undefined })).toBe(true);
    expect(SIMPLE_SPARQL.includes({ query: undefined })).toBe(false);
    expect(SIMPLE_SPARQL.includes({ query: 'ASK {}', signal: AbortSignal.abort() })).toBe(true);
    expect(SIMPLE_SPARQL.includes({ query: 'ASK {}', signal: { aborted: true } })).toBe(false);
    expect(SIMPLE_SPARQL.includes(Object.create({ query: 'ASK {}', timeoutMs: -5 }))).toBe(false);
    expect(SIMPLE_PREPARE.includes({ query: 'ASK {}', baseIri: 'urn:base', signal: undefined })).toBe(true);
    for (const wrong of [{ baseIri: 'base' }, { sources: ['a'] }, { query: 5 }, { signal: null }, { unknown: 1 }])
      expect(SIMPLE_PREPARE.includes({ query: 'ASK {}', ...wrong })).toBe(false);
    // biome-ignore lint/suspicious/noSparseArray: a caller may pass one
    expect(SIMPLE_SPARQL.includes({ query: 'ASK {}', sources: ['a', , 'b'] })).toBe(false);
  });
});
