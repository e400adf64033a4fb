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
