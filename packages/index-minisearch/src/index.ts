/**
 * `@rdf-worlds/index-minisearch`: a text index on MiniSearch.
 *
 * @module @rdf-worlds/index-minisearch
 */
export { type MinisearchIndexOptions, minisearchIndex } from './minisearch-index.ts';
