import { WorldsError } from '../model/worlds-error.ts';
import type { SparqlEngine } from '../storage/sparql-engine.ts';
import type { TextIndexFactory } from '../storage/text-index.ts';

/** Optional packages that stand in where the host configured nothing: loaded at the first use, if they are installed. */

export async function defaultSparqlEngine(): Promise<SparqlEngine> {
  const { comunicaEngine } = (await load('@rdf-worlds/comunica', 'sparql')) as { comunicaEngine: () => SparqlEngine };
  return comunicaEngine();
}

export const defaultTextIndex: TextIndexFactory = async () => {
  const { minisearchIndex } = (await load('@rdf-worlds/index-minisearch', 'textIndex')) as {
    minisearchIndex: () => TextIndexFactory;
  };
  return minisearchIndex()();
};

async function load(packageName: string, option: string): Promise<unknown> {
  try {
    return await import(packageName);
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw cause;
    throw new WorldsError(
      'UNSUPPORTED',
      `This needs a plug-in: install ${packageName}, or pass the option ${option} to WorldsEngine.open.`,
      { cause },
    );
  }
}
