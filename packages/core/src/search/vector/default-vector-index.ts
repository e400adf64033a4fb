import type { VectorIndexFactory } from '../../storage/vector-index.ts';
import { makeCodeBlocks } from './make-code-blocks.ts';
import { ScannedVectorIndex } from './scanned-vector-index.ts';

/** What takes a few milliseconds to compare one by one: some 11,000 vectors of 384 dimensions. */
const EXACT_COMPONENTS = 1 << 22;

/**
 * Makes the default vector index: exact up to 4 million components (vectors times dimensions;
 * 11,000 vectors of 384), above that by 1-bit codes and exact similarities of what they leave,
 * which finds some 999 of 1,000 of the nearest. Throws INVALID_ARGUMENT unless `dimensions` is a
 * positive integer.
 */
export const defaultVectorIndex: VectorIndexFactory = async (dimensions) =>
  new ScannedVectorIndex({ dimensions, exactComponents: EXACT_COMPONENTS, makeCodeBlocks });

/**
 * Makes a vector index that compares with every vector, however many there are: 100,000 of 384
 * dimensions take some 30 ms. Throws INVALID_ARGUMENT unless `dimensions` is a positive integer.
 */
export const exactVectorIndex: VectorIndexFactory = async (dimensions) =>
  new ScannedVectorIndex({ dimensions, exactComponents: Infinity, makeCodeBlocks });
