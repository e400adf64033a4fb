import { EmptyResultSchema } from '@modelcontextprotocol/sdk/types.js';
import { expect, it } from 'vitest';
import { createMcpServer } from '../src/index.ts';
import { aClient, anEngine, callTool, textOf } from './a-client.ts';

it('goes through every tool', async () => {
  const client = await aClient(await anEngine());
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toEqual([
    'list_worlds',
    'create_world',
    'describe_world',
    'search',
    'find_entity',
    'look',
    'query',
    'remember',
    'correct',
    'forget',
    'history',
    'state_at',
    'import_document',
    'remember_document',
  ]);
  const world = 'notes';
  const acme = { subject: 'Ada', predicate: 'employer', object: 'Acme' };
  const calls: readonly (readonly [string, object, RegExp])[] = [
    ['create_world', { world }, /^Created the world notes/],
    ['list_worlds', {}, /^notes$/],
    ['remember', { world, facts: [acme], source: 'a call' }, /^Recorded 1 fact/],
    ['find_entity', { name: 'Ada' }, /^e:Ada "Ada" \(exact, 1\)/],
    ['look', { world, entity: 'Ada' }, /v:employer e:Acme \(Acme\)/],
    ['search', { query: 'acme' }, /e:Acme/],
    ['describe_world', { world }, /v:employer 1/],
    ['query', { query: 'SELECT ?o { e:Ada v:employer ?o }' }, /^\?o\ne:Acme\n/],
    ['correct', { world, old: acme, kind: 'wrong', object: 'Initech' }, /retracted: e:Ada v:employer e:Acme/],
    ['forget', { world, facts: [{ ...acme, object: 'Initech' }] }, /^Retracted 1 fact/],
    ['history', { world, entity: 'Ada' }, /RETRACTED/],
    ['state_at', { world, entity: 'Ada', valid_at: '2020' }, /Nothing was known|rdfs:label/],
    ['import_document', { world, document: '<urn:a> <urn:b> 1 .' }, /^Stored 1 new quads/],
    ['remember_document', { world, document: 'Minutes', text: 'Nothing was said.' }, /^e:Minutes: 17 characters; 1 /],
  ];
  for (const [name, input, expected] of calls) {
    // The client validates structured content against the output schema that it was told.
    const result = await callTool(client, name, input);
    expect([name, textOf(result)]).toEqual([name, expect.stringMatching(expected)]);
    expect(result.isError).toBeUndefined();
    expect(result.structuredContent).toBeTypeOf('object');
  }
});

it('answers calls that are sent together as if they came one after the other', async () => {
  const client = await aClient(await anEngine('notes'));
  const fact = (employer: string) => ({ subject: 'Ada', predicate: 'employer', object: employer });
  const answers = await Promise.all([
    callTool(client, 'remember', { world: 'notes', facts: [fact('Acme')] }),
    callTool(client, 'look', { world: 'notes', entity: 'Ada' }),
    callTool(client, 'correct', { world: 'notes', old: fact('Acme'), kind: 'wrong', object: 'Initech' }),
    callTool(client, 'look', { world: 'notes', entity: 'Ada' }),
    callTool(client, 'forget', { world: 'notes', facts: [fact('Initech')] }),
    callTool(client, 'look', { world: 'notes', entity: 'Ada' }),
  ]);
  const [, afterRemember, , afterCorrect, , afterForget] = answers.map(textOf);
  expect(afterRemember).toContain('e:Acme');
  expect(afterCorrect).toContain('e:Initech');
  expect(afterForget).not.toContain('e:Initech');
});

it('lets a cancelled call wait no longer for those before it', async () => {
  const client = await aClient(await anEngine('notes'));
  const facts = Array.from({ length: 200 }, (_, at) => ({ subject: `S${at}`, predicate: 'age', value: at }));
  const cancelled = new AbortController();
  const first = callTool(client, 'remember', { world: 'notes', facts });
  const second = client.callTool({ name: 'look', arguments: { world: 'notes', entity: 'S7' } }, undefined, {
    signal: cancelled.signal,
  });
  const third = callTool(client, 'look', { world: 'notes', entity: 'S8' });
  cancelled.abort('no longer wanted');
  await expect(second).rejects.toThrow('no longer wanted');
  expect((await first).isError).toBeUndefined();
  expect(textOf(await third)).toContain('v:age 8');
});

it('says which tools only read, and which destroy', async () => {
  const { tools } = await (await aClient(await anEngine())).listTools();
  const named = (matches: (hints: NonNullable<(typeof tools)[number]['annotations']>) => boolean | undefined) =>
    tools.filter(({ annotations }) => matches(annotations!)).map(({ name }) => name);
  expect(named(({ readOnlyHint }) => !readOnlyHint)).toEqual([
    'create_world',
    'remember',
    'correct',
    'forget',
    'import_document',
    'remember_document',
  ]);
  expect(named(({ destructiveHint }) => destructiveHint)).toEqual(['correct', 'forget', 'remember_document']);
});

