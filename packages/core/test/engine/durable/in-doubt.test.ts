import { expect, it } from 'vitest';
import { dataFactory, MemoryStorage, WorldsEngine, WorldsError } from '../../../src/index.ts';
import type { NamespaceStorage, Storage } from '../../../src/plugin.ts';

const { literal, namedNode, quad } = dataFactory;
const note = (text: string) => quad(namedNode('urn:s'), namedNode('urn:p'), literal(text));

/** A storage that takes an append and then is away, so that its outcome stays unknown. */
function vanishing(): Storage & { isAway: boolean; vanishes: boolean } {
  const memory = new MemoryStorage();
  const away = () => new WorldsError('IN_DOUBT', 'The storage is away.');
  const wrapped = (real: NamespaceStorage): NamespaceStorage => ({
    head: async () => {
      if (storage.isAway) throw away();
      return real.head();
    },
    append: async (expected, records) => {
      if (storage.isAway) throw away();
      const head = await real.append(expected, records);
      if (!storage.vanishes) return head;
      storage.isAway = true;
      throw away();
    },
    async *read(after, signal) {
      if (storage.isAway) throw away();
      yield* real.read(after, signal);
    },
    checkpoint: () => real.checkpoint(),
    writeCheckpoint: (at, segments, confirm) => real.writeCheckpoint(at, segments, confirm),
    truncate: (upTo) => real.truncate(upTo),
    stats: () => real.stats(),
    drop: (expected) => real.drop(expected),
  });
  const storage = {
    isAway: false,
    vanishes: false,
    capabilities: memory.capabilities,
    open: () => memory.open(),
    close: () => memory.close(),
    namespaces: () => memory.namespaces(),
    namespace: (name: string) => wrapped(memory.namespace(name)),
  };
  return storage;
}

it('only the writers of the append are in doubt; later commits and refusals that build on it did not happen', async () => {
  const storage = vanishing();
  const engine = await WorldsEngine.open({ storage });
  await engine.createWorld({ slug: 'w' });
  const { revision } = await engine.write({ source: 'w', insert: [note('first')] });
  storage.vanishes = true;
  const outcomes = await Promise.allSettled([
    engine.write({ source: 'w', insert: [note('in the append')] }),
    engine.write({ source: 'w', insert: [note('gathered meanwhile')] }),
    // It would succeed if the commits before were not durable.
    engine.write({ source: 'w', insert: [note('refused')], ifRevision: revision }),
    engine.write({ source: 'w', insert: [note('first')] }),
  ]);
  const errors = outcomes.map((outcome) => (outcome as PromiseRejectedResult).reason as WorldsError);
  expect(errors.map(({ code, commit }) => [code, commit !== undefined])).toEqual([
    ['IN_DOUBT', true],
    ['INTERNAL', false],
    ['INTERNAL', false],
    ['INTERNAL', false],
  ]);
  for (const { message } of errors.slice(1)) expect(message).toMatch(/^Nothing was changed: /);
  storage.isAway = storage.vanishes = false;
  expect(await engine.commitStatus({ commit: errors[0].commit! })).toBe('committed');
  const texts = async () => {
    const result = await engine.select({ sources: ['w'], query: 'SELECT ?t { ?s ?p ?t } ORDER BY ?t' });
    return (await result.array()).map((row) => row.get('t')!.value);
  };
  // The first write that finds the namespace changed has it loaded again.
  await engine.write({ source: 'w', insert: [note('last')] }).catch(() => undefined);
  expect(await texts()).toEqual(['first', 'in the append']);
  await engine.close();
});
