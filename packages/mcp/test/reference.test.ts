import type { WorldsEngine } from '@rdf-worlds/core';
import { ReferenceMemory } from '@rdf-worlds/memory';
import { expect, it } from 'vitest';
import { createMcpServer, type McpServerOptions } from '../src/index.ts';
import { aClient, anEngine, callTool, textOf } from './a-client.ts';

const OPTIONS: McpServerOptions = { compat: 'memory', worlds: ['memory'] };

async function aReferenceClient(options: McpServerOptions = {}) {
  const engine = await anEngine('memory');
  const client = await aClient(engine, { ...OPTIONS, ...options });
  return { engine, client };
}

/** What a client of the reference server reads: the text, as JSON. */
async function read(client: Awaited<ReturnType<typeof aClient>>, name: string, input: object = {}) {
  const result = await callTool(client, name, input);
  const parsed = JSON.parse(textOf(result)) as { entities: { name: string }[]; relations: unknown[] };
  expect(result.structuredContent).toEqual(parsed);
  return parsed;
}

const john = { name: 'John_Smith', entityType: 'person', observations: ['Speaks fluent Spanish'] };
const company = { name: 'Anthropic', entityType: 'organization', observations: [] };
const worksAt = { from: 'John_Smith', to: 'Anthropic', relationType: 'works_at' };

it('passes the calls of the documented examples', async () => {
  const { client, engine } = await aReferenceClient();
  const { tools } = await client.listTools();
  expect(tools.map(({ name, inputSchema }) => [name, Object.keys(inputSchema.properties ?? {})])).toEqual([
    ['create_entities', ['entities']],
    ['create_relations', ['relations']],
    ['add_observations', ['observations']],
    ['delete_entities', ['entityNames']],
    ['delete_observations', ['deletions']],
    ['delete_relations', ['relations']],
    ['read_graph', []],
    ['search_nodes', ['query']],
    ['open_nodes', ['names']],
  ]);
  const revision = async () => (await engine.getWorld({ source: 'memory' }))!.revision;
  const first = await revision();
  const created = await callTool(client, 'create_entities', { entities: [john, company, john] });
  expect(JSON.parse(textOf(created))).toEqual([john, company]);
  expect(created.structuredContent).toEqual({ entities: [john, company] });
  expect(await revision()).toBe(first + 1);
  expect(textOf(await callTool(client, 'create_entities', { entities: [{ ...john, entityType: 'robot' }] }))).toBe(
    '[]',
  );
  const related = await callTool(client, 'create_relations', { relations: [worksAt, worksAt] });
  expect(JSON.parse(textOf(related))).toEqual([worksAt]);
  expect(textOf(await callTool(client, 'create_relations', { relations: [worksAt] }))).toBe('[]');
  const contents = ['Speaks fluent Spanish', 'Graduated in 2019', 'Prefers morning meetings'];
  const added = await callTool(client, 'add_observations', { observations: [{ entityName: 'John_Smith', contents }] });
  expect(JSON.parse(textOf(added))).toEqual([{ entityName: 'John_Smith', addedObservations: contents.slice(1) }]);
  expect(await revision()).toBe(first + 3);
  const whole = { entities: [{ ...john, observations: contents }, company], relations: [worksAt] };
  expect(await read(client, 'read_graph')).toEqual(whole);
  const onlyJohn = { entities: [whole.entities[0]], relations: [worksAt] };
  expect(await read(client, 'search_nodes', { query: 'MORNING' })).toEqual(onlyJohn);
  expect(await read(client, 'search_nodes', { query: 'person' })).toEqual(onlyJohn);
  expect(await read(client, 'search_nodes', { query: 'john_s' })).toEqual(onlyJohn);
  expect(await read(client, 'open_nodes', { names: ['John_Smith', 'Nobody'] })).toEqual(onlyJohn);
  expect(await read(client, 'open_nodes', { names: ['Nobody'] })).toEqual({ entities: [], relations: [] });
  const deletions = [{ entityName: 'John_Smith', observations: ['Graduated in 2019'] }];
  expect(textOf(await callTool(client, 'delete_observations', { deletions }))).toBe(
    'Observations deleted successfully',
  );
  expect(textOf(await callTool(client, 'delete_relations', { relations: [worksAt] }))).toBe(
    'Relations deleted successfully',
  );
  const deleted = await callTool(client, 'delete_entities', { entityNames: ['Anthropic'] });
  expect(deleted.structuredContent).toEqual({ success: true, message: 'Entities deleted successfully' });
  expect(await read(client, 'read_graph')).toEqual({
    entities: [{ ...john, observations: ['Speaks fluent Spanish', 'Prefers morning meetings'] }],
    relations: [],
  });
});

