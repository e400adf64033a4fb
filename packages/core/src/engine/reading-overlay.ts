import type { Dictionary } from '../quads/dictionary.ts';
import { Overlay } from '../quads/overlay.ts';

/** Returns an overlay that only reads the dictionary. It throws if it has to mint a blank node. */
export function readingOverlay(dictionary: Dictionary): Overlay {
  return new Overlay(dictionary, {
    world: 0,
    scope: () => {
      throw new Error('A reading overlay makes no blank nodes.');
    },
  });
}
