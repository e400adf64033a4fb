import { afterEach, expect, it, vi } from 'vitest';
import { turns } from '../../src/contracts/turns.ts';
import { WorldsEngine } from '../../src/engine/worlds-engine.ts';

afterEach(() => vi.restoreAllMocks());

/** Counts the pauses of work during which each look at the clock finds a slice used up. */
async function pausesOf(work: () => Promise<unknown>): Promise<number> {
  const wait = vi.spyOn(turns, 'wait');
  let now = performance.now();
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => (now += 10));
  try {
    await work();
    return wait.mock.calls.length;
  } finally {
    clock.mockRestore();
    wait.mockRestore();
  }
}

async function engineWith(worlds: Readonly<Record<string, string>>): Promise<WorldsEngine> {
  const engine = await WorldsEngine.open();
  for (const [slug, data] of Object.entries(worlds)) {
    await engine.createWorld({ slug });
    await engine.import({ source: slug, data, contentType: 'application/n-triples' });
  }
  return engine;
}

const lines = (count: number, line: (i: number) => string) =>
  Array.from({ length: count }, (_, i) => line(i)).join('\n');
const nodes = (count: number) => lines(count, (i) => `_:b${i} <urn:p> "${i}" .`);

/** How many pauses the work takes with 16,384 things more. */
async function morePauses(run: (count: number) => Promise<number>): Promise<number> {
  return (await run(20_480)) - (await run(4_096));
}

it('pauses while blank nodes of a fork are paired', async () => {
  const more = await morePauses(async (count) => {
    const engine = await engineWith({ a: nodes(count) });
    await engine.fork({ source: 'a', slug: 'b' });
    await engine.update({ sources: ['b'], query: 'INSERT DATA { <urn:x> <urn:p> [] }' });
    const pauses = await pausesOf(() => engine.diff({ source: 'a', to: { source: 'b' } }));
    await engine.close();
    return pauses;
  });
  // Four of them in the pairing itself, one for 4,096 nodes; the others read the nodes and quads.
  expect(more).toBeGreaterThanOrEqual(28);
});

it('pauses while blank nodes are paired by their labels', async () => {
  const more = await morePauses(async (count) => {
    const engine = await engineWith({ a: nodes(count), b: nodes(count) });
    const pauses = await pausesOf(() => engine.diff({ source: 'a', to: { source: 'b' } }));
    await engine.close();
    return pauses;
  });
  // Four of them in the pairing itself, as above; the others label the nodes.
  expect(more).toBeGreaterThanOrEqual(414);
});

it('pauses in a canonical copy after each piece of long objects', async () => {
  const run = async (count: number) => {
    const engine = await engineWith({ a: lines(count, (i) => `<urn:s${i}> <urn:p> "${'x'.repeat(1 << 18)}${i}" .`) });
    const pauses = await pausesOf(() =>
      engine.export({ source: 'a', contentType: 'application/n-quads', canonicalOrder: true }),
    );
    await engine.close();
    return pauses;
  };
  // One for each of 16 objects, in addition to those of the query and of the writer.
  expect((await run(24)) - (await run(8))).toBeGreaterThanOrEqual(176);
});

it('pauses while the names of a schema are read', async () => {
  const more = await morePauses(async (count) => {
    const engine = await engineWith({ a: lines(count, (i) => `<urn:s> <urn:p${i}> "" .`) });
    const pauses = await pausesOf(() => engine.schema({ source: 'a' }));
    await engine.close();
    return pauses;
  });
  // 64 of them for the names, one for 256.
  expect(more).toBeGreaterThanOrEqual(145);
});
