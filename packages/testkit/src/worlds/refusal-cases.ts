import assert from 'node:assert/strict';
import type { Worlds, WorldsErrorCode } from '@rdf-worlds/core';
import { fails, type WorldsCase } from './worlds-probe.ts';

const A = { source: 'a' };
const GRAPH = 'https://example.org/g';

/** A method that takes a request. */
type Method = Extract<keyof Worlds, string>;

/**
 * A method, a request that is right, a field that it does not have, and the one that is proposed.
 */
const UNKNOWN: readonly (readonly [method: Method, request: object, wrong: string, near?: string])[] = [
  ['createWorld', { slug: 'x' }, 'lable', 'label'],
  ['getWorld', A, 'namespace'],
  ['listWorlds', {}, 'pagesize', 'pageSize'],
  ['worlds', {}, 'namespaces', 'namespace'],
  ['updateWorld', { ...A, label: 'x' }, 'desciption', 'description'],
  ['deleteWorld', A, 'ifrevision', 'ifRevision'],
  ['import', { ...A, data: '' }, 'contenttype', 'contentType'],
  ['importAll', { ...A, documents: [] }, 'document', 'documents'],
  ['write', A, 'inserts', 'insert'],
  ['export', A, 'format'],
  ['exportStream', A, 'contenType', 'contentType'],
  ['hasGraph', { ...A, graph: GRAPH }, 'world'],
  ['deleteGraph', { ...A, graph: GRAPH }, 'world'],
  ['quads', A, 'predicates', 'predicate'],
  ['getEntity', { ...A, entity: GRAPH }, 'iri'],
  ['sparql', { query: 'ASK {}' }, 'source', 'sources'],
  ['query', { query: 'ASK {}' }, 'source', 'sources'],
  ['select', { query: 'SELECT * {}' }, 'source', 'sources'],
  ['ask', { query: 'ASK {}' }, 'world'],
  ['construct', { query: 'CONSTRUCT {} {}' }, 'timeout', 'timeoutMs'],
  ['update', { query: 'CLEAR ALL' }, 'source', 'sources'],
  ['explain', { query: 'ASK {}' }, 'analyse', 'analyze'],
  ['search', { query: 'x' }, 'topK'],
];

