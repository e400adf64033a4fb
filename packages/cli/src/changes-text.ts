/**
 * Describes the changes of a write, such as `3 quads inserted, 1 deleted`. Undefined if the server
 * does not report them, as for tokens without read permission.
 */
export function changesText({ headers }: Response): string | undefined {
  const inserted = headers.get('rdf-worlds-inserted');
  const deleted = headers.get('rdf-worlds-deleted');
  if (inserted === null || deleted === null) return undefined;
  return `${quadsText(inserted)} inserted, ${deleted} deleted`;
}

/** `1 quad`, `2 quads`. */
export function quadsText(count: number | string): string {
  return `${count} ${String(count) === '1' ? 'quad' : 'quads'}`;
}
