import { EmbedderFailure } from './embedder-failure.ts';

/**
 * Thrown when an embedder returns malformed vectors. This is not a transient failure, so searches
 * must not silently degrade to text.
 */
export class EmbedderLie extends EmbedderFailure {}