/** Requests that every implementation refuses, with the code and a part of the message. */
const WRONG: readonly (readonly [method: Method, request: unknown, code: WorldsErrorCode, message: RegExp])[] = [
  ['createWorld', { slug: 'no/slash' }, 'INVALID_ARGUMENT', /slug/],
  ['createWorld', { slug: 'x', namespace: '..' }, 'INVALID_ARGUMENT', /namespace/],
  ['createWorld', { slug: 1 }, 'INVALID_ARGUMENT', /slug/],
  ['createWorld', { slug: 'x', label: 1 }, 'INVALID_ARGUMENT', /label/],
  ['getWorld', { source: '../secret' }, 'INVALID_ARGUMENT', /source: "\.\." is not a valid name/],
  ['getWorld', { source: 1 }, 'INVALID_ARGUMENT', /source: expected a world/],
  ['getWorld', {}, 'INVALID_ARGUMENT', /source/],
  ['getWorld', null, 'INVALID_ARGUMENT', /getWorld/],
  ['listWorlds', { page: 'first' }, 'INVALID_ARGUMENT', /page/],
  ['import', { source: 'a' }, 'INVALID_ARGUMENT', /data/],
  ['import', { source: 'a', data: 'file.ttl' }, 'INVALID_ARGUMENT', /path of a file/],
  ['import', { source: 'a', data: 'https://example.org/' }, 'INVALID_ARGUMENT', /URL/],
  ['import', { source: 'a', data: Promise.resolve('') }, 'INVALID_ARGUMENT', /Promise/],
  ['import', { source: 'a', data: { plain: 'json' } }, 'INVALID_ARGUMENT', /JSON-LD/],
  ['import', { source: 'a', data: [1] }, 'INVALID_ARGUMENT', /quads/],
  ['import', { source: 'a', data: '', contentType: 'image/png' }, 'UNSUPPORTED', /image\/png/],
  ['import', { source: 'a', data: '', baseIri: 'relative' }, 'INVALID_ARGUMENT', /baseIri/],
  ['import', { source: 'a', data: '', graph: 'relative' }, 'INVALID_ARGUMENT', /graph/],
  ['import', { source: 'a', data: '', mode: 'overwrite' }, 'INVALID_ARGUMENT', /mode/],
  ['import', { source: 'a', data: '\ud800' }, 'INVALID_RDF', /surrogate/],
  ['import', { source: 'nowhere', data: '' }, 'NOT_FOUND', /nowhere/],
  ['write', { source: 'a', insert: [{}] }, 'INVALID_RDF', /subject/],
  ['write', { source: 'a', insert: ['quad'] }, 'INVALID_ARGUMENT', /quads/],
  ['write', { source: 'a', insert: 1 }, 'INVALID_ARGUMENT', /insert/],
  ['write', { source: 'nowhere', insert: [] }, 'NOT_FOUND', /nowhere/],
  ['export', { source: 'nowhere' }, 'NOT_FOUND', /nowhere/],
  ['export', { source: 'a', contentType: 'image/png' }, 'UNSUPPORTED', /image\/png/],
  ['exportStream', { source: 'nowhere' }, 'NOT_FOUND', /nowhere/],
  ['quads', { source: 'nowhere' }, 'NOT_FOUND', /nowhere/],
  ['quads', { source: 'a', subject: 'urn:s' }, 'INVALID_ARGUMENT', /term/],
  ['getEntity', { source: 'a', entity: 'relative' }, 'INVALID_ARGUMENT', /entity/],
  ['getEntity', { source: 'a', entity: GRAPH, prefixes: { e: 'no' } }, 'INVALID_ARGUMENT', /prefixes/],
  ['select', { query: 'SELECT', sources: ['a'] }, 'INVALID_SPARQL', /line 1/],
  ['select', { query: '', sources: ['a'] }, 'INVALID_SPARQL', /\S/],
  ['select', { sources: ['a'] }, 'INVALID_ARGUMENT', /query/],
  ['select', { query: 'SELECT * {}', sources: 'a' }, 'INVALID_ARGUMENT', /sources/],
  ['select', { query: 'SELECT * {}', sources: ['a'], maxRows: -1 }, 'INVALID_ARGUMENT', /maxRows/],
  ['select', { query: 'SELECT * {}', sources: ['a'], maxRows: 0 }, 'LIMIT_EXCEEDED', /maxRows/],
  ['select', { query: 'SELECT * {}', sources: ['a'], defaultGraphUris: ['x'] }, 'INVALID_ARGUMENT', /defaultGraphUris/],
  ['select', { query: 'SELECT * {}', sources: ['a'], ifRevision: 1 }, 'INVALID_ARGUMENT', /ifRevision/],
  ['select', { query: 'SELECT * { SERVICE <urn:x> {} }', sources: ['a'] }, 'UNSUPPORTED', /SERVICE/],
  ['select', { query: 'SELECT * {}', sources: ['a'], signal: {} }, 'INVALID_ARGUMENT', /signal/],
  ['search', { sources: ['a'] }, 'INVALID_ARGUMENT', /query/],
];

const METHODS = [
  ['import', { ...A, data: '' }],
  ['export', A],
  ['exportStream', A],
  ['quads', A],
  ['write', { ...A, insert: [] }],
  ['select', { query: 'SELECT * {}', sources: ['a'] }],
  ['ask', { query: 'ASK {}', sources: ['a'] }],
  ['update', { query: 'CLEAR ALL', sources: ['a'] }],
  ['search', { query: 'x', sources: ['a'] }],
] as const;

