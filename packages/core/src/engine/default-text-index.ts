import type { TextIndexFactory } from '../contracts/text-index.ts';
import { bm25TextIndex } from '../search/text/bm25-text-index.ts';

/** The default text index. Its language data is loaded on the first search. */
export const defaultTextIndex: TextIndexFactory = bm25TextIndex();
