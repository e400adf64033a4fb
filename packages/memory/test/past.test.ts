import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { WorldsClient } from '@rdf-worlds/client';
import { type Worlds, WorldsEngine } from '@rdf-worlds/core';
import { createWorldsHandler, staticTokens } from '@rdf-worlds/http';
import { nodeListener } from '@rdf-worlds/http/node';
import { describe, expect, it, onTestFinished } from 'vitest';
import { AgentMemory } from '../src/index.ts';
import { caller, TestClock } from './a-memory.ts';

const TOKEN = 'a-token-of-the-owner';

/** A memory on an engine with a history, and a clock that both follow. */
async function aPast(history: { keepMs: number } | undefined, isRemote: boolean) {
  const clock = new TestClock();
  const engine = await WorldsEngine.open({ history, clock: clock.read });
  onTestFinished(() => engine.close());
  await engine.createWorld({ slug: 'notes' });
  const worlds: Worlds = isRemote ? await aClientOf(engine) : engine;
  const memory = new AgentMemory(worlds, { namespace: 'default', clock: clock.read, defaultWorld: 'notes' });
  return { engine, clock, call: caller(memory) };
}

async function aClientOf(engine: WorldsEngine): Promise<WorldsClient> {
  const handler = createWorldsHandler(engine, {
    authenticate: staticTokens([{ token: TOKEN, namespace: 'default' }]),
  });
  const server = createServer(nodeListener(handler)).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const client = new WorldsClient({
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    token: TOKEN,
  });
  onTestFinished(() => client.close());
  return client;
}

const document = (age: number) => `<urn:ann> <urn:age> ${age} .`;
const AGES = { query: 'SELECT ?age { <urn:ann> <urn:age> ?age } ORDER BY ?age' };
const AT_FIRST = '2026-01-15T00:00:00Z';

describe.each([
  ['an engine', false],
  ['a server', true],
])('the past of %s', (_, isRemote) => {
  it('is what the whole world said at a time, also without provenance', async () => {
    const { call, clock, engine } = await aPast({ keepMs: 1e12 }, isRemote);
    clock.set('2026-01-10T00:00:00Z');
    await call('import_document', { document: document(41) });
    clock.set('2026-02-10T00:00:00Z');
    await engine.createWorld({ slug: 'later' });
    await engine.update({
      sources: ['notes'],
      query: 'DELETE DATA { <urn:ann> <urn:age> 41 } ; INSERT DATA { <urn:ann> <urn:age> 42 }',
    });
    clock.set('2026-03-10T00:00:00Z');
    expect((await call('query', AGES)).text).toMatch(/^\?age\n42\n/);
    // The world that came later does not matter, unless it is named.
    expect((await call('query', { ...AGES, recorded_at: AT_FIRST })).text).toMatch(/^\?age\n41\n/);
    const ask = { query: 'ASK { <urn:ann> <urn:age> 41 }', recorded_at: AT_FIRST };
    expect((await call('query', ask)).text).toBe('true');
    const construct = { query: 'CONSTRUCT WHERE { <urn:ann> ?p ?o }', recorded_at: AT_FIRST };
    expect((await call('query', construct)).text).toContain('<urn:ann> <urn:age> 41 .');
    await expect(call('query', { ...AGES, worlds: ['later'], recorded_at: AT_FIRST })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
    await expect(call('query', { ...AGES, recorded_at: '2027' })).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
    const then = await call('state_at', { entity: '<urn:ann>', recorded_at: AT_FIRST });
    expect(then.data).toMatchObject({ facts: [{ predicate: '<urn:age>', object: '41' }] });
    expect(then.data).not.toHaveProperty('plainAsOfNow');
    const early = await call('state_at', { world: 'later', entity: '<urn:ann>', recorded_at: AT_FIRST });
    expect(early.text).toContain('Nothing was known to hold then.');
  });

  it('is of facts what was recorded by then, and of other triples what was stored', async () => {
    const { call, clock, engine } = await aPast({ keepMs: 1e12 }, isRemote);
    const knows = { subject: '<urn:ann>', predicate: '<urn:knows>', object: '<urn:bob>' };
    clock.set('2026-01-10T00:00:00Z');
    await call('import_document', { document: '<urn:ann> <urn:knows> <urn:bob> ; <urn:age> 41 .' });
    clock.set('2026-02-10T00:00:00Z');
    // The triple that was stored without provenance is told again, and forgotten later.
    await call('remember', { facts: [knows, { ...knows, object: '<urn:eve>' }] });
    clock.set('2026-03-10T00:00:00Z');
    await call('forget', { facts: [knows] });
    await engine.update({ sources: ['notes'], query: 'DELETE DATA { <urn:ann> <urn:age> 41 }' });
    clock.set('2026-04-10T00:00:00Z');
    const objects = async (recorded_at: string) => {
      const { data } = await call('state_at', { entity: '<urn:ann>', recorded_at });
      return (data as { facts: { object: string }[] }).facts.map(({ object }) => object).sort();
    };
    expect(await objects('2026-01-05')).toEqual([]);
    expect(await objects('2026-01-15')).toEqual(['41', '<urn:bob>']);
    expect(await objects('2026-02-15')).toEqual(['41', '<urn:bob>', '<urn:eve>']);
    expect(await objects('2026-03-15')).toEqual(['<urn:eve>']);
  });

  it('is an error that says so where it is not kept', async () => {
    const { call, clock } = await aPast(undefined, isRemote);
    clock.set('2026-01-10T00:00:00Z');
    await call('import_document', { document: document(41) });
    await call('remember', { facts: [{ subject: '<urn:ann>', predicate: '<urn:knows>', object: '<urn:bob>' }] });
    clock.set('2026-02-10T00:00:00Z');
    const late = call('query', { ...AGES, recorded_at: AT_FIRST });
    await expect(late).rejects.toMatchObject({ code: 'TRUNCATED' });
    await expect(late).rejects.toThrow(/does not reach back to 2026-01-15.*--history-ms/);
    await expect(late).rejects.not.toThrow(/revision/);
    // Facts have their own times; the result says what else it shows.
    const { data, text } = await call('state_at', { entity: '<urn:ann>', recorded_at: AT_FIRST });
    expect(data).toMatchObject({ plainAsOfNow: true, facts: [{ object: '41' }, { object: '<urn:bob>' }] });
    expect(text).toContain('(facts without a recorded time are shown as they are now');
  });
});