/** Calls a method as JavaScript does, without types. */
function call(worlds: Worlds, method: Method, request: unknown): unknown {
  const methods = worlds as unknown as Record<Method, (request: unknown) => unknown>;
  return methods[method](request);
}

/** Cases for requests that are refused. */
export const refusalCases: readonly WorldsCase[] = [
  {
    name: 'refuses fields that do not exist, and proposes those that do',
    async run(probe) {
      await probe.world('a');
      for (const [method, request, wrong, near] of UNKNOWN) {
        const operation = method === 'exportStream' ? 'export' : method;
        const advice = near === undefined ? '' : `; did you mean ${near}\\?`;
        const message = new RegExp(`^${operation}: there is no field "${wrong}"${advice}`);
        await fails('INVALID_ARGUMENT', () => call(probe.worlds, method, { ...request, [wrong]: 'x' }), message);
      }
    },
  },
  ...WRONG.map(
    ([method, request, code, message]): WorldsCase => ({
      name: `${method} with ${shortened(request)} is ${code}`,
      async run(probe) {
        await probe.world('a');
        await fails(code, () => call(probe.worlds, method, request), message);
      },
    }),
  ),
  {
    name: 'says where a text is malformed',
    async run(probe) {
      await probe.world('a');
      const error = await fails('INVALID_SPARQL', () =>
        probe.worlds.ask({ sources: ['a'], query: 'ASK {\n  ?s ?p \n}' }),
      );
      assert.equal(error.location?.line, 3);
      assert.equal(error.message.match(/\(line 3, column \d+\)/g)?.length, 1);
    },
  },
  {
    name: 'ends calls whose signal has fired',
    async run(probe) {
      await probe.world('a', 'ex:s ex:p 1 .');
      const aborted = AbortSignal.abort(new Error('no more'));
      const timedOut = AbortSignal.timeout(0);
      await new Promise((resolve) => setTimeout(resolve, 5));
      for (const [method, request] of METHODS) {
        await fails('ABORTED', () => call(probe.worlds, method, { ...request, signal: aborted }));
        await fails('TIMEOUT', () => call(probe.worlds, method, { ...request, signal: timedOut }));
      }
    },
  },
  {
    name: 'ends a result while it is read, when the signal fires',
    async run(probe) {
      await probe.world('a');
      const values = Array.from({ length: 200 }, (_, i) => i).join(' ');
      const query = `SELECT * { VALUES ?a { ${values} } VALUES ?b { ${values} } VALUES ?c { ${values} } }`;
      const controller = new AbortController();
      const result = await probe.worlds.select({ sources: ['a'], query, signal: controller.signal });
      let rows = 0;
      await fails('ABORTED', async () => {
        for await (const _ of result) if (++rows === 10_000) controller.abort();
      });
      assert.ok(rows < 8_000_000);
    },
  },
  {
    name: 'ends a query after timeoutMs',
    async run(probe) {
      await probe.world('a');
      const values = Array.from({ length: 1000 }, (_, i) => i).join(' ');
      const query = `SELECT (COUNT(*) AS ?n) { VALUES ?a { ${values} } VALUES ?b { ${values} } VALUES ?c { ${values} } FILTER(?a + ?b = ?c * 3) }`;
      await fails(
        'TIMEOUT',
        async () => (await probe.worlds.select({ sources: ['a'], query, timeoutMs: 30 })).array(),
        /time limit of 30 ms/,
      );
    },
  },
  {
    name: 'refuses calls after close',
    async run(probe) {
      await probe.world('a');
      await probe.worlds.close();
      await probe.worlds.close();
      for (const [method, request] of METHODS)
        await fails('INVALID_ARGUMENT', () => call(probe.worlds, method, request), /is closed/);
      await fails('INVALID_ARGUMENT', () => probe.worlds.getWorld({ source: 'a' }), /is closed/);
    },
  },
];

function shortened(request: unknown): string {
  if (request === null) return 'null';
  return JSON.stringify(request, (name, value) => (name === 'data' && value instanceof Promise ? 'a Promise' : value));
}
