/** What a write changed, for people: `3 quads inserted, 1 deleted`. Undefined where the answer does not tell: to tokens that may not read. */
export function changesText({ headers }: Response): string | undefined {
  const inserted = headers.get('rdf-worlds-inserted');
  const deleted = headers.get('rdf-worlds-deleted');
  if (inserted === null || deleted === null) return undefined;
  return `${inserted} ${inserted === '1' ? 'quad' : 'quads'} inserted, ${deleted} deleted`;
}
