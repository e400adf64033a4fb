import { afterEach, beforeEach, expect, it } from 'vitest';
import { functionEmbedder, lsaEmbedder } from '../../src/embedders.ts';
import { bm25TextIndex, nativeEngine, WorldsEngine, type WorldsErrorCode } from '../../src/index.ts';
import { nearestName } from '../../src/model/known-fields.ts';

// A field that nobody reads is refused everywhere: `select({ source })` would else answer from all
// worlds, `write({ quads })` write nothing.

let engine: WorldsEngine;
beforeEach(async () => {
  engine = await WorldsEngine.open();
  await engine.createWorld({ slug: 'w' });
});
afterEach(() => engine.close());

/** Calls a method as JavaScript does, without types. */
async function call(method: string, request: object): Promise<unknown> {
  const result = (engine as unknown as Record<string, (request: object) => unknown>)[method](request);
  if (typeof result === 'object' && result !== null && Symbol.asyncIterator in result) {
    for await (const _ of result as AsyncIterable<unknown>);
    return undefined;
  }
  return result;
}

const W = { source: 'w' };
/**
 * A method, a request that is right, a field that it does not have, and the name that is proposed
 * for it.
 */
const REQUESTS: [string, object, string, string?][] = [
  ['createWorld', { slug: 'x' }, 'lable', 'label'],
  ['getWorld', W, 'namespace'],
  ['listWorlds', {}, 'pagesize', 'pageSize'],
  ['worlds', {}, 'namespaces', 'namespace'],
  ['updateWorld', { ...W, label: 'x' }, 'desciption', 'description'],
  ['deleteWorld', W, 'ifrevision', 'ifRevision'],
  ['getNamespace', {}, 'name'],
  ['deleteNamespace', { namespace: 'x' }, 'force'],
  ['import', { ...W, data: '' }, 'contenttype', 'contentType'],
  ['import', W, 'turtle', 'data'],
  ['importAll', { ...W, documents: [] }, 'document', 'documents'],
  ['write', W, 'quads', 'insert'],
  ['write', W, 'remove', 'delete'],
  ['write', W, 'inserts', 'insert'],
  ['export', W, 'format', 'contentType'],
  ['exportStream', W, 'contenType', 'contentType'],
  ['hasGraph', { ...W, graph: 'http://a.example/' }, 'world', 'source'],
  ['deleteGraph', { ...W, graph: 'http://a.example/' }, 'world', 'source'],
  ['quads', W, 'predicates', 'predicate'],
  ['getEntity', { ...W, entity: 'http://a.example/' }, 'iri'],
  ['sparql', { query: 'ASK {}' }, 'source', 'sources'],
  ['query', { query: 'ASK {}' }, 'source', 'sources'],
  ['select', { query: 'SELECT * {}' }, 'source', 'sources'],
  ['ask', { query: 'ASK {}' }, 'world', 'sources'],
  ['ask', {}, 'sparql', 'query'],
  ['construct', { query: 'CONSTRUCT {} {}' }, 'timeout', 'timeoutMs'],
  ['update', { query: 'CLEAR ALL' }, 'source', 'sources'],
  ['update', {}, 'update', 'query'],
  ['explain', { query: 'ASK {}' }, 'analyse', 'analyze'],
  ['search', { query: 'x' }, 'world', 'sources'],
  ['search', { query: 'x' }, 'topK', 'limit'],
  ['serviceDescription', { endpointUrl: 'http://a.example/' }, 'url'],
  ['flush', {}, 'world'],
  ['changes', {}, 'since'],
  ['check', {}, 'repair'],
  ['salvage', {}, 'fix'],
  ['stats', {}, 'world'],
  ['checkpoint', {}, 'force'],
  ['compact', {}, 'forgetChange', 'forgetChanges'],
];

it.each(REQUESTS)('%s refuses a field that it does not have', async (method, request, unknown, near) => {
  const error = await call(method, { ...request, [unknown]: 'w' }).then(
    () => undefined,
    (reason) => reason,
  );
  expect(error).toMatchObject({ code: 'INVALID_ARGUMENT' satisfies WorldsErrorCode });
  expect(error.message).toContain(`there is no field "${unknown}"`);
  if (near) expect(error.message).toContain(`did you mean ${near}?`);
  // Nothing was done.
  expect(await engine.listWorlds()).toHaveLength(1);
});

it('so do the objects inside of requests', async () => {
  for (const [method, request, where] of [
    ['select', { query: 'SELECT * {}', sources: [{ slug: 'w', namspace: 'other' }] }, 'sources[0]'],
    ['importAll', { ...W, documents: [{ data: '', contenttype: 'text/turtle' }] }, 'documents[0]'],
    ['search', { query: 'x', fusion: { method: 'rrf', weight: 1 } }, 'fusion'],
    ['search', { query: 'x', feedback: { docs: 1 } }, 'feedback'],
  ] as const) {
    await expect(call(method, request), where).rejects.toThrow(where);
  }
});

it('a world as other calls give it names itself', async () => {
  const source = await engine.updateWorld({ source: 'w', label: 'W', description: null });
  await engine.import({ source, data: '<urn:a> <urn:b> <urn:c> .' });
  expect(await engine.ask({ sources: [source], query: 'ASK { <urn:a> ?p ?o }' })).toBe(true);
});

it('so do options', async () => {
  const options = { path: './data' } as object;
  await expect(WorldsEngine.open(options)).rejects.toThrow(/fileStorage\(\{ path \}\)/);
  await expect(WorldsEngine.open({ memoryLimit: 1 } as object)).rejects.toThrow(/no field "memoryLimit"/);
  expect(() => nativeEngine({ optimise: false } as object)).toThrow(/did you mean optimize\?/);
  expect(() => bm25TextIndex({ language: 'de' } as object)).toThrow(/did you mean defaultLanguage\?|they are/);
  expect(() => lsaEmbedder({ dimension: 64 } as object)).toThrow(/did you mean dimensions\?/);
  const settings = { id: 'x', dimensions: 2, embed: async () => [], batch: 3 };
  expect(() => functionEmbedder(settings)).toThrow(/no field "batch"/);
});

it('the nearest name is one that is near', () => {
  expect(nearestName('sorces', ['sources', 'source'], 1 / 2)).toBe('sources');
  expect(nearestName('colour', ['sources', 'query'], 1 / 2)).toBeUndefined();
});
