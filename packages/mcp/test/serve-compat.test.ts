import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { expect, it } from 'vitest';
import { callTool, textOf } from './a-client.ts';
import { aFolder, aServedCommand } from './a-command.ts';

const [ACME, GLOBEX, READER] = ['acme', 'globex', 'reader'].map((name) => `token-of-${name}-0123456789`) as [
  string,
  string,
  string,
];
const TOKENS = [
  { token: ACME, namespace: 'acme' },
  { token: GLOBEX, namespace: 'globex' },
  { token: READER, grants: [{ namespace: 'platform', world: 'memory', read: true }] },
];

interface Graph {
  readonly entities: readonly { readonly name: string; readonly observations: readonly string[] }[];
}

async function graphOf(client: Client): Promise<Graph> {
  const result = await callTool(client, 'read_graph');
  if (result.isError) throw new Error(textOf(result));
  return result.structuredContent as unknown as Graph;
}

it('serves the reference memory to two clients that write at the same time, and keeps all of it', async () => {
  const args = ['--data', aFolder(), '--compat', 'memory'];
  const server = await aServedCommand(args, TOKENS);
  const [one, two, other] = [await server.connect(ACME), await server.connect(ACME), await server.connect(GLOBEX)];
  // The first calls of both create the world.
  const begun = [one, two].map((client, i) =>
    callTool(client, 'create_entities', { entities: [{ name: `Agent ${i}`, entityType: 'agent', observations: [] }] }),
  );
  for (const result of await Promise.all(begun)) expect(result.isError).toBeUndefined();
  const calls = Array.from({ length: 80 }, (_, i) => {
    // Half of the calls go to the same entity, and every eighth adds what another adds, too.
    const entityName = i % 4 < 2 ? 'Agent 0' : 'Agent 1';
    const contents = [`note ${i}`, `common ${i >> 3}`];
    return callTool(i % 2 ? one : two, 'add_observations', { observations: [{ entityName, contents }] });
  });
  for (const result of await Promise.all(calls)) expect(result.isError).toBeUndefined();
  const expected = (agent: number) => {
    const own = Array.from({ length: 80 }, (_, i) => i).filter((i) => (i % 4 < 2 ? 0 : 1) === agent);
    return new Set([...own.map((i) => `note ${i}`), ...own.map((i) => `common ${i >> 3}`)]);
  };
  const check = async (client: Client) => {
    const { entities } = await graphOf(client);
    expect(entities.map(({ name }) => name).sort()).toEqual(['Agent 0', 'Agent 1']);
    for (const { name, observations } of entities) {
      const wanted = expected(Number(name.at(-1)));
      expect(observations).toHaveLength(wanted.size);
      expect(new Set(observations)).toEqual(wanted);
    }
  };
  await check(one);
  expect(await graphOf(other)).toEqual({ entities: [], relations: [] });
  expect(await server.stop()).toBe(0);
  await check(await (await aServedCommand(args, TOKENS)).connect(ACME));
});

it('creates no world for a caller who may not write it', async () => {
  const server = await aServedCommand(['--memory', '--compat', 'memory'], TOKENS);
  const result = await callTool(await server.connect(READER), 'read_graph');
  expect([result.isError, textOf(result)]).toEqual([true, expect.stringMatching(/^NOT_FOUND: /)]);
});
