import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { nativeEngine, type SparqlSelectResults, WorldsEngine } from '../../src/index.ts';

const GRAPHS = 50;

let engine: WorldsEngine;
beforeAll(async () => {
  engine = await WorldsEngine.open({ sparql: nativeEngine({ batchRows: 3 }), textIndex: null });
  await engine.createWorld({ slug: 'w' });
  const lines: string[] = [];
  for (let g = 0; g < GRAPHS; g++) {
    for (let i = 0; i < g % 5; i++) {
      lines.push(`<urn:s${i}> <urn:p> <urn:o${(g * i) % 7}> <urn:g${g}> .`, `<urn:o${i}> <urn:q> "${g}" <urn:g${g}> .`);
    }
  }
  await engine.import({ source: 'w', data: lines.join('\n') });
  await engine.update({ query: 'CREATE GRAPH <urn:empty>' });
});
afterAll(() => engine.close());

async function rows(query: string): Promise<string[]> {
  const { results } = (await engine.sparql({ query })) as SparqlSelectResults;
  return results.bindings.map((binding) => JSON.stringify(Object.entries(binding).sort())).sort();
}

/** The solutions in each graph by itself, with its name joined to them. */
async function oneByOne(pattern: string, behind: string): Promise<string[]> {
  const names = [...Array.from({ length: GRAPHS }, (_, g) => `urn:g${g}`), 'urn:empty'];
  const all: string[] = [];
  for (const name of names) {
    all.push(...(await rows(`SELECT * { GRAPH <${name}> { ${pattern} } VALUES ?g { <${name}> } ${behind} }`)));
  }
  return all.sort();
}

const PATTERNS = [
  '?s <urn:p> ?o OPTIONAL { ?o <urn:q> ?n }',
  '?s <urn:p> ?o OPTIONAL { ?o <urn:q> ?n FILTER(EXISTS { ?s <urn:p> ?x } && ?n != "7") }',
  '{ ?s <urn:p> ?o } UNION { ?x <urn:q> ?n }',
  '?s <urn:p> ?o FILTER NOT EXISTS { ?o <urn:q> ?n }',
  '?s <urn:p> ?o FILTER(?o = <urn:o1> || EXISTS { ?o <urn:q> ?n } || EXISTS { SELECT ?s { ?s <urn:q> ?m } LIMIT 1 })',
  '?s <urn:p> ?o BIND(EXISTS { ?o <urn:q> ?n } AS ?e) BIND(!EXISTS { ?s <urn:q> ?n } AS ?f)',
  'SELECT ?s (COUNT(?o) AS ?c) { ?s <urn:p> ?o } GROUP BY ?s',
  '{ SELECT (COUNT(*) AS ?c) { ?s <urn:p> ?o } }',
  '?s <urn:p> ?o MINUS { ?s <urn:p> <urn:o1> }',
  'OPTIONAL { ?s <urn:p>+ ?o }',
  'VALUES ?s { <urn:s1> UNDEF } OPTIONAL { ?s <urn:p> ?o }',
];

describe('GRAPH ?g over many graphs', () => {
  it.each(PATTERNS)('{ %s }', async (pattern) => {
    const inner = pattern.startsWith('SELECT') ? `{ ${pattern} }` : pattern;
    const found = await rows(`SELECT * { GRAPH ?g { ${inner} } }`);
    expect(found).toEqual(await oneByOne(inner, ''));
    expect(found.length).toBeGreaterThan(0);
  });

  it.each(PATTERNS)('{ %s } joined with the surrounding pattern', async (pattern) => {
    const inner = pattern.startsWith('SELECT') ? `{ ${pattern} }` : pattern;
    const outside = 'VALUES ?g { <urn:g4> <urn:g13> <urn:g49> <urn:nowhere> } OPTIONAL { GRAPH ?g { ?s <urn:q> ?z } }';
    expect(await rows(`SELECT * { GRAPH ?g { ${inner} } ${outside} }`)).toEqual(await oneByOne(inner, outside));
  });

  it('within EXISTS and within another GRAPH', async () => {
    const query = `SELECT * { GRAPH ?g { ?s <urn:p> ?o FILTER EXISTS { GRAPH ?h { ?o <urn:q> "4" OPTIONAL { ?o <urn:r> ?x } } } }
      GRAPH ?i { { ?o <urn:q> "9" } UNION { ?o <urn:q> "14" } GRAPH ?j { OPTIONAL { ?o <urn:p> ?y } } } }`;
    const plain = `SELECT * { GRAPH ?g { ?s <urn:p> ?o } GRAPH <urn:g4> { ?o <urn:q> "4" }
      { GRAPH ?i { ?o <urn:q> "9" } } UNION { GRAPH ?i { ?o <urn:q> "14" } }
      { GRAPH ?j {} OPTIONAL { GRAPH ?k { ?o <urn:p> ?y } FILTER(?k = ?j) } } }`;
    const withoutNames = (found: readonly string[]) =>
      found.map((row) => row.replace(/\["k",\{[^}]*\}\],?/, '')).sort();
    expect((await rows(query)).length).toBeGreaterThan(0);
    expect(withoutNames(await rows(query)).length).toBe(withoutNames(await rows(plain)).length);
  });

  it('is planned when the turn of a graph comes', async () => {
    const query = 'SELECT * { GRAPH ?g { ?s <urn:p> ?o MINUS { ?o <urn:q> ?n } } }';
    const { text, plan } = await engine.explain({ query, analyze: true });
    expect(text).toContain('each graph ?g, planned again for each: minus (bgp ?s <urn:p> ?o, bgp ?o <urn:q> ?n)');
    expect(plan.actualRows).toBe((await rows(query)).length);
  });
});
