import { fileStorage } from '@rdf-worlds/storage-file';
import { SeededRandom } from '@rdf-worlds/testkit';
import { expect, it } from 'vitest';
import { SimulatedFileSystem } from '../../../../storage-file/test/power-cut/simulated-file-system.ts';
import { dataFactory, WorldsEngine, WorldsError } from '../../../src/index.ts';

const { quad, namedNode, literal } = dataFactory;
const one = (n: number) => quad(namedNode(`urn:s${n}`), namedNode('urn:p'), literal(`text ${n}`));

// LONG_TESTS=1 deletes at 25 random moments.
const SEEDS = process.env['LONG_TESTS'] ? 25 : 8;

/** What may be under way in a namespace while it is deleted. */
const CALLS: Readonly<Record<string, (engine: WorldsEngine) => Promise<unknown>>> = {
  compact: (engine) => engine.compact({ namespace: 'n' }),
  checkpoint: (engine) => engine.checkpoint({ namespace: 'n' }),
  check: (engine) => engine.check(),
  stats: (engine) => engine.stats(),
  search: (engine) => engine.search({ namespace: 'n', query: 'text' }),
  flush: (engine) => engine.flush({ namespace: 'n' }),
  write: (engine) => engine.write({ source: 'n/w', insert: [one(1000)] }),
  'a backup': async (engine) => {
    for await (const chunk of engine.backupStream()) expect(chunk).toBeInstanceOf(Uint8Array);
  },
  changes: async (engine) => {
    for await (const { kind } of engine.changes({ namespace: 'n', after: 0 })) expect(kind).toBeDefined();
  },
};

it.each(Object.keys(CALLS))('%s comes to an end while its namespace is deleted, whenever that begins', async (name) => {
  const codes = new Set<string>();
  for (let seed = 0; seed < SEEDS; seed++) {
    const random = new SeededRandom(seed);
    const fileSystem = new SimulatedFileSystem(() => random.next());
    const engine = await WorldsEngine.open({
      storage: fileStorage({ path: '/data', fileSystem, maxLogFileBytes: 500 }),
      compaction: 'manual',
    });
    await engine.createWorld({ namespace: 'n', slug: 'w' });
    for (let n = 0; n < 8; n++) {
      await engine.write({ source: 'n/w', insert: [one(n), one(n + 1)], delete: [one(n - 2)] });
      if (n % 3 === 2) await engine.checkpoint();
    }
    let isDeleted = false;
    const deleting = (async () => {
      for (let turn = random.below(12); turn > 0; turn--) await new Promise((resolve) => setImmediate(resolve));
      await engine.deleteNamespace({ namespace: 'n' });
      isDeleted = true;
    })();
    const calling = (async () => {
      // A call may end when it meets the deletion; otherwise calls are repeated until then.
      do {
        for (let turn = random.below(3); turn > 0; turn--) await new Promise((resolve) => setImmediate(resolve));
        const outcome = await CALLS[name](engine).catch((error: unknown) => error);
        if (outcome instanceof WorldsError) codes.add(outcome.code);
        else expect(outcome).not.toBeInstanceOf(Error);
      } while (!isDeleted);
    })();
    await Promise.all([deleting, calling]);
    expect(await engine.getWorld({ source: 'n/w' })).toBeNull();
    await engine.createWorld({ namespace: 'n', slug: 'w' });
    expect((await engine.check()).problems).toEqual([]);
    await engine.close();
  }
  // What a caller is told is that there is no such namespace any more, and nothing of how it went.
  expect([...codes].filter((code) => code !== 'NOT_FOUND' && code !== 'TRUNCATED')).toEqual([]);
});
