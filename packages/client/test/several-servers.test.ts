import { MemoryContents, MemoryStorage, WorldsEngine } from '@rdf-worlds/core';
import type { StorageCapabilities } from '@rdf-worlds/core/plugin';
import { createWorldsHandler, type Principal } from '@rdf-worlds/http';
import { SeededRandom } from '@rdf-worlds/testkit';
import { expect, it } from 'vitest';
import { WorldsClient } from '../src/index.ts';

// SEVERAL_SERVERS_SEEDS=500 runs 500 random programs.
const SEEDS = Number(process.env.SEVERAL_SERVERS_SEEDS ?? 2);

/** Shared as by several processes, and silent about the commits of others. */
class SharedStorage extends MemoryStorage {
  override readonly capabilities: StorageCapabilities = { durable: false, shared: true };
}

/**
 * Random writes and reads, each through any of three servers; returns the number of stale reads.
 */
async function staleReads(seed: number, grants: Principal['grants'], sendsTokens: boolean): Promise<number> {
  const random = new SeededRandom(seed);
  const contents = new MemoryContents();
  const engines = await Promise.all(
    [1, 2, 3].map(() =>
      WorldsEngine.open({ storage: new SharedStorage(contents), compaction: 'manual', textIndex: null }),
    ),
  );
  await engines[0].createWorld({ slug: 'w', namespace: 'acme' });
  const handlers = engines.map((engine) =>
    createWorldsHandler(engine, { authenticate: () => ({ id: 'x', defaultNamespace: 'acme', grants }) }),
  );
  const client = new WorldsClient({
    url: 'http://balanced',
    token: 'x',
    fetch: (url, init) => {
      const headers = new Headers(init.headers);
      if (!sendsTokens) headers.delete('rdf-worlds-revision-token');
      return handlers[random.below(3)](new Request(url, { ...init, headers }));
    },
  });
  const known = new Set<string>();
  let label: string | undefined;
  let stale = 0;
  for (let step = 0; step < 40; step++) {
    const quad = `<urn:s${random.below(8)}> <urn:p> "o" .`;
    const kind = random.below(5);
    if (kind === 0) {
      await client.update({ sources: ['w'], query: `INSERT DATA { ${quad} }` });
      known.add(quad);
    } else if (kind === 1) {
      await client.update({ sources: ['w'], query: `DELETE DATA { ${quad} }` });
      known.delete(quad);
    } else if (kind === 2) {
      await Promise.all([
        client.import({ source: 'w', data: quad }),
        client.import({ source: 'w', data: '<urn:s9> <urn:p> "o" .' }),
      ]);
      known.add(quad).add('<urn:s9> <urn:p> "o" .');
    } else if (kind === 3) {
      label = `label ${step}`;
      const { label: updated } = await client.updateWorld({ source: 'w', label });
      if (updated !== label) stale++;
    }
    const text = new TextDecoder().decode(await client.export({ source: 'w' }));
    const found = text.split('\n').filter(Boolean).sort();
    if (JSON.stringify(found) !== JSON.stringify([...known].sort())) stale++;
    if ((await client.getWorld({ source: 'w' }))?.label !== label) stale++;
  }
  await client.close();
  for (const engine of engines) await engine.close();
  return stale;
}

it.each([
  ['the whole namespace', [{ namespace: 'acme', read: true, write: true }]],
  ['one world', [{ namespace: 'acme', world: 'w', read: true, write: true }]],
])('sees its own writes through any server, with rights on %s', async (_, grants) => {
  for (let seed = 1; seed <= SEEDS; seed++) {
    expect(await staleReads(seed, grants, true), `seed ${seed}`).toBe(0);
    // The storage tells nobody of commits: without the tokens, servers do answer with older states.
    expect(await staleReads(seed, grants, false), `seed ${seed}`).toBeGreaterThan(0);
  }
});
