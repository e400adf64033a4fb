import type { WorldsEngine } from '../../src/index.ts';

/** An engine from `open` with the worlds and quads of another, for comparison with it. */
export async function rebuiltEngine(engine: WorldsEngine, open: () => Promise<WorldsEngine>): Promise<WorldsEngine> {
  const rebuilt = await open();
  for (const { slug } of await engine.listWorlds()) {
    await rebuilt.createWorld({ slug });
    await rebuilt.import({ source: slug, data: await engine.export({ source: slug }) });
  }
  return rebuilt;
}
