import { EmbedderFailure } from './embedder-failure.ts';

/**
 * An embedder gave something else than it should: no passing trouble, so nobody should go on
 * without its vectors and not notice.
 */
export class EmbedderLie extends EmbedderFailure {}
