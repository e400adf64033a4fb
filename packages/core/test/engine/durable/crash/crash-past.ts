import { expect } from 'vitest';
import { type World, type WorldsEngine, WorldsError } from '../../../../src/index.ts';

/** Revisions that are read of a namespace, at most. */
const MOST = 12;

/**
 * Reads the kept past of every namespace: each revision back to the oldest one can be read, and is
 * the present without what has changed since. Returns how many were read.
 */
export async function checkPast(engine: WorldsEngine): Promise<number> {
  let read = 0;
  for (const namespace of await engine.listNamespaces()) {
    const { revision } = (await engine.getNamespace({ namespace }))!;
    for (let at = revision; at >= Math.max(0, revision - MOST); at--) {
      const worlds: World[] = [];
      try {
        for await (const world of engine.worlds({ namespace, at })) worlds.push(world);
      } catch (error) {
        // Older ones are not kept either.
        if (error instanceof WorldsError && error.code === 'TRUNCATED') break;
        throw error;
      }
      for (const { slug } of worlds) {
        const source = { namespace, slug };
        const then = await linesOf(engine, source, at);
        if (!(await engine.getWorld({ source }))) continue;
        const now = await linesOf(engine, source, undefined);
        const { inserted, deleted } = await engine.diff({ source, from: at });
        expect([namespace, slug, at, then.length + inserted.length - deleted.length]).toEqual([
          ...[namespace, slug, at],
          now.length,
        ]);
      }
      read++;
    }
  }
  return read;
}

async function linesOf(engine: WorldsEngine, source: { namespace: string; slug: string }, at: number | undefined) {
  return Buffer.from(await engine.export({ source, at }))
    .toString()
    .split('\n')
    .filter((line) => line !== '');
}
