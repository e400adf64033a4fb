/**
 * `@rdf-worlds/index-hnsw`: an approximate vector index on hnswlib-node.
 *
 * @module @rdf-worlds/index-hnsw
 */
export { type HnswIndexOptions, hnswIndex } from './hnsw-index.ts';
