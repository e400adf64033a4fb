import { readFileSync } from 'node:fs';
import { estimateTokens } from '@rdf-worlds/memory';
import { expect, it } from 'vitest';
import { aClient, anEngine, callTool, textOf } from './a-client.ts';

/** What a client gives a model before the first call: names, descriptions and input schemas. */
async function descriptionTokens(worlds?: readonly string[]): Promise<number> {
  const { tools } = await (await aClient(await anEngine('notes'), { worlds })).listTools();
  return estimateTokens(
    JSON.stringify(tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }))),
  );
}

it('describes its tools within the tokens that the README says', async () => {
  const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
  const said = /descriptions of the tools take\s+([\d,]+)\s+tokens,\s+and\s+([\d,]+)\s+with a single world/.exec(
    readme,
  )!;
  const [all, single] = said.slice(1).map((text) => Number(text.replace(',', '')));
  const [allNow, singleNow] = [await descriptionTokens(), await descriptionTokens(['notes'])];
  // Rounded up to hundreds.
  expect([Math.ceil(allNow / 100) * 100, Math.ceil(singleNow / 100) * 100]).toEqual([all, single]);
  expect(allNow).toBeLessThan(4_000);
});

it.each([4_000, 1_000])('returns no more than %i tokens, however much there is', async (maxResultTokens) => {
  const engine = await anEngine('notes');
  const client = await aClient(engine, { worlds: ['notes'], limits: { maxResultTokens } });
  const long = 'a long text about everything, with "quotes", ünïcödé and \\n '.repeat(20);
  const lines = ['<urn:hub> <http://www.w3.org/2000/01/rdf-schema#label> "Hub" .'];
  for (let i = 0; i < 400; i++) {
    lines.push(
      `<urn:hub> <https://example.org/a/very/long/path/to/the/predicate/${i}> ${JSON.stringify(long)} .`,
      `<urn:node${i}> a <https://example.org/classes/${'C'.repeat(80)}${i}> ; <http://www.w3.org/2000/01/rdf-schema#label> ${JSON.stringify(`Hub ${long}${i}`)} ; <urn:to> <urn:hub> .`,
    );
  }
  await engine.import({ source: 'notes', data: lines.join('\n'), contentType: 'text/turtle' });
  const facts = Array.from({ length: 300 }, (_, i) => ({
    subject: 'Ada',
    predicate: `p${i}`,
    value: long,
    source: 'x'.repeat(1_900),
  }));
  const calls: readonly (readonly [string, object])[] = [
    ['remember', { facts }],
    [
      'remember',
      {
        facts: facts
          .map((fact, i) => ({ ...fact, subject: `Somebody called ${i} ${'n'.repeat(150)}`, value: i }))
          .slice(0, 60),
      },
    ],
    ['look', { entity: '<urn:hub>' }],
    ['look', { entity: 'Ada' }],
    ['history', { entity: 'Ada' }],
    ['state_at', { entity: 'Ada', valid_at: '2020', recorded_at: '2100' }],
    ['search', { query: 'everything quotes', limit: 100 }],
    ['remember_document', { document: 'Long', text: long.repeat(50), source: 'x'.repeat(1_900) }],
    ['look', { entity: 'Long' }],
    ['search', { query: 'everything quotes', limit: 100 }],
    ['find_entity', { name: 'Hub', limit: 50 }],
    ['query', { query: 'SELECT * { ?s ?p ?o }' }],
    ['query', { query: 'CONSTRUCT { ?s ?p ?o } WHERE { ?s ?p ?o }' }],
    ['query', { query: `SELECT ${Array.from({ length: 300 }, (_, i) => `?variable${i}`).join(' ')} {}` }],
    ['describe_world', {}],
    [
      'correct',
      {
        old: { subject: 'Ada', predicate: 'p1', value: long },
        kind: 'wrong',
        value: `${long}!`,
        reason: 'y'.repeat(1_999),
      },
    ],
    ['forget', { entity: 'Ada', reason: 'z'.repeat(1_999) }],
    ['look', { entity: 'No such name '.repeat(20) }],
    ['remember', { facts: Array.from({ length: 50 }, () => ({ wrong: long })) }],
  ];
  for (const [name, input] of calls) {
    const result = await callTool(client, name, input);
    const text = estimateTokens(textOf(result));
    const data = estimateTokens(JSON.stringify(result.structuredContent ?? {}));
    expect([name, input, text > maxResultTokens, data > maxResultTokens]).toEqual([name, input, false, false]);
  }
});