it('needs no names of worlds if there is one', async () => {
  const client = await aClient(await anEngine('notes', 'other'), { worlds: ['notes'] });
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).not.toContain('list_worlds');
  for (const { inputSchema } of tools) {
    expect(inputSchema.properties).not.toHaveProperty('world');
    expect(inputSchema.properties).not.toHaveProperty('worlds');
  }
  await callTool(client, 'remember', { facts: [{ subject: 'Ada', predicate: 'age', value: 36 }] });
  expect(textOf(await callTool(client, 'look', { entity: 'Ada' }))).toContain('v:age 36');
  expect(textOf(await callTool(client, 'look', { entity: 'Ada', world: 'other' }))).toMatch(/^PERMISSION_DENIED/);
});

it('has resources for worlds and entities', async () => {
  const client = await aClient(await anEngine('a', 'b'));
  expect((await client.listResources()).resources.map(({ uri }) => uri)).toEqual([
    'world://default/a',
    'world://default/b',
  ]);
  expect((await client.listResourceTemplates()).resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual([
    'world://{namespace}/{slug}',
    'world://{namespace}/{slug}/{entity}',
  ]);
  await callTool(client, 'remember', { world: 'a', facts: [{ subject: 'Ada', predicate: 'age', value: 36 }] });
  const read = async (uri: string) => (await client.readResource({ uri })).contents[0] as { text: string };
  expect((await read('world://default/a')).text).toContain('v:age 1');
  const entity = encodeURIComponent('urn:rdf-worlds:entity:Ada');
  expect((await read(`world://default/a/${entity}`)).text).toContain('v:age 36');
  await expect(read('world://default/missing')).rejects.toMatchObject({ code: -32002 });
  await expect(read('file:///etc/passwd')).rejects.toThrow('is no resource of this server');
});

it('lists more worlds than fit on a page', async () => {
  const slugs = Array.from({ length: 230 }, (_, i) => `w${String(i).padStart(3, '0')}`);
  const client = await aClient(await anEngine(...slugs));
  const found: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await client.listResources({ cursor });
    found.push(...page.resources.map(({ name }) => name));
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  expect(found).toEqual(slugs);
});

it('has prompts, and completes the names of worlds', async () => {
  const client = await aClient(await anEngine('alpha', 'alps', 'beta'));
  expect((await client.listPrompts()).prompts.map(({ name }) => name)).toEqual(['remember', 'recall']);
  const { messages } = await client.getPrompt({ name: 'recall', arguments: { question: 'Who is Ada?' } });
  expect(messages[0]!.content).toMatchObject({ text: expect.stringContaining('"Who is Ada?"') });
  await expect(client.getPrompt({ name: 'recall' })).rejects.toThrow('question is missing');
  await expect(client.getPrompt({ name: 'constructor' })).rejects.toThrow('the prompts are remember, recall');
  const complete = async (ref: Parameters<typeof client.complete>[0]['ref'], name: string, value: string) =>
    (await client.complete({ ref, argument: { name, value } })).completion.values;
  expect(await complete({ type: 'ref/prompt', name: 'recall' }, 'world', 'al')).toEqual(['alpha', 'alps']);
  expect(await complete({ type: 'ref/resource', uri: 'world://{namespace}/{slug}' }, 'slug', 'B')).toEqual(['beta']);
  expect(await complete({ type: 'ref/prompt', name: 'recall' }, 'question', '')).toEqual([]);
});

it('tells the progress of an import', async () => {
  const client = await aClient(await anEngine('notes'));
  const document = Array.from({ length: 20_000 }, (_, i) => `<urn:s${i}> <urn:p> ${i} .`).join('\n');
  const steps: number[] = [];
  await client.callTool({ name: 'import_document', arguments: { world: 'notes', document } }, undefined, {
    onprogress: ({ progress }) => steps.push(progress),
  });
  expect(steps.at(-1)).toBe(20_000);
  expect(steps).toEqual([...new Set(steps)].sort((a, b) => a - b));
});

it('answers a ping, and refuses options that it does not know', async () => {
  const engine = await anEngine();
  const client = await aClient(engine);
  expect(EmptyResultSchema.parse(await client.ping())).toEqual({});
  expect(client.getInstructions()).toContain('find_entity');
  expect(() => createMcpServer(engine, { readonly: true } as never)).toThrow('did you mean readOnly?');
});
