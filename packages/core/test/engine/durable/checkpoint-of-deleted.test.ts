import { fileStorage } from '@rdf-worlds/storage-file';
import { SeededRandom } from '@rdf-worlds/testkit';
import { expect, it } from 'vitest';
import { SimulatedFileSystem } from '../../../../storage-file/test/power-cut/simulated-file-system.ts';
import { dataFactory, WorldsEngine, WorldsError } from '../../../src/index.ts';

const { quad, namedNode, literal } = dataFactory;
const some = (n: number) =>
  Array.from({ length: 40 }, (_, i) => quad(namedNode(`urn:s${n}`), namedNode('urn:p'), literal(`text ${n} ${i}`)));

const SEEDS = 16;
const turn = () => new Promise((resolve) => setImmediate(resolve));

/** What the engine that writes checkpoints does while the namespace is deleted. */
const MEANWHILE: Readonly<Record<string, (engine: WorldsEngine) => Promise<unknown>>> = {
  writes: async (engine) => {
    for (let n = 10; n < 20; n++) await engine.write({ source: 'home/w', insert: some(n) });
  },
  'makes a checkpoint': (engine) => engine.checkpoint({ namespace: 'home' }),
  compacts: (engine) => engine.compact({ namespace: 'home' }),
  closes: (engine) => engine.close(),
};

const CASES: readonly (readonly [string, string])[] = Object.keys(MEANWHILE).flatMap((work) => {
  const deleters = work === 'closes' ? ['another engine of the process'] : ['it', 'another engine of the process'];
  return deleters.map((deleter) => [work, deleter] as const);
});

it.each(CASES)('an engine that %s while %s deletes the namespace has no failed checkpoint', async (work, deleter) => {
  const reported: Error[] = [];
  let deletions = 0;
  for (let seed = 0; seed < SEEDS; seed++) {
    const random = new SeededRandom(seed);
    const fileSystem = new SimulatedFileSystem(() => random.next());
    const open = () =>
      WorldsEngine.open({
        storage: fileStorage({ path: '/data', fileSystem, maxLogFileBytes: 5000 }),
        textIndex: null,
        checkpointLogBytes: random.pick([5000, 20_000]),
        onBackgroundError: (error) => reported.push(error),
      });
    const engine = await open();
    await engine.createWorld({ namespace: 'home', slug: 'w' });
    for (let n = 0; n < 10; n++) await engine.write({ source: 'home/w', insert: some(n) });
    // More than the log that needs no checkpoint when an engine closes.
    if (work === 'closes')
      await engine.write({ source: 'home/w', insert: Array.from({ length: 90 }, (_, n) => some(n + 100)).flat() });
    const other = deleter === 'it' ? engine : await open();
    await other.getWorld({ source: 'home/w' });
    const working = MEANWHILE[work](engine).catch((error: unknown) => {
      if (!(error instanceof WorldsError)) throw error;
    });
    for (let turns = random.below(30); turns > 0; turns--) await turn();
    await other.deleteNamespace({ namespace: 'home' }).then(
      () => deletions++,
      (error: unknown) => {
        if (!(error instanceof WorldsError)) throw error;
      },
    );
    if (random.chance(0.5)) await other.close();
    await working;
    expect(engine.health().problems, `seed ${seed}`).toEqual([]);
    await engine.close();
    await other.close();
    expect(engine.health().problems, `seed ${seed}`).toEqual([]);
  }
  expect(deletions).toBeGreaterThan(SEEDS / 4);
  expect(reported).toEqual([]);
});
