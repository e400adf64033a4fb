import { tools } from '@rdf-worlds/ai';
import { plainTools } from '@rdf-worlds/ai/plain';
import { WorldsClient } from '@rdf-worlds/client';
import * as core from '@rdf-worlds/core';
import { functionEmbedder, openAiEmbedder } from '@rdf-worlds/core/embedders';
import * as http from '@rdf-worlds/http';
import * as mcp from '@rdf-worlds/mcp';
import { AgentMemory, WorldDocuments, WorldFacts } from '@rdf-worlds/memory';
import { fileStorage } from '@rdf-worlds/storage-file';
import { pgliteStorage, postgresStorage } from '@rdf-worlds/storage-postgres';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CLIENTS_AND_AGENTS } from './mistakes/clients-and-agents.ts';
import { DOCUMENTS } from './mistakes/documents.ts';
import type { Given, Mistake } from './mistakes/mistake.ts';
import { OPENING } from './mistakes/opening.ts';
import { QUERIES } from './mistakes/queries.ts';
import { SERVING } from './mistakes/serving.ts';
import { WORLDS } from './mistakes/worlds.ts';
import { WRITING } from './mistakes/writing.ts';

// Ordinary mistakes get a WorldsError that says what was passed, where, and what to do: neither a
// TypeError of the library's own nor silence. The title of a test is what the user typed.

const AREAS: Readonly<Record<string, readonly Mistake[]>> = {
  'opening and storages': OPENING,
  worlds: WORLDS,
  documents: DOCUMENTS,
  'queries, updates and searches': QUERIES,
  writing: WRITING,
  'the service and its tokens': SERVING,
  'clients and agents': CLIENTS_AND_AGENTS,
};

const { dataFactory: df } = core;
let given: Given;

beforeAll(async () => {
  const engine = await core.WorldsEngine.open();
  const closed = await core.WorldsEngine.open();
  await closed.close();
  await engine.createWorld({ slug: 'w' });
  await engine.import({ source: 'w', data: '<urn:s> <urn:p> "1" .' });
  given = {
    ...core,
    ...http,
    ...mcp,
    ...{ fileStorage, postgresStorage, pgliteStorage, functionEmbedder, openAiEmbedder },
    ...{ WorldsClient, tools, plainTools, AgentMemory, WorldFacts, WorldDocuments, engine, closed },
    client: new WorldsClient({ url: 'http://127.0.0.1:1', retry: { retries: 0 } }),
    turtle: (data: string) => engine.import({ source: 'w', data, contentType: 'text/turtle' }),
    relative: df.quad(df.namedNode('not an iri'), df.namedNode('urn:p'), df.literal('x')),
  };
});
afterAll(() => given.engine.close());

/**
 * Returns what a call throws or rejects with. A call that never settles fails by the time limit.
 */
async function errorOf(run: Mistake['run']): Promise<unknown> {
  try {
    const value = await run(given);
    return new Error(`no error; the call returned ${typeof value}`);
  } catch (error) {
    return error;
  }
}

const titled = (mistake: Mistake) => [String(mistake.run).replace(/\s+/g, ' ').slice(0, 120), mistake] as const;

for (const [area, rows] of Object.entries(AREAS)) {
  describe(area, () => {
    it.each(rows.map(titled))('%s', async (_, { run, code, names }) => {
      const error = await errorOf(run);
      expect(error).toBeInstanceOf(core.WorldsError);
      const { code: found, message } = error as core.WorldsError;
      expect(found, message).toBe(code);
      for (const name of names) expect(message).toContain(name);
    });
  });
}

it('has more than a hundred mistakes', () => {
  expect(Object.values(AREAS).flat().length).toBeGreaterThan(100);
});

it('bindings may have the sign of a variable, and variables in codepoint escapes', async () => {
  const query = 'SELECT ?p { ?\\u0073 ?p ?o }';
  const bindings = { '?s': df.namedNode('urn:s') };
  expect(await (await given.engine.select({ query, bindings })).array()).toHaveLength(1);
});

it('engines, handles and clients can be logged: neither data nor the token is part of them', () => {
  expect(JSON.stringify(given.engine)).toBe('{"defaultNamespace":"default"}');
  expect(JSON.stringify(given.engine.world('w'))).toBe('{"source":"w"}');
  const client = new WorldsClient({ url: 'http://a.example', token: 'secret-of-the-client' });
  expect(JSON.stringify(client)).not.toContain('secret');
});
