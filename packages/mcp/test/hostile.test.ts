import { CallToolResultSchema } from '@modelcontextprotocol/sdk/types.js';
import type { WorldsEngine } from '@rdf-worlds/core';
import { estimateTokens } from '@rdf-worlds/memory';
import { expect, it } from 'vitest';
import { aClient, anEngine, callTool, textOf } from './a-client.ts';
import { ENDLESS, FOREIGN, fact, HARMLESS, REFUSED, SECRET } from './hostile-calls.ts';

/** The world that the caller may use. */
const world = 'open';

const PRINCIPAL = {
  id: 'agent',
  defaultNamespace: 'default',
  grants: [{ namespace: 'default', world: 'open', read: true, write: true }],
};

/** A world that the caller may use, and two that it may not. */
async function aTarget() {
  const engine = await anEngine('open', 'secret');
  await engine.createWorld({ namespace: 'other', slug: 'secret' });
  for (const source of ['default/secret', 'other/secret'])
    await engine.import({
      source,
      contentType: 'text/turtle',
      data: `<urn:rdf-worlds:entity:It> <http://www.w3.org/2000/01/rdf-schema#label> "${SECRET}" . <urn:${SECRET}> a <urn:${SECRET}> .`,
    });
  await engine.import({
    source: 'open',
    contentType: 'text/turtle',
    data: '<urn:rdf-worlds:entity:Ada> <http://www.w3.org/2000/01/rdf-schema#label> "Ada" ; <urn:knows> "nothing" .',
  });
  return { engine, client: await aClient(engine, { principal: PRINCIPAL, limits: { timeoutMs: 1_500 } }) };
}

it.each(FOREIGN)('reaches no foreign world: %s %j', async (name, input) => {
  const { engine, client } = await aTarget();
  const before = await revisions(engine);
  const result = await callTool(client, name, input as object);
  expect(result.isError).toBe(true);
  expect(textOf(result)).toMatch(/^(?:PERMISSION_DENIED|INVALID_ARGUMENT): /);
  expect(JSON.stringify(result)).not.toMatch(/urn:kingfisher|"kingfisher/);
  expect(await revisions(engine)).toEqual(before);
});

it.each(REFUSED)('refuses, and stays as it was: %s %j', async (name, input) => {
  const { engine, client } = await aTarget();
  const before = await revisions(engine);
  const result = await callTool(client, name, input as object);
  expect(result.isError, JSON.stringify(result.content)).toBe(true);
  // Never INTERNAL, and never a stack.
  expect(textOf(result)).toMatch(
    /^(?:INVALID_ARGUMENT|INVALID_RDF|INVALID_SPARQL|LIMIT_EXCEEDED|NOT_FOUND|UNSUPPORTED|TIMEOUT): /,
  );
  expect(textOf(result)).not.toMatch(/\n {4}at |node_modules|\/packages\//);
  expect(estimateTokens(textOf(result))).toBeLessThan(1_500);
  expect(await revisions(engine)).toEqual(before);
  expect(textOf(await callTool(client, 'look', { entity: 'Ada', world }))).toContain('"nothing"');
});

it.each(HARMLESS)('shows nothing foreign and stores only what it says: %s %j', async (name, input) => {
  const { engine, client } = await aTarget();
  const before = await revisions(engine);
  const result = await callTool(client, name, input as object);
  expect(result.isError, textOf(result)).toBeUndefined();
  const withoutEcho = JSON.stringify(result).replaceAll(`called \\"${SECRET}\\"`, '');
  expect(withoutEcho).not.toContain(SECRET);
  const after = await revisions(engine);
  expect([after[1], after[2]]).toEqual([before[1], before[2]]);
  if (name === 'remember') {
    const given = (input as { facts: { value?: string; object?: string }[] }).facts[0]!;
    const texts = await objectsOf(engine);
    if (given.value !== undefined) expect(texts).toContain(String(given.value));
    expect(texts).not.toContain('urn:z');
  } else expect(after).toEqual(before);
});

it('has no tools, resources and prompts by the names of prototypes', async () => {
  const { client } = await aTarget();
  for (const name of [
    '__proto__',
    'constructor',
    'toString',
    'hasOwnProperty',
    '',
    'remember ',
    'REMEMBER',
    'x'.repeat(5_000),
  ]) {
    await expect(callTool(client, name), name).rejects.toThrow('There is no tool');
    await expect(client.getPrompt({ name }), name).rejects.toThrow('There is no prompt');
  }
  const uris = [
    'world://default/secret',
    'world://other/secret',
    'world://default/open/%2e%2e%2fsecret',
    'world://default/open/%ZZ',
    'world://default%2Fsecret/open',
    'world:///secret',
    'file:///etc/passwd',
    'http://127.0.0.1:1/',
    `world://default/${'x'.repeat(5_000)}`,
  ];
  for (const uri of uris) {
    const error = await client.readResource({ uri }).then(
      (found) => JSON.stringify(found),
      (refused: Error) => refused.message,
    );
    expect(error, uri).toMatch(/PERMISSION_DENIED|INVALID_ARGUMENT|NOT_FOUND/);
    expect(error).not.toContain(SECRET);
  }
  const ref = { type: 'ref/resource', uri: 'world://{namespace}/{slug}' } as const;
  expect((await client.complete({ ref, argument: { name: 'slug', value: 's' } })).completion.values).toEqual([]);
  expect((await client.listResources()).resources.map(({ uri }) => uri)).toEqual(['world://default/open']);
});

it('stops a call that is cancelled, before it begins and while it runs', async () => {
  const { client, engine } = await aTarget();
  const before = await revisions(engine);
  const cancelled = AbortSignal.abort();
  await expect(
    client.callTool({ name: 'remember', arguments: { world, facts: [fact] } }, undefined, { signal: cancelled }),
  ).rejects.toThrow();
  expect(await revisions(engine)).toEqual(before);
  const running = new AbortController();
  const call = client.callTool({ name: 'query', arguments: { query: ENDLESS } }, undefined, { signal: running.signal });
  setTimeout(() => running.abort('changed my mind'), 50);
  await expect(call).rejects.toThrow();
  // The server is free for the next call.
  expect(textOf(await callTool(client, 'look', { entity: 'Ada', world }))).toContain('"nothing"');
});

it('is not confused by messages that are not calls', async () => {
  const { client } = await aTarget();
  for (const params of [{}, { name: 5 }, { name: 'look', arguments: 'x' }, { name: 'look', arguments: [1] }]) {
    const request = { method: 'tools/call', params } as never;
    await expect(client.request(request, CallToolResultSchema), JSON.stringify(params)).rejects.toThrow();
  }
  expect((await client.listTools()).tools).toHaveLength(14);
});

async function revisions(engine: WorldsEngine): Promise<number[]> {
  const worlds = await Promise.all(
    ['default/open', 'default/secret', 'other/secret'].map((source) => engine.getWorld({ source })),
  );
  return worlds.map((record) => record!.revision);
}

/** The objects of the default graph of the world that the caller may use. */
async function objectsOf(engine: WorldsEngine): Promise<string[]> {
  const objects: string[] = [];
  for await (const { object, graph } of engine.quads({ source: 'open' })) {
    if (graph.termType === 'DefaultGraph') objects.push(object.value);
  }
  return objects;
}
