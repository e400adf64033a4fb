import { dataFactory, WorldsEngine } from '@rdf-worlds/core';
import { functionEmbedder } from '@rdf-worlds/core/embedders';
import { expect, it, onTestFinished, vi } from 'vitest';
import { AgentMemory, MEMORY_TOOLS, runTool } from '../src/index.ts';
import { NameIndex } from '../src/name-index.ts';
import { nameSimilarity, plainName } from '../src/name-similarity.ts';
import { worldNames } from '../src/world-names.ts';
import { caller } from './a-memory.ts';

const { literal, namedNode, quad } = dataFactory;
const LABEL = namedNode('http://www.w3.org/2000/01/rdf-schema#label');
const SYLLABLES = [
  'ka',
  'lo',
  'mir',
  'ta',
  'ven',
  'so',
  'ru',
  'bel',
  'nor',
  'qui',
  'zed',
  'fa',
  'han',
  'ji',
  'wex',
  'pol',
];

/** Names of two words, each of them different. */
function nameOf(number: number): string {
  const word = (n: number, length: number) => {
    let text = '';
    for (let at = 0; at < length; at++, n = Math.floor(n / 16)) text += SYLLABLES[n % 16];
    return text[0]!.toUpperCase() + text.slice(1);
  };
  return `${word(number, 3)} ${word(number * 7919, 4)}`;
}

const BOUNDS = { maxNames: 200_000, timeoutMs: 60_000, maxMemoryBytes: 2 ** 30, signal: undefined };

it('finds similar names among 100,000 without comparing most of them', () => {
  const index = new NameIndex<number>();
  for (let i = 0; i < 100_000; i++) index.add(nameOf(i), String(i), i);
  for (const i of [5, 4_711, 99_999]) {
    const name = nameOf(i);
    const misspelt = [name.slice(0, 4) + name.slice(5), `${name.slice(0, 2)}x${name.slice(2)}`, name.toLowerCase()];
    for (const wrong of misspelt) {
      expect(index.similar(wrong, 0.65, 5).map(({ holder }) => holder)).toContain(i);
      expect(index.work.compared).toBeLessThanOrEqual(500);
      expect(index.work.counted).toBeLessThan(500_000);
    }
  }
});

it('finds what comparing all names finds', () => {
  const names = Array.from({ length: 1_500 }, (_, i) => nameOf(i * 31));
  const index = new NameIndex<string>();
  for (const name of names) index.add(name, name, name);
  for (const wrong of [
    ...names.slice(0, 30).map((name) => name.replace(/(.)(.)/, '$2$1')),
    'Ka',
    'Lokata',
    'zzz',
    '',
  ]) {
    const wanted = plainName(wrong);
    const best = Math.max(0, ...names.map((name) => nameSimilarity(wanted, plainName(name))));
    const [found] = index.similar(wrong, 0.65, 1);
    if (best >= 0.65 && wanted !== '') expect([wrong, found?.similarity]).toEqual([wrong, best]);
    else expect(found).toBeUndefined();
  }
});

it('forgets removed names', () => {
  const index = new NameIndex<number>();
  index.add('Ada Lovelace', 'a', 1);
  index.add('Ada Lovelace', 'b', 2);
  index.add('Ada Lovelace', 'a', 1);
  expect(index.size).toBe(2);
  index.remove('Ada Lovelace', 'a');
  index.remove('Ada Lovelace', 'a');
  index.remove('Nobody', 'a');
  expect(index.similar('Ada Lovelase', 0.65, 5).map(({ holder }) => holder)).toEqual([2]);
});

