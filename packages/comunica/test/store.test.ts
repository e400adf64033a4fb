import { QueryEngine } from '@comunica/query-sparql-rdfjs';
import { WorldsEngine } from '@rdf-worlds/core';
import { afterEach, beforeEach, expect, it } from 'vitest';

// Comunica itself, with a world as the store that it reads and changes.

const DATA = `
  PREFIX : <https://example.org/>
  :a :p 1 ; :q [ :r "kept" ] . :b :p 2 .
  GRAPH :g { :c :p 3 }`;

let engine: WorldsEngine;
const comunica = new QueryEngine();
beforeEach(async () => {
  engine = await WorldsEngine.open({ textIndex: null });
  for (const slug of ['stored', 'updated']) {
    await engine.createWorld({ slug });
    await engine.import({ source: slug, data: DATA, contentType: 'application/trig' });
  }
});
afterEach(() => engine.close());

/** The world as sorted lines, blank nodes without their labels. */
async function linesOf(slug: string): Promise<string[]> {
  const text = new TextDecoder().decode(await engine.export({ source: slug }));
  return text.replaceAll(/_:\S+/g, '_:').split('\n').sort();
}

const P = 'PREFIX : <https://example.org/>';
it.each([
  `${P} INSERT DATA { :d :p 4, _:x . GRAPH :h { :d :p 5 } }`,
  `${P} DELETE DATA { :a :p 1 . GRAPH :g { :c :p 3 } }`,
  `${P} DELETE { ?s :p ?o } INSERT { ?s :was ?o } WHERE { ?s :p ?o }`,
  `${P} INSERT { ?x :seen true } WHERE { :a :q ?x }`,
  `${P} DELETE WHERE { ?s :q ?x . ?x :r ?text }`,
  `${P} CLEAR GRAPH :g`,
  `${P} DROP SILENT GRAPH :none ; DROP DEFAULT`,
  'CLEAR ALL',
])('%s does what engine.update does', async (update) => {
  await comunica.queryVoid(update, { sources: [engine.world('stored').store()] as never });
  await engine.update({ sources: ['updated'], query: update });
  expect(await linesOf('stored')).toEqual(await linesOf('updated'));
});

it('a query reads the store', async () => {
  const query = `${P} SELECT ?o { { ?s :p ?o } UNION { GRAPH ?g { ?s :p ?o } } } ORDER BY ?o`;
  const bindings = await comunica.queryBindings(query, { sources: [engine.world('stored').store()] as never });
  expect((await bindings.toArray()).map((row) => row.get('o')?.value)).toEqual(['1', '2', '3']);
});
