import type { Slicer } from '../contracts/slicer.ts';
import type { StoredTextIndexPart } from '../contracts/text-index.ts';
import type { SearchedDocuments } from './searched-documents.ts';
import {
  documentContents,
  type ReadPart,
  restoreDocuments,
  type SearchPart,
  type StoredDocuments,
} from './stored-documents.ts';
import { encodePart, listOf, PartReader } from './stored-part.ts';

interface StateHead extends StoredDocuments {
  /** Names of the parts of the text index, in its order. */
  readonly texts: readonly string[];
}

/** A search index to be stored. */
export interface SearchContents {
  /** Names all other parts. */
  readonly state: SearchPart;
  readonly others: readonly SearchPart[];
}

/** A stored search index. */
export interface StoredSearch {
  /** Content of the part that names the others. */
  readonly state: Uint8Array;
  readonly read: ReadPart;
}

/** Documents between two checks of the clock. */
const STRIDE = 1024;

/**
 * Captures documents and texts for storage. Vectors are stored elsewhere, and names around texts
 * are indexed again. Undefined if the text index cannot be stored. Requires that no change is in
 * progress.
 */
export function searchContents(
  documents: SearchedDocuments,
  newName: (kind: string) => string,
): SearchContents | undefined {
  const { table, textIndex } = documents;
  const texts = documents.canStore ? textIndex?.store?.(newName) : undefined;
  if (!texts) return undefined;
  const { head, columns, pages } = documentContents(table, newName);
  const state: StateHead = { ...head, texts: texts.map(({ name }) => name) };
  const chunks = encodePart(state, columns);
  return {
    state: { name: newName('state'), encode: () => chunks },
    others: [...pages, ...texts.map(({ name, chunks }) => ({ name, encode: () => chunks }))],
  };
}

/**
 * Fills new, open indexes with what {@link searchContents} captured. Returns false if the text
 * index rejects it; throws if it is damaged. The indexes must not be used after either. Requires
 * the lock, held exclusively, and the terms of the documents.
 *
 * @param largest the largest id of a term
 */
export async function restoreSearch(
  documents: SearchedDocuments,
  { state, read }: StoredSearch,
  largest: number,
  slicer: Slicer,
): Promise<boolean> {
  const { table, textIndex } = documents;
  if (!textIndex?.restore) return false;
  const reader = new PartReader(state);
  const head = reader.head<StateHead>();
  const texts: StoredTextIndexPart[] = listOf(head.texts).map((name) => ({ name, read: () => read(name) }));
  // The text index first, because it may reject what is stored.
  if (!(await textIndex.restore(texts))) return false;
  await restoreDocuments(table, head, { reader, read, largest });
  reader.end();
  if (textIndex.size !== table.size)
    throw new RangeError(`A stored text index has ${textIndex.size} texts, but ${table.size} documents.`);
  if (!documents.fields && !documents.vectors) return true;
  for (let doc = 0; doc < table.end; doc++) {
    if (table.has(doc)) documents.addAround(doc);
    if (doc % STRIDE === 0 && slicer.due) await slicer.pause();
  }
  return true;
}
