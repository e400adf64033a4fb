/**
 * How many quads a write inserted and deleted, as headers of an answer without a body. Empty for a
 * caller that may not read what was written: from the numbers it could tell what was there.
 */
export function changeHeaders(
  { inserted, deleted }: { readonly inserted: number; readonly deleted: number },
  mayRead: boolean,
): Record<string, string> {
  if (!mayRead) return {};
  return { 'rdf-worlds-inserted': String(inserted), 'rdf-worlds-deleted': String(deleted) };
}
