import { WorldsEngine } from '@rdf-worlds/core';
import { MEMORY_TOOLS } from '@rdf-worlds/memory';
import { generateText, stepCountIs, streamText } from 'ai';
import { convertArrayToReadableStream, MockLanguageModelV3 } from 'ai/test';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { tools } from '../src/index.ts';

let engine: WorldsEngine;
beforeEach(async () => {
  engine = await WorldsEngine.open();
  await engine.createWorld({ slug: 'people' });
});
afterEach(() => engine.close());

const USAGE = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
};
type Part =
  Awaited<ReturnType<MockLanguageModelV3['doStream']>>['stream'] extends ReadableStream<infer Item> ? Item : never;
type Call = { readonly name: string; readonly input: unknown };

/** A model that makes the given calls, one in each step, and then says `Done.` */
function scripted(calls: readonly Call[]): MockLanguageModelV3 {
  let step = 0;
  return new MockLanguageModelV3({
    doGenerate: async () => {
      const call = calls[step++];
      if (!call) {
        return {
          content: [{ type: 'text', text: 'Done.' }],
          finishReason: { unified: 'stop', raw: undefined },
          usage: USAGE,
          warnings: [],
        };
      }
      return {
        content: [
          { type: 'tool-call', toolCallId: `call-${step}`, toolName: call.name, input: JSON.stringify(call.input) },
        ],
        finishReason: { unified: 'tool-calls', raw: undefined },
        usage: USAGE,
        warnings: [],
      };
    },
  });
}

const REMEMBER: Call = {
  name: 'remember',
  input: { facts: [{ subject: 'Ada Lovelace', predicate: 'works at', object: 'Acme' }], source: 'a call' },
};

/** What a model was told in its last step, of the tools. */
function toldLast({ doGenerateCalls }: MockLanguageModelV3) {
  return doGenerateCalls
    .at(-1)!
    .prompt.flatMap(({ role, content }) => (role === 'tool' ? content : []))
    .flatMap((part) => (part.type === 'tool-result' ? [part.output] : []));
}

const options = () => ({ engine, worlds: ['people'] });

describe('the tools for the AI SDK', () => {
  it('are those of the memory, without what only a choice of worlds needs', () => {
    const names = MEMORY_TOOLS.map(({ name }) => name);
    expect(Object.keys(tools({ engine }))).toEqual(names);
    const single = names.filter((name) => name !== 'list_worlds' && name !== 'create_world');
    expect(Object.keys(tools(options()))).toEqual(single);
    const reading = Object.keys(tools({ ...options(), readOnly: true }));
    expect(reading).toContain('look');
    expect(reading).not.toContain('remember');
  });

  it('store what a model remembers, and tell it what is known', async () => {
    const model = scripted([REMEMBER, { name: 'look', input: { entity: 'Ada Lovelace' } }]);
    const { text, steps } = await generateText({
      model,
      tools: tools(options()),
      prompt: '-',
      stopWhen: stepCountIs(5),
    });
    expect(text).toBe('Done.');
    expect(await engine.ask({ sources: ['people'], query: 'ASK { ?s ?p "Ada Lovelace" }' })).toBe(true);
    const told = toldLast(model);
    expect(told.map(({ type }) => type)).toEqual(['text', 'text']);
    expect(told[1]).toMatchObject({ value: expect.stringMatching(/works_at .*Acme/) });
    // The program has the data too.
    const [result] = steps[0].toolResults;
    expect(result.output).toMatchObject({ text: expect.any(String), data: { recordedCount: 1 } });
  });

  it('work in a stream', async () => {
    let step = 0;
    const model = new MockLanguageModelV3({
      doStream: async () => ({
        stream: convertArrayToReadableStream<Part>(
          step++ === 0
            ? [
                { type: 'tool-call', toolCallId: '1', toolName: REMEMBER.name, input: JSON.stringify(REMEMBER.input) },
                { type: 'finish', finishReason: { unified: 'tool-calls', raw: undefined }, usage: USAGE },
              ]
            : [
                { type: 'text-start', id: '1' },
                { type: 'text-delta', id: '1', delta: 'Done.' },
                { type: 'text-end', id: '1' },
                { type: 'finish', finishReason: { unified: 'stop', raw: undefined }, usage: USAGE },
              ],
        ),
      }),
    });
    const { text } = streamText({ model, tools: tools(options()), prompt: '-', stopWhen: stepCountIs(3) });
    expect(await text).toBe('Done.');
    expect((await engine.search({ query: 'lovelace', sources: ['people'] })).length).toBeGreaterThan(0);
  });

  it('tell the model what is wrong with a call, and what to do', async () => {
    const model = scripted([
      { name: 'look', input: { entiti: 'Ada' } },
      { name: 'query', input: { query: 'SELECT' } },
      { name: 'look', input: { entity: 'Ada', world: 'other/secret' } },
    ]);
    await generateText({ model, tools: tools(options()), prompt: '-', stopWhen: stepCountIs(5) });
    const told = toldLast(model).map((output) => JSON.stringify(output));
    expect(told).toHaveLength(3);
    expect(told[0]).toMatch(/error-text.*look: .*entity.*The arguments are/);
    expect(told[1]).toMatch(/error-text.*line 1/);
    expect(told[2]).toMatch(/error-text/);
    expect(told[2]).not.toMatch(/secret.*triples/);
  });

  it('wait for consent where the program wants it', async () => {
    const approvals = (approval: 'none' | 'destructive' | 'writes') =>
      Object.entries(tools({ ...options(), approval })).flatMap(([name, { needsApproval }]) =>
        needsApproval ? [name] : [],
      );
    expect(approvals('none')).toEqual([]);
    expect(approvals('destructive')).toContain('forget');
    expect(approvals('destructive')).not.toContain('remember');
    expect(approvals('writes')).toEqual(expect.arrayContaining(['remember', 'correct', 'forget']));
    expect(approvals('writes')).not.toContain('look');
    const asking = tools({ ...options(), approval: 'writes' });
    const { content } = await generateText({ model: scripted([REMEMBER]), tools: asking, prompt: '-' });
    expect(content.map(({ type }) => type)).toContain('tool-approval-request');
    expect(await engine.ask({ sources: ['people'], query: 'ASK { ?s ?p ?o }' })).toBe(false);
  });

  it('stop when the call is aborted', async () => {
    const controller = new AbortController();
    controller.abort();
    const { query } = tools(options());
    const call = { toolCallId: '1', messages: [], abortSignal: controller.signal };
    await expect(query.execute!({ query: 'SELECT * {}' }, call)).rejects.toMatchObject({ code: 'ABORTED' });
  });

  it('refuse unknown options', () => {
    expect(() => tools({ ...options(), world: 'people' } as never)).toThrow(/world/);
    expect(() => tools({ ...options(), approval: 'some' as never })).toThrow(/approval/);
  });
});
