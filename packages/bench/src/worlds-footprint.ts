import { WorldsEngine } from '@rdf-worlds/core';
import { academicDocument } from './academic-data.ts';
import { settledMemory } from './settled-memory.ts';

/** The distribution of the worlds over namespaces. */
export const LAYOUTS = ['one namespace', 'a namespace each'] as const;
export type Layout = (typeof LAYOUTS)[number];

export interface WorldsFootprintWork {
  readonly layout: Layout;
  readonly worlds: number;
  /** Per world. */
  readonly quads: number;
  readonly seed: number;
}

/** In bytes, for all worlds together. */
export interface WorldsFootprint {
  readonly worlds: number;
  readonly namespaces: number;
  readonly quads: number;
  readonly rssGrowth: number;
  /** Growth of JavaScript objects and their memory outside V8's heap. */
  readonly heldGrowth: number;
  /** The engine's own count: columns and dictionaries. */
  readonly columns: number;
}

/** Number of worlds created and dropped beforehand, so that the code is loaded and compiled. */
const WARM_WORLDS = 50;

/**
 * Fills worlds with distinct small documents and measures the growth of the process. Run it in a
 * fresh process.
 */
export async function measureWorldsFootprint(work: WorldsFootprintWork): Promise<WorldsFootprint> {
  const warm = await WorldsEngine.open({ textIndex: null });
  await fill(warm, { ...work, worlds: Math.min(WARM_WORLDS, work.worlds) });
  await warm.close();
  // Generating the documents produces garbage that enlarges V8's young generation for good; doing
  // it beforehand excludes this from the cost of the worlds.
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
