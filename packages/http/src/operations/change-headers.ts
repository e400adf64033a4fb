import type { ImportResult } from '@rdf-worlds/core';

/**
 * Returns the numbers of quads that a write inserted and deleted, as headers of a reply without a
 * body. Empty for a caller without read permission, to whom the numbers would reveal what existed.
 */
export function changeHeaders(
  { inserted, deleted }: { readonly inserted: number; readonly deleted: number },
  mayRead: boolean,
): Record<string, string> {
  if (!mayRead) return {};
  return { 'rdf-worlds-inserted': String(inserted), 'rdf-worlds-deleted': String(deleted) };
}

/** Like {@link changeHeaders}, for an import, which also counts what it read. */
export function importHeaders(result: ImportResult, mayRead: boolean): Record<string, string> {
  // The number of quads is that of the documents, which the caller has sent.
  const quads = { 'rdf-worlds-quads': String(result.quads) };
  if (!mayRead) return quads;
  return { ...quads, ...changeHeaders(result, true), 'rdf-worlds-created-graphs': String(result.createdGraphs) };
}
