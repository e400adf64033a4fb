import { createRequire } from 'node:module';
import type { AsyncIterator } from 'asynciterator';

let loaded: typeof AsyncIterator | undefined;

/**
 * The base class of Comunica's streams, loaded on first use. Comunica loads the CommonJS build; an
 * `import` would give a second copy, whose instances Comunica does not take for its own.
 */
export function asyncIteratorClass(): typeof AsyncIterator {
  loaded ??= createRequire(import.meta.url)('asynciterator').AsyncIterator as typeof AsyncIterator;
  return loaded;
}
