import { bm25TextIndex } from '../search/text/bm25-text-index.ts';
import type { TextIndexFactory } from '../storage/text-index.ts';

/**
 * The text index where the host chose none. What it needs of languages is loaded at the first
 * search.
 */
export const defaultTextIndex: TextIndexFactory = bm25TextIndex();
