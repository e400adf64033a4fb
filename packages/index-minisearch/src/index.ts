export { type MinisearchIndexOptions, minisearchIndex } from './minisearch-index.ts';
