export { type HnswIndexOptions, hnswIndex } from './hnsw-index.ts';