it('deletes the relations of an entity in both directions, and creates it again', async () => {
  const { client } = await aReferenceClient();
  await callTool(client, 'create_entities', { entities: [john, company] });
  await callTool(client, 'create_relations', {
    relations: [worksAt, { from: 'Anthropic', to: 'John_Smith', relationType: 'pays' }],
  });
  await callTool(client, 'delete_entities', { entityNames: ['Anthropic'] });
  expect((await read(client, 'read_graph')).relations).toEqual([]);
  const again = { ...company, entityType: 'company', observations: ['Founded in 2021'] };
  await callTool(client, 'create_entities', { entities: [again] });
  expect((await read(client, 'open_nodes', { names: ['Anthropic'] })).entities).toEqual([again]);
});

it('refuses observations of an unknown entity, and adds none of the call', async () => {
  const { client } = await aReferenceClient();
  await callTool(client, 'create_entities', { entities: [john] });
  const observations = [
    { entityName: 'John_Smith', contents: ['new'] },
    { entityName: 'Nobody', contents: ['x'] },
  ];
  const result = await callTool(client, 'add_observations', { observations });
  expect(result.isError).toBe(true);
  expect(textOf(result)).toContain('Entity with name Nobody not found; create it with create_entities first');
  expect((await read(client, 'open_nodes', { names: ['John_Smith'] })).entities).toEqual([john]);
});

it('keeps names and texts exactly', async () => {
  const { client } = await aReferenceClient();
  const names = [
    'a b',
    'a_b',
    'a%20b',
    '__proto__',
    'constructor',
    'ünï 🎉',
    'a/b:c#d?e',
    '"<>\\`{}|^',
    'A B',
    ' a b ',
  ];
  const entities = names.map((name) => ({
    name,
    entityType: `type ${name}`,
    observations: [`${name} "x" \n \\u0041 ?s`],
  }));
  const relations = names.map((name, i) => ({
    from: name,
    to: names[(i + 1) % names.length]!,
    relationType: `to ${name}`,
  }));
  await callTool(client, 'create_entities', { entities });
  await callTool(client, 'create_relations', { relations });
  expect(await read(client, 'read_graph')).toEqual({ entities, relations });
  for (const [i, name] of names.entries()) {
    expect((await read(client, 'open_nodes', { names: [name] })).entities).toEqual([entities[i]]);
    expect((await read(client, 'search_nodes', { query: `${name} "x"` })).entities).toContainEqual(entities[i]);
  }
});

it('finds by words when no text contains the query', async () => {
  const { client } = await aReferenceClient();
  await callTool(client, 'create_entities', {
    entities: [{ ...john, observations: ['Prefers meetings in the morning'] }, company],
  });
  const { entities } = await read(client, 'search_nodes', { query: 'morning meeting' });
  expect(entities.map(({ name }) => name)).toEqual(['John_Smith']);
});

it('imports a memory.jsonl, and again without bringing back what was deleted', async () => {
  const { client, engine } = await aReferenceClient();
  const memory = new ReferenceMemory(engine, { namespace: 'default', slug: 'memory' });
  const lines = [
    { type: 'entity', ...john, observations: ['Speaks fluent Spanish', 'Has a dog'] },
    { type: 'entity', ...company },
    { type: 'relation', ...worksAt },
  ].map((item) => JSON.stringify(item));
  const source = 'memory.jsonl';
  expect(await memory.importLines(`${lines.join('\n')}\n`, { source })).toEqual({
    entities: 2,
    relations: 1,
    observations: 2,
  });
  await callTool(client, 'delete_observations', {
    deletions: [{ entityName: 'John_Smith', observations: ['Has a dog'] }],
  });
  await callTool(client, 'delete_entities', { entityNames: ['Anthropic'] });
  const grown = [...lines, JSON.stringify({ type: 'entity', ...john, observations: ['Likes tea'] })].join('\n');
  expect(await memory.importLines(grown, { source })).toEqual({ entities: 0, relations: 0, observations: 1 });
  expect(await read(client, 'read_graph')).toEqual({
    entities: [{ ...john, observations: ['Speaks fluent Spanish', 'Likes tea'] }],
    relations: [],
  });
  await expect(memory.importLines(`${lines[0]}\n{"type":"entity","name":1}`)).rejects.toThrow(/^line 2: expected/);
  await expect(memory.importLines('{')).rejects.toThrow(/^line 1: it is not valid JSON/);
});