it('reads the names of a world once, and then only what changes', async () => {
  const engine = await WorldsEngine.open({ history: { keepRevisions: 100 } });
  onTestFinished(() => engine.close());
  await engine.createWorld({ slug: 'notes' });
  const named = (i: number, name = nameOf(i)) => quad(namedNode(`urn:${i}`), LABEL, literal(name));
  await engine.write({ source: 'notes', insert: Array.from({ length: 3_000 }, (_, i) => named(i)) });
  const selected = vi.spyOn(engine, 'select');
  const world = { namespace: 'default', slug: 'notes' };
  const all = () => worldNames(engine, world, BOUNDS);
  expect((await all()).index.size).toBe(3_000);
  await all();
  await engine.write({ source: 'notes', insert: [named(9_000, 'Wilhelmina Blackwood')], delete: [named(7)] });
  const { index } = await all();
  expect(selected).toHaveBeenCalledTimes(1);
  expect(index.size).toBe(3_000);
  expect(index.similar('Wilhelmina Blakwood', 0.65, 1)[0]?.holder.value).toBe('urn:9000');
  expect(index.similar(nameOf(7), 1, 1)).toEqual([]);
  // Another world of the same name.
  await engine.deleteWorld({ source: 'notes' });
  await engine.createWorld({ slug: 'notes' });
  expect((await all()).index.size).toBe(0);
});

it('reads the names again where there is no history, and says if there are too many', async () => {
  const engine = await WorldsEngine.open();
  onTestFinished(() => engine.close());
  await engine.createWorld({ slug: 'notes' });
  const memory = new AgentMemory(engine, { namespace: 'default', worlds: ['notes'], limits: { maxComparedNames: 3 } });
  const call = caller(memory);
  const insert = ['Ada Lovelace', 'Mary Somerville', 'Grace Hopper'].map((name, i) =>
    quad(namedNode(`urn:${i}`), LABEL, literal(name)),
  );
  await engine.write({ source: 'notes', insert });
  const found = await call('find_entity', { name: 'Grcae Hoper' });
  expect(found.data).toMatchObject({ candidates: [{ label: 'Grace Hopper', reason: 'similar name' }], partial: false });
  await engine.write({ source: 'notes', insert: [quad(namedNode('urn:9'), LABEL, literal('Katherine Johnson'))] });
  expect((await call('find_entity', { name: 'Kathrin Jonson' })).data).toMatchObject({ partial: true });
});

it('keeps the names that a second reading finds again, and forgets the others', async () => {
  const engine = await WorldsEngine.open();
  onTestFinished(() => engine.close());
  await engine.createWorld({ slug: 'notes' });
  const named = (i: number, name = nameOf(i)) => quad(namedNode(`urn:${i}`), LABEL, literal(name));
  await engine.write({ source: 'notes', insert: Array.from({ length: 300 }, (_, i) => named(i)) });
  const world = { namespace: 'default', slug: 'notes' };
  const { index } = await worldNames(engine, world, BOUNDS);
  const asMany = { ...BOUNDS, maxNames: 300 };
  expect(await worldNames(engine, world, asMany)).toMatchObject({ isPartial: false, index: { size: 300 } });
  await engine.write({
    source: 'notes',
    insert: [named(900, 'Wilhelmina Blackwood'), named(5, 'Ada')],
    delete: [named(7)],
  });
  const next = await worldNames(engine, world, BOUNDS);
  expect(next.index).toBe(index);
  expect(index.size).toBe(301);
  expect(index.similar('Wilhelmina Blakwood', 0.65, 1)[0]?.holder.value).toBe('urn:900');
  expect(index.similar(nameOf(7), 1, 1)).toEqual([]);
  expect(index.similar(nameOf(5), 1, 1)).toHaveLength(1);
  // There are 301 names now; those that were known count as well.
  expect(await worldNames(engine, world, asMany)).toMatchObject({ isPartial: true, index: { size: 300 } });
  // As many as are read at most: the others of the first reading are gone.
  const few = { ...BOUNDS, maxNames: 10 };
  expect(await worldNames(engine, world, few)).toMatchObject({ isPartial: true, index: { size: 10 } });
});

