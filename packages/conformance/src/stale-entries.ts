/**
 * The entries of a table whose test is none of the suites': a typing error, or a test that is gone.
 */
export function staleEntries(table: ReadonlyMap<string, string>, tests: ReadonlySet<string>): string[] {
  return [...table.keys()].filter((iri) => !tests.has(iri));
}
