import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { academicDocument } from '../../src/academic-data.ts';
import type { Answer } from '../../src/sparql/answer.ts';
import { ComunicaStore } from '../../src/sparql/comunica-store.ts';
import { OxigraphStore } from '../../src/sparql/oxigraph-store.ts';
import type { Delivery, SparqlStore } from '../../src/sparql/sparql-store.ts';
import { WorldsStore } from '../../src/sparql/worlds-store.ts';

const DOCUMENT = `<urn:a> <urn:p> "é" .
<urn:a> <urn:p> <urn:b> .
<urn:b> <urn:p> "two\\nlines" .
<urn:b> <urn:q> "3"^^<http://www.w3.org/2001/XMLSchema#integer> .
`;
const input = { name: 'a document', bytes: Buffer.from(DOCUMENT), contentType: 'application/n-triples' };

const QUERIES: readonly { readonly query: string; readonly answer: Answer }[] = [
  { query: 'SELECT ?o { <urn:a> <urn:p> ?o }', answer: { rows: 2, chars: 1 + 5 } },
  {
    query: 'PREFIX u: <urn:>\n# b\nSELECT ?s ?n { ?s u:p ?o OPTIONAL { ?s u:q ?n } }',
    answer: { rows: 3, chars: 15 + 1 },
  },
  { query: 'SELECT ?s { ?s <urn:nothing> ?o }', answer: { rows: 0, chars: 0 } },
  { query: 'ASK { <urn:a> ?p ?o }', answer: { rows: 1, chars: 1 } },
  { query: 'ASK { <urn:c> ?p ?o }', answer: { rows: 1, chars: 0 } },
  {
    query: 'BASE <urn:a>\nPREFIX u: <urn:>\nCONSTRUCT { ?s u:r ?o } WHERE { ?s u:q ?o }',
    answer: { rows: 1, chars: 5 + 1 },
  },
  { query: 'PREFIX u: <urn:> CONSTRUCT { ?s u:has "x" } WHERE { ?s ?p ?o }', answer: { rows: 2, chars: 12 } },
];

interface Case {
  readonly name: string;
  readonly delivery: Delivery;
  open(): Promise<SparqlStore>;
}

const CASES: readonly Case[] = [
  { name: 'RDF Worlds', delivery: 'terms', open: () => WorldsStore.open() },
  { name: 'Oxigraph, terms', delivery: 'terms', open: async () => new OxigraphStore() },
  { name: 'Oxigraph, strings', delivery: 'strings', open: async () => new OxigraphStore() },
  { name: 'Comunica', delivery: 'terms', open: () => ComunicaStore.open(60_000) },
];

describe.each(CASES)('$name', ({ delivery, open }) => {
  let store: SparqlStore;
  beforeAll(async () => {
    store = await open();
    await store.load(input);
  });
  afterAll(() => store.release());
  const ask = async (query: string) => (await store.query(query, delivery))!();

  it.each(QUERIES)('answers $query', async ({ query, answer }) => {
    expect(await ask(query)).toEqual(answer);
  });

  it('writes one line per quad', async () => {
    expect(await store.countQuads()).toBe(4);
    expect(await (await store.dump())()).toEqual({ rows: 4, chars: 0 });
    await store.clean?.();
  });

  it('applies the given changes', async () => {
    await store.update('INSERT DATA { <urn:new> <urn:p> "inserted" }');
    expect(await store.countQuads()).toBe(5);
    await store.update(
      'DELETE { ?s <urn:p> ?o } INSERT { ?s <urn:r> ?o } WHERE { ?s <urn:p> ?o FILTER(?s = <urn:new>) }',
    );
    expect(await ask('SELECT ?o { <urn:new> <urn:r> ?o }')).toEqual({ rows: 1, chars: 8 });
    expect(await ask('ASK { <urn:new> <urn:p> ?o }')).toEqual({ rows: 1, chars: 0 });
    await store.update('DELETE WHERE { <urn:new> ?p ?o }');
    expect(await store.countQuads()).toBe(4);
  });

  it('rejects a text that is not a query', async () => {
    await expect(async () => ask('SELECT')).rejects.toThrow();
    expect(await ask('ASK { ?s ?p ?o }')).toEqual({ rows: 1, chars: 1 });
  });
});

describe('Comunica', () => {
  it('abandons a query after its time limit, with its data unchanged', async () => {
    const bytes = academicDocument({ seed: 1, quads: 400 });
    const store = await ComunicaStore.open(500);
    await store.load({ ...input, bytes });
    // As many solutions as 400 to the fourth: no machine has them in time.
    const endless = 'SELECT * { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i . ?j ?k ?l FILTER(STRLEN(STR(?a)) < 0) }';
    expect(await store.query(endless)).toBeUndefined();
    expect(await store.countQuads()).toBe(400);
    await store.update('DELETE WHERE { ?s a ?type }');
    expect(await store.countQuads()).toBeLessThan(400);
    await store.release();
  });

  it('reports the error in a document', async () => {
    const bytes = Buffer.from('no RDF at all');
    const store = await ComunicaStore.open(500);
    await expect(store.load({ ...input, bytes })).rejects.toThrow('Comunica: ');
    await store.release();
  });
});