it('an exact name is found without the names of all others', async () => {
  const engine = await WorldsEngine.open();
  onTestFinished(() => engine.close());
  await engine.createWorld({ slug: 'notes' });
  const call = caller(new AgentMemory(engine, { namespace: 'default', worlds: ['notes'] }));
  const facts = (subject: string) => ({ facts: [{ subject, predicate: 'works at', object: 'Acme' }] });
  await call('remember', facts('Ada Lovelace'));
  const selected = vi.spyOn(NameIndex.prototype, 'similar');
  const searched = vi.spyOn(engine, 'search');
  onTestFinished(() => void vi.restoreAllMocks());
  await call('remember', facts('Ada Lovelace'));
  expect((await call('look', { entity: 'Ada Lovelace' })).text).toContain('works_at');
  expect(selected).not.toHaveBeenCalled();
  expect(searched).not.toHaveBeenCalled();
  const { text } = await call('remember', facts('Ada Lovelase'));
  expect(text).toContain('Ada Lovelace');
  expect(selected).toHaveBeenCalled();
});

it('says which entities only their vectors found', async () => {
  // Knows that two names mean the same, and nothing of others.
  const embedder = functionEmbedder({
    id: 'peers',
    dimensions: 2,
    embed: async (texts) => texts.map((text) => (/Kelvin|Thomson/.test(text) ? [1, 0] : [0, 1])),
  });
  const engine = await WorldsEngine.open({ embedder });
  onTestFinished(() => engine.close());
  await engine.createWorld({ slug: 'notes' });
  const insert = ['William Thomson', 'Ada Lovelace', 'The kelvin scale'].map((name, i) =>
    quad(namedNode(`urn:${i}`), LABEL, literal(name)),
  );
  await engine.write({ source: 'notes', insert });
  await engine.flush();
  const call = caller(new AgentMemory(engine, { namespace: 'default', worlds: ['notes'] }));
  const { data } = await call('find_entity', { name: 'Lord Kelvin' });
  const reasons = (data as { candidates: { label: string; reason: string }[] }).candidates.map(
    ({ label, reason }) => [label, reason] as const,
  );
  expect(new Map(reasons)).toEqual(
    new Map([
      ['The kelvin scale', 'found by search'],
      ['William Thomson', 'similar meaning'],
    ]),
  );
  // Meaning alone neither names an entity nor warns of a second one.
  await expect(call('look', { entity: 'Baron Largs' })).rejects.toThrow('call search to find it by what is said');
  const stored = await call('remember', { facts: [{ subject: 'Lord Kelvin', predicate: 'age', value: 83 }] });
  expect(stored.text).not.toContain('William Thomson');
});

it('lets the event loop turn between calls that compare names', async () => {
  const engine = await WorldsEngine.open();
  onTestFinished(() => engine.close());
  await engine.createWorld({ slug: 'notes' });
  const insert = Array.from({ length: 100 }, (_, i) => quad(namedNode(`urn:${i}`), LABEL, literal(nameOf(i))));
  await engine.write({ source: 'notes', insert });
  const memory = new AgentMemory(engine, { namespace: 'default', worlds: ['notes'] });
  const tool = MEMORY_TOOLS.find(({ name }) => name === 'find_entity')!;
  const counts = [0];
  const { similar } = NameIndex.prototype;
  // Each takes longer than a slice, as among many names.
  const spy = vi.spyOn(NameIndex.prototype, 'similar').mockImplementation(function (this: NameIndex<never>, ...given) {
    counts[counts.length - 1]++;
    const end = performance.now() + 12;
    while (performance.now() < end);
    return similar.apply(this, given);
  });
  onTestFinished(() => spy.mockRestore());
  let isRunning = true;
  const turn = () => {
    counts.push(0);
    if (isRunning) setImmediate(turn);
  };
  setImmediate(turn);
  const call = (i: number) => runTool(tool, { name: `Persn ${i}` }, { memory, caller: { name: 'agent' } });
  await Promise.all(Array.from({ length: 20 }, (_, i) => call(i)));
  isRunning = false;
  expect(counts.reduce((sum, count) => sum + count)).toBe(20);
  expect(Math.max(...counts)).toBeLessThanOrEqual(4);
});
