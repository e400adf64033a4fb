import { createRequire } from 'node:module';
import type { AsyncIterator } from 'asynciterator';

let loaded: typeof AsyncIterator | undefined;

/**
 * Returns the base class of Comunica's streams, loaded on first use. Uses the CommonJS build, like
 * Comunica: an `import` would load a second copy, whose instances Comunica does not recognise.
 */
export function asyncIteratorClass(): typeof AsyncIterator {
  loaded ??= createRequire(import.meta.url)('asynciterator').AsyncIterator as typeof AsyncIterator;
  return loaded;
}
