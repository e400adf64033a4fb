import { WorldsEngine } from '@rdf-worlds/core';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createWorldsHandler, staticTokens } from '../../src/index.ts';

/**
 * A caller that may write a world and not read it must get the same answers whatever the world
 * holds.
 */

const SECRET = 'tulip-40213';

let engine: WorldsEngine;
let handler: ReturnType<typeof createWorldsHandler>;

beforeEach(async () => {
  engine = await WorldsEngine.open();
  for (const slug of ['full', 'empty']) await engine.createWorld({ slug, namespace: 'acme' });
  const data = `<urn:s> <urn:p> "${SECRET}" .\n<urn:s> <urn:p> "in a graph" <urn:graph> .\n`;
  await engine.import({ source: 'acme/full', data });
  handler = createWorldsHandler(engine, {
    authenticate: staticTokens([
      {
        token: 'token-of-the-writer',
        grants: ['full', 'empty'].map((world) => ({ namespace: 'acme', world, write: true })),
      },
      { token: 'token-of-the-owner', namespace: 'acme' },
    ]),
  });
});
afterEach(() => engine.close());

interface Asked {
  readonly method?: string;
  readonly path?: string;
  readonly update?: string;
  readonly turtle?: string;
  readonly token?: string;
}

/**
 * The whole answer, but for what differs between any two requests and between the names of the
 * worlds.
 */
async function answer(slug: string, asked: Asked): Promise<string> {
  const { method = 'POST', path = '/sparql', update, turtle, token = 'token-of-the-writer' } = asked;
  const headers = {
    authorization: `Bearer ${token}`,
    ...(update !== undefined && { 'content-type': 'application/sparql-update' }),
    ...(turtle !== undefined && { 'content-type': 'text/turtle' }),
  };
  const url = `http://localhost/namespaces/acme/worlds/${slug}${path}`;
  const response = await handler(new Request(url, { method, headers, body: update ?? turtle }));
  const shown = [...response.headers].filter(([name]) => name !== 'x-request-id');
  return JSON.stringify([response.status, shown, await response.text()]).replaceAll(slug, 'WORLD');
}

const READING: readonly string[] = [
  // Guesses a secret letter by letter: by the status, the size of the change, an error, or the work
  // that a match causes.
  'INSERT { <urn:x> <urn:y> 1 } WHERE { ?s ?p ?o FILTER(STRSTARTS(?o, "t")) }',
  'DELETE { ?s ?p ?o } INSERT { ?s ?p ?o } WHERE { ?s ?p ?o FILTER(REGEX(?o, "^t.*")) }',
  'DELETE WHERE { <urn:s> <urn:p> ?o }',
  'WITH <urn:graph> DELETE { ?s ?p ?o } WHERE { ?s ?p ?o }',
  'INSERT { ?s ?p ?o } USING <urn:graph> WHERE { ?s ?p ?o }',
  'DROP GRAPH <urn:graph>',
  'CLEAR GRAPH <urn:graph>',
  'CREATE GRAPH <urn:graph>',
  'COPY <urn:graph> TO DEFAULT',
  'MOVE <urn:graph> TO <urn:other>',
  'ADD SILENT <urn:graph> TO DEFAULT',
  'INSERT DATA { <urn:a> <urn:b> 1 } ; DELETE WHERE { ?s ?p ?o }',
];

const BLIND: readonly string[] = [
  `INSERT DATA { <urn:s> <urn:p> "${SECRET}" }`,
  `DELETE DATA { <urn:s> <urn:p> "${SECRET}" }`,
  'INSERT DATA { GRAPH <urn:graph> { <urn:s> <urn:p> 1 } } ; DELETE DATA { <urn:s> <urn:p> 2 }',
  'DROP SILENT GRAPH <urn:graph>',
  'CLEAR SILENT GRAPH <urn:graph>',
  'CREATE SILENT GRAPH <urn:graph>',
  'CLEAR ALL',
  'DROP NAMED',
  'LOAD SILENT <http://localhost/nothing>',
  '',
];

describe('an update by a write-only caller', () => {
  it.each(READING)('is rejected if it reads: %s', async (update) => {
    const answers = [await answer('full', { update }), await answer('empty', { update })];
    expect(answers[0]).toBe(answers[1]);
    expect(answers[0]).toMatch(/^\[403,.*request permission to read it/);
    expect(await engine.ask({ sources: ['acme/full'], query: `ASK { ?s ?p "${SECRET}" }` })).toBe(true);
  });

  it.each(BLIND)('runs if it reveals nothing: %s', async (update) => {
    const text = update || '# nothing';
    const answers = [await answer('full', { update: text }), await answer('empty', { update: text })];
    expect(answers[0]).toBe(answers[1]);
    expect(answers[0]).toMatch(/^\[204,/);
  });

  it('reads with permission to read', async () => {
    const update = 'DELETE WHERE { <urn:s> <urn:p> ?o }';
    expect(await answer('full', { update, token: 'token-of-the-owner' })).toMatch(/^\[204,/);
    expect(await engine.ask({ sources: ['acme/full'], query: 'ASK { ?s ?p ?o }' })).toBe(false);
  });

  it('is rejected if the SPARQL engine does not report which updates read', async () => {
    const silent = await WorldsEngine.open({
      sparql: {
        name: 'silent',
        prepare: () => ({ type: 'update', execute: () => expect.unreachable('it was refused before') }),
      },
    });
    await silent.createWorld({ slug: 'w' });
    const update = silent.update({ sources: ['w'], query: 'INSERT DATA { <urn:s> <urn:p> 1 }', blind: true });
    await expect(update).rejects.toMatchObject({ code: 'PERMISSION_DENIED' });
    await silent.close();
  });
});

describe('the graph store of a write-only caller', () => {
  const graph = `/graphs?graph=${encodeURIComponent('urn:graph')}`;
  it.each<Asked>([
    { path: '/import', turtle: '<urn:s> <urn:p> "tulip-40213" .' },
    { method: 'PUT', path: graph, turtle: '<urn:s> <urn:p> 1 .' },
    { method: 'POST', path: graph, turtle: '<urn:s> <urn:p> 1 .' },
    { method: 'POST', path: graph, turtle: '' },
    { method: 'DELETE', path: graph },
    { method: 'DELETE', path: '/graphs?default' },
    { method: 'PUT', path: '/graphs?default', turtle: '' },
  ])('responds the same whether or not the graph exists: $method $path', async (asked) => {
    const answers = [await answer('full', asked), await answer('empty', asked)];
    expect(answers[0]).toBe(answers[1]);
    expect(answers[0]).toMatch(/^\[204,/);
  });

  it('can delete a graph', async () => {
    await answer('full', { method: 'DELETE', path: graph });
    expect(await engine.hasGraph({ source: 'acme/full', graph: 'urn:graph' })).toBe(false);
  });

  it('reports the state to a caller with read permission', async () => {
    const token = 'token-of-the-owner';
    expect(await answer('empty', { method: 'DELETE', path: graph, token })).toMatch(/^\[404,/);
    expect(await answer('empty', { method: 'PUT', path: graph, turtle: '', token })).toMatch(/^\[201,/);
  });
});
