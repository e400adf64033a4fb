import { estimateTokens, MEMORY_TOOLS, REFERENCE_TOOLS } from '@rdf-worlds/memory';
import { expect, it } from 'vitest';
import { aClient, anEngine, callTool, textOf } from './a-client.ts';
import { CARELESS, STORED } from './careless-calls.ts';

/** An error is read in full, so it must be short. */
const MAX_TOKENS = 350;
/** What the checks of the schemas say by themselves, which tells a model nothing. */
const RAW = /invalid input|unrecognized|too small|too big|received|undefined|baseIri|\bzod\b|await fetch/i;

it('tells a careless model what to do next, and changes nothing', async () => {
  const engine = await anEngine('memory', 'projects');
  const client = await aClient(engine, { defaultWorld: 'memory', clock: () => Date.UTC(2026, 10, 26, 9) });
  await callTool(client, 'remember', { facts: STORED });
  const { revision } = (await engine.getWorld({ source: 'memory' }))!;
  const answers: unknown[] = [];
  for (const { tool, input, says, ok } of CARELESS) {
    const result = await callTool(client, tool, input);
    const text = textOf(result);
    answers.push({
      call: `${tool} ${JSON.stringify(input)}`,
      isError: result.isError === true,
      missing: says.filter((part) => !text.includes(part)).map((part) => ({ part, text })),
      raw: RAW.exec(text)?.[0],
      isLong: estimateTokens(text) > MAX_TOKENS,
    });
    expect(answers.at(-1)).toEqual({
      call: `${tool} ${JSON.stringify(input)}`,
      isError: ok !== true,
      missing: [],
      raw: undefined,
      isLong: false,
    });
  }
  expect((await engine.getWorld({ source: 'memory' }))!.revision).toBe(revision);
});

it.each([...MEMORY_TOOLS, ...REFERENCE_TOOLS].map((tool) => [tool.name, tool] as const))(
  'shows a right call of %s in its errors',
  (_, { input, example }) => {
    expect(input.safeParse(example).success).toBe(true);
  },
);

it('names the worlds that the caller may read, and no others', async () => {
  const engine = await anEngine('open', 'secret');
  const client = await aClient(engine, { worlds: ['open', 'planned'] });
  const text = textOf(await callTool(client, 'look', { world: 'planned', entity: 'Ada' }));
  expect(text).toContain('There is no world planned. The worlds are open');
  expect(text).not.toContain('secret');
});

it('proposes the nearest tool, and lists all', async () => {
  const client = await aClient(await anEngine('memory'), {});
  await expect(callTool(client, 'rember', {})).rejects.toThrow(/did you mean remember\? The tools are list_worlds, /);
  await expect(callTool(client, 'add_fact', {})).rejects.toThrow(/no tool "add_fact". The tools are list_worlds, /);
});
