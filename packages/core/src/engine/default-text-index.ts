import { WorldsError } from '../model/worlds-error.ts';
import type { TextIndexFactory } from '../storage/text-index.ts';

const PACKAGE = '@rdf-worlds/index-minisearch';

/** The optional package that stands in where the host chose no text index: loaded at the first search, if it is installed. */
export const defaultTextIndex: TextIndexFactory = async () => {
  const { minisearchIndex } = (await load()) as { minisearchIndex: () => TextIndexFactory };
  return minisearchIndex()();
};

async function load(): Promise<unknown> {
  try {
    // Not a literal, so that bundlers do not look for a package that need not be there.
    return await import(PACKAGE as string);
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw cause;
    throw new WorldsError(
      'UNSUPPORTED',
      `A search needs an index: install ${PACKAGE}, or pass the option textIndex to WorldsEngine.open.`,
      { cause },
    );
  }
}
