import { WorldsEngine } from '@rdf-worlds/core';
import { academicDocument } from './academic-data.ts';
import { settledMemory } from './settled-memory.ts';

/** Where the worlds are. */
export const LAYOUTS = ['one namespace', 'a namespace each'] as const;
export type Layout = (typeof LAYOUTS)[number];

export interface WorldsFootprintWork {
  readonly layout: Layout;
  readonly worlds: number;
  /** In each world. */
  readonly quads: number;
  readonly seed: number;
}

/** Bytes, of all worlds together. */
export interface WorldsFootprint {
  readonly worlds: number;
  readonly namespaces: number;
  readonly quads: number;
  readonly rssGrowth: number;
  /** Of JavaScript objects and what they keep outside of V8's heap. */
  readonly heldGrowth: number;
  /** What the engine counts: columns and dictionaries. */
  readonly columns: number;
}

/** So many worlds are made and dropped first, so that the code is loaded and compiled. */
const WARM_WORLDS = 50;

/**
 * Fills worlds with small documents, each its own, and reads what the process holds more; to be run
 * in a fresh process.
 */
export async function measureWorldsFootprint(work: WorldsFootprintWork): Promise<WorldsFootprint> {
  const warm = await WorldsEngine.open({ textIndex: null });
  await fill(warm, { ...work, worlds: Math.min(WARM_WORLDS, work.worlds) });
  await warm.close();
  // The garbage of making the documents grows V8's young generation, which keeps its size: that is
  // no cost of the worlds.
  for (let world = 0; world < work.worlds; world++) documentOf(work, world);

  const engine = await WorldsEngine.open({ textIndex: null });
  const before = await settledMemory();
  await fill(engine, work);
  const after = await settledMemory();
  const { worlds, namespaces, quads, bytes } = await engine.stats();
  await engine.close();
  return {
    worlds,
    namespaces,
    quads,
    rssGrowth: after.rss - before.rss,
    heldGrowth: after.held - before.held,
    columns: bytes,
  };
}

async function fill(engine: WorldsEngine, work: WorldsFootprintWork): Promise<void> {
  for (let world = 0; world < work.worlds; world++) {
    const namespace = work.layout === 'one namespace' ? 'all' : `tenant-${world}`;
    const source = { slug: `world-${world}`, namespace };
    await engine.createWorld(source);
    await engine.import({ source, data: documentOf(work, world), contentType: 'application/n-triples' });
  }
  await engine.settle();
}

function documentOf({ seed, quads }: WorldsFootprintWork, world: number): Buffer {
  return academicDocument({ seed: seed + world, quads, base: `https://data.example/${world}/` });
}