it('shows the same memory to our own tools, with its history', async () => {
  const { client, engine } = await aReferenceClient();
  await callTool(client, 'create_entities', { entities: [john] });
  await callTool(client, 'delete_observations', {
    deletions: [{ entityName: 'John_Smith', observations: john.observations }],
  });
  const own = await aClient(engine, { worlds: ['memory'] });
  const history = textOf(await callTool(own, 'history', { entity: 'John_Smith' }));
  expect(history).toMatch(/mem:observation "Speaks fluent Spanish" {2}\[fact:\S+; RETRACTED; recorded \S+; retracted /);
  await callTool(own, 'remember', { facts: [{ subject: 'Ada Lovelace', predicate: 'knows', object: 'John_Smith' }] });
  expect((await read(client, 'open_nodes', { names: ['Ada Lovelace'] })).relations).toEqual([
    { from: 'Ada Lovelace', to: 'John_Smith', relationType: 'knows' },
  ]);
});

it('loses nothing of two clients at the same time', async () => {
  const { client, engine } = await aReferenceClient();
  const other = await aClient(engine, OPTIONS);
  await callTool(client, 'create_entities', { entities: [{ ...john, observations: [] }] });
  const add = (from: typeof client, text: string) =>
    callTool(from, 'add_observations', { observations: [{ entityName: 'John_Smith', contents: [text] }] });
  const numbers = Array.from({ length: 50 }, (_, i) => i);
  await Promise.all(numbers.flatMap((i) => [add(client, `one ${i}`), add(other, `two ${i}`), add(other, 'both')]));
  const [entity] = (await read(other, 'read_graph')).entities as unknown as { observations: string[] }[];
  expect(entity!.observations).toHaveLength(101);
});

/** Counts the calls of an engine. */
function counted(engine: WorldsEngine) {
  const calls: string[] = [];
  const proxy = new Proxy(engine, {
    get(target, name) {
      const value = Reflect.get(target, name) as unknown;
      if (typeof value !== 'function') return value;
      return (...args: unknown[]) => {
        calls.push(String(name));
        return (value as (...list: unknown[]) => unknown).apply(target, args);
      };
    },
  });
  return { engine: proxy, calls };
}

it('opens and searches 10,000 observations with a few reads, and changes them with one write', async () => {
  const { engine, calls } = counted(await anEngine('memory'));
  // To read the whole graph takes a second of an idle machine.
  const client = await aClient(engine, { ...OPTIONS, limits: { timeoutMs: 120_000 } });
  for (let batch = 0; batch < 10; batch++) {
    const entities = Array.from({ length: 100 }, (_, i) => ({
      name: `Person ${batch * 100 + i}`,
      entityType: 'person',
      observations: Array.from({ length: 10 }, (_, k) => `Note ${k} about number ${batch * 100 + i}`),
    }));
    await callTool(client, 'create_entities', { entities });
  }
  expect(calls.filter((name) => name === 'write')).toHaveLength(10);
  calls.length = 0;
  const opened = await read(client, 'open_nodes', { names: ['Person 512'] });
  expect(opened.entities).toHaveLength(1);
  expect(calls).toEqual(['quads', 'select', 'select', 'select']);
  calls.length = 0;
  const found = await read(client, 'search_nodes', { query: 'Note 3 about number 777' });
  expect(found.entities.map(({ name }) => name)).toEqual(['Person 777']);
  expect(calls).toEqual(['select', 'select', 'select', 'select', 'select']);
  calls.length = 0;
  await callTool(client, 'add_observations', { observations: [{ entityName: 'Person 1', contents: ['x'] }] });
  expect(calls.filter((name) => name === 'write')).toHaveLength(1);
  expect(calls.length).toBeLessThan(8);
  const all = await callTool(client, 'read_graph');
  expect([all.isError, textOf(all)]).toEqual([true, expect.stringContaining('1000 entities and 0 relations')]);
});

it('offers to a read-only client what reads, and needs one world', async () => {
  const { client } = await aReferenceClient({ readOnly: true });
  expect((await client.listTools()).tools.map(({ name }) => name)).toEqual([
    'read_graph',
    'search_nodes',
    'open_nodes',
  ]);
  const engine = await anEngine();
  expect(() => createMcpServer(engine, { compat: 'memory' })).toThrow('pass worlds with one slug');
  expect(() => createMcpServer(engine, { ...OPTIONS, compat: 'other' as never })).toThrow('the only value is memory');
});
