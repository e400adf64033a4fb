import type { VectorIndexFactory } from '../../contracts/vector-index.ts';
import { makeCodeBlocks } from './make-code-blocks.ts';
import { ScannedVectorIndex } from './scanned-vector-index.ts';

/**
 * Size that takes a few milliseconds to compare exhaustively: about 11,000 vectors of 384
 * dimensions.
 */
const EXACT_COMPONENTS = 1 << 22;

/**
 * Creates the default vector index. Exact up to 4 million components (vectors times dimensions;
 * 11,000 vectors of 384); above that it uses 1-bit quantisation with exact re-ranking, with a
 * recall of about 99.9 %. Throws INVALID_ARGUMENT unless `dimensions` is a positive integer.
 */
export const defaultVectorIndex: VectorIndexFactory = async (dimensions) =>
  new ScannedVectorIndex({ dimensions, exactComponents: EXACT_COMPONENTS, makeCodeBlocks });

/**
 * Creates a vector index that always compares every vector: 100,000 of 384 dimensions take about 30
 * ms. Throws INVALID_ARGUMENT unless `dimensions` is a positive integer.
 */
export const exactVectorIndex: VectorIndexFactory = async (dimensions) =>
  new ScannedVectorIndex({ dimensions, exactComponents: Infinity, makeCodeBlocks });
