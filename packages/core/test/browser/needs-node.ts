/** Test files of {@link ROOMS} that cannot run in a browser, each with the reason. */
export const NEEDS_NODE: ReadonlyMap<string, string> = new Map([
  ['formats/jsonld/remote-contexts.test.ts', 'starts an HTTP server'],
  ['search/embedders/lsa/lsa-embedder.test.ts', 'replaces the worker threads of Node'],
  ['search/embedders/remote-embedders.test.ts', 'starts an HTTP server'],
  ['search/text/loaded-languages.test.ts', 'replaces modules while they load'],
  ['search/vector/compiled-sign-scan.test.ts', 'runs the compiler of AssemblyScript'],
  ['sparql/differential/comunica-reference.test.ts', 'compares a document with a table; nothing of the core runs'],
  ['sparql/differential/oxigraph-reference.test.ts', 'compares a document with a table; nothing of the core runs'],
  ['sparql/syntax/w3c-syntax.test.ts', 'unpacks the archive of the W3C suites'],
  ['sparql/voices/voices.test.ts', 'unpacks the archive of the W3C suites'],
]);
