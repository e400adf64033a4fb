import type * as RDF from '@rdfjs/types';
import type { World, WorldSource, WorldsEngine } from '../../src/index.ts';

/** Everything that a caller can see of a world: its record, and its data byte for byte. */
export interface WorldSnapshot {
  readonly record: World | null;
  readonly data: string;
}

export async function stateOf(engine: WorldsEngine, source: WorldSource): Promise<WorldSnapshot> {
  return { record: await engine.getWorld({ source }), data: await dataOf(engine, source) };
}

/** The quads of a world, as they come. */
export async function quadsOf(engine: WorldsEngine, source: WorldSource): Promise<RDF.Quad[]> {
  const quads: RDF.Quad[] = [];
  for await (const quad of engine.quads({ source })) quads.push(quad);
  return quads;
}

/** The N-Quads of a world as one string. */
export async function dataOf(engine: WorldsEngine, source: WorldSource): Promise<string> {
  return new TextDecoder('utf-8', { fatal: true }).decode(await engine.export({ source }));
}

/**
 * The N-Quads lines of a world in code-unit order, blank nodes under the names that they get by the
 * order of their appearance.
 */
export async function linesOf(engine: WorldsEngine, source: WorldSource): Promise<string[]> {
  const names = new Map<string, string>();
  const text = (await dataOf(engine, source)).replace(/_:b[0-9a-z]{26,}/g, (label) => {
    if (!names.has(label)) names.set(label, `_:${names.size}`);
    return names.get(label)!;
  });
  return text.split('\n').slice(0, -1).sort();
}
