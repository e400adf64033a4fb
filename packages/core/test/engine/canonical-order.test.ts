import { describe, expect, it } from 'vitest';
import { nativeEngine, RDF_FORMATS, WorldsEngine, writeQueryResult } from '../../src/index.ts';

/**
 * Worlds of a namespace share one dictionary, whose ids follow first appearance. A caller who
 * writes one world and sees nothing of the others must not be able to tell from an order whether
 * they had a term before.
 */

const P = '<urn:p>';
const GUESSES = ['amber', 'basil', 'cedar', 'dahlia', 'elder', 'fern'];
const KNOWN = ['fern', 'basil', 'dahlia'];
const FRESH = ['zz1', 'aa2', 'mm3', 'bb4', 'yy5', 'kk6'];

const triple = (subject: string, value: string, graph = '') =>
  `<urn:${subject}> ${P} "${value}" ${graph && `<urn:g:${graph}>`} .\n`;

/** What the attacker writes: each guess beside a word that nobody has used. */
const OWN = GUESSES.flatMap((guess, at) => [
  triple(`s${at}`, FRESH[at]),
  triple(`s${at}`, guess),
  triple('one', FRESH[at]),
  triple('one', guess),
  `<urn:one> ${P} <urn:${FRESH[at]}> .\n`,
  `<urn:one> ${P} <urn:${guess}> .\n`,
  triple(FRESH[at], 'x', FRESH[at]),
  triple(guess, 'x', guess),
  `<urn:sum> <urn:q> "${['1e100', '1', '-1e100', '7', '1e16', '-3'][at]}"^^<http://www.w3.org/2001/XMLSchema#double> .\n`,
]).join('');

interface Twin {
  readonly engine: WorldsEngine;
}

/** An engine with the attacker's world, made after a world with the words `hidden`. */
async function twin(hidden: readonly string[], sparql = nativeEngine()): Promise<Twin> {
  const engine = await WorldsEngine.open({ sparql });
  for (const slug of ['hidden', 'own']) await engine.createWorld({ slug });
  const data = hidden.flatMap((word) => [
    triple('h', word),
    `<urn:h> ${P} <urn:${word}> .\n`,
    triple(word, 'x', word),
    `<urn:h> <urn:q> "${word === 'fern' ? '-3' : '7'}"^^<http://www.w3.org/2001/XMLSchema#double> .\n`,
  ]);
  await engine.import({ source: 'hidden', data: data.join('') });
  await engine.import({ source: 'own', data: OWN });
  return { engine };
}

/** New blank nodes by their number alone: their scopes are random. */
const withoutScopes = (text: string) => text.replace(/\bb[0-9a-z]{25}([0-9a-z]{1,7})\b/g, 'b-$1');

async function answer({ engine }: Twin, query: string, canonicalOrder: boolean): Promise<string> {
  const result = await engine.query({ query, sources: ['own'], canonicalOrder });
  if (result.type === 'update') return JSON.stringify(result);
  let text = '';
  for await (const chunk of writeQueryResult(result, 'application/sparql-results+json')) {
    text += new TextDecoder().decode(chunk);
  }
  return withoutScopes(text);
}

const GROUP = `{ <urn:one> ${P} ?o FILTER(isLiteral(?o)) }`;
const QUERIES: readonly string[] = [
  'SELECT * { ?s ?p ?o }',
  'SELECT ?o { ?s ?p ?o }',
  'SELECT * { GRAPH ?g { ?s ?p ?o } }',
  'SELECT DISTINCT ?o { ?s ?p ?o }',
  'SELECT REDUCED ?o { ?s ?p ?o }',
  `SELECT ?o { <urn:one> ${P} ?o } LIMIT 1`,
  `SELECT ?o { <urn:one> ${P} ?o } OFFSET 3 LIMIT 2`,
  `SELECT DISTINCT ?o { <urn:one> ${P} ?o } LIMIT 2`,
  `SELECT ?o { <urn:one> ${P} ?o } ORDER BY isIRI(?o) LIMIT 3`,
  `SELECT ?s { ?s ${P} ?o } ORDER BY isIRI(?o)`,
  `SELECT DISTINCT ?s { ?s ${P} ?o } ORDER BY isIRI(?o) LIMIT 2`,
  `SELECT ?o { <urn:one> ${P} ?o } ORDER BY BNODE()`,
  `SELECT ?o ?b { <urn:one> ${P} ?o BIND(BNODE() AS ?b) }`,
  `SELECT ?o (BNODE(STR(?o)) AS ?b) { <urn:one> ${P} ?o }`,
  `SELECT (SAMPLE(?o) AS ?any) ${GROUP}`,
  `SELECT (GROUP_CONCAT(?o) AS ?all) ${GROUP}`,
  `SELECT (GROUP_CONCAT(DISTINCT ?o; separator="|") AS ?all) ${GROUP}`,
  `SELECT ?s (SAMPLE(?o) AS ?any) (GROUP_CONCAT(?o) AS ?all) { ?s ${P} ?o } GROUP BY ?s`,
  `SELECT (SUM(?o) AS ?sum) (AVG(?o) AS ?mean) { <urn:sum> <urn:q> ?o }`,
  `SELECT (MIN(?o) AS ?least) (MAX(?o) AS ?most) (COUNT(?o) AS ?n) ${GROUP}`,
  `SELECT ?o (COUNT(*) AS ?n) { ?s ?p ?o } GROUP BY ?o`,
  `SELECT (COUNT(?b) AS ?n) (SAMPLE(?o) AS ?x) { <urn:one> ${P} ?o BIND(BNODE() AS ?b) } GROUP BY isIRI(?o)`,
  `SELECT (MIN(BNODE()) AS ?b) ?o { <urn:one> ${P} ?o } GROUP BY ?o`,
  `SELECT ?x { { SELECT ?x { <urn:one> ${P} ?x } LIMIT 1 } }`,
  `SELECT ?s { ?s ${P} ?y FILTER EXISTS { SELECT ?y { <urn:one> ${P} ?y } LIMIT 1 } }`,
  `SELECT ?s { ?s ${P} ?z FILTER(?z != "x") MINUS { SELECT ?z { <urn:one> ${P} ?z } LIMIT 5 } }`,
  `SELECT * { ?s ${P} ?o OPTIONAL { SELECT ?o ?t { ?t ${P} ?o } LIMIT 4 } }`,
  `SELECT ?o { { ?s ${P} ?o } UNION { ?o ${P} ?s } } LIMIT 4`,
  `SELECT ?o { ?s (${P}|<urn:q>)* ?o } LIMIT 5`,
  `ASK { { SELECT ?o { <urn:one> ${P} ?o } LIMIT 1 } FILTER(?o = "zz1") }`,
  'CONSTRUCT { ?s ?p ?o } WHERE { ?s ?p ?o }',
  `CONSTRUCT { ?s ${P} ?o } WHERE { ?s ${P} ?o } LIMIT 1`,
  `CONSTRUCT { [] <urn:of> ?o } WHERE { <urn:one> ${P} ?o }`,
  'DESCRIBE <urn:one>',
  `DESCRIBE ?s { ?s ${P} ?o }`,
  `DESCRIBE ?s { ?s ${P} ?o } LIMIT 2`,
];

const HIDDEN: readonly (readonly string[])[] = [[], KNOWN, GUESSES, GUESSES.toReversed(), [...KNOWN, ...FRESH]];

describe.each([
  ['as it is', {}],
  ['with batches of one row', { batchRows: 1 }],
  ['without its optimizer', { optimize: false }],
])('an answer in canonical order, the engine %s', (_, options) => {
  it('is the same whatever hidden worlds hold', async () => {
    const twins: Twin[] = [];
    for (const hidden of HIDDEN) twins.push(await twin(hidden, nativeEngine(options)));
    for (const query of QUERIES) {
      const answers: string[] = [];
      for (const one of twins) answers.push(await answer(one, query, true));
      expect(new Set(answers).size, query).toBe(1);
      expect(answers[0].length, query).toBeGreaterThan(20);
    }
    for (const { engine } of twins) await engine.close();
  });
});

it('an answer without canonical order follows ids, in most of these queries', async () => {
  const [one, other] = [await twin([]), await twin(GUESSES)];
  let telling = 0;
  for (const query of QUERIES) {
    if ((await answer(one, query, false)) !== (await answer(other, query, false))) telling++;
  }
  expect(telling).toBeGreaterThan(QUERIES.length / 2);
  for (const { engine } of [one, other]) await engine.close();
});

describe('an update in canonical order', () => {
  it.each([
    `INSERT { ?x <urn:picked> true } WHERE { SELECT ?x { <urn:one> ${P} ?x FILTER(isIRI(?x)) } LIMIT 1 }`,
    `INSERT { <urn:r> <urn:all> ?all } WHERE { SELECT (GROUP_CONCAT(?o) AS ?all) ${GROUP} }`,
    `INSERT { <urn:r> <urn:any> ?any } WHERE { SELECT (SAMPLE(?o) AS ?any) ${GROUP} }`,
    `INSERT { [] <urn:of> ?o } WHERE { <urn:one> ${P} ?o }`,
    `DELETE { <urn:one> ${P} ?o } WHERE { SELECT ?o { <urn:one> ${P} ?o } LIMIT 5 }`,
  ])('writes the same whatever hidden worlds hold: %s', async (query) => {
    const exports: string[] = [];
    for (const hidden of HIDDEN) {
      const { engine } = await twin(hidden);
      await engine.update({ query, sources: ['own'], canonicalOrder: true });
      const all = new TextDecoder().decode(await engine.export({ source: 'own' }));
      exports.push(withoutScopes(all).split('\n').sort().join('\n'));
      await engine.close();
    }
    expect(new Set(exports).size).toBe(1);
  });
});

describe('an export in canonical order', () => {
  const types = RDF_FORMATS.flatMap(({ write, mediaType }) => (write ? [mediaType] : []));
  const documents = async (contentType: string, canonicalOrder: boolean, graph?: string) => {
    const found = new Set<string>();
    for (const hidden of HIDDEN) {
      const { engine } = await twin(hidden);
      for (const name of ['fern', 'zz1', 'empty']) {
        await engine.update({ query: `CREATE SILENT GRAPH <urn:g:${name}>`, sources: ['own'] });
      }
      const prefixes = { g: 'urn:g:' };
      const document = await engine.export({ source: 'own', contentType, prefixes, graph, canonicalOrder });
      found.add(new TextDecoder().decode(document));
      await engine.close();
    }
    return [...found];
  };

  it.each(types)('is the same whatever hidden worlds hold: %s', async (contentType) => {
    const [document, ...others] = await documents(contentType, true);
    expect(others).toEqual([]);
    const [plain] = await documents(contentType, false);
    const lines = (text: string) => text.split(/[\s,;[\]]+/).sort();
    expect(lines(document)).toEqual(lines(plain));
  });

  it('is the same for one graph, and for an empty one', async () => {
    expect(await documents('text/turtle', true, 'urn:g:fern')).toHaveLength(1);
    expect(await documents('application/trig', true, 'urn:g:empty')).toHaveLength(1);
    expect(await documents('application/n-quads', false)).not.toHaveLength(1);
  });
});

/** For each guess: whether it came before the fresh word that was written before it. */
function read(order: readonly string[]): boolean[] {
  return GUESSES.map((guess, at) => {
    const [known, fresh] = [order.indexOf(guess), order.indexOf(FRESH[at])];
    expect(Math.min(known, fresh)).toBeGreaterThanOrEqual(0);
    return known < fresh;
  });
}

describe('six guesses about another world', () => {
  const order = async ({ engine }: Twin, canonicalOrder: boolean) => {
    const query = `SELECT ?o { <urn:one> ${P} ?o }`;
    const rows = await (await engine.select({ query, sources: ['own'], canonicalOrder })).array();
    return rows.flatMap((row) => (row.get('o')?.termType === 'Literal' ? row.get('o')!.value : []));
  };
  const truth = GUESSES.map((guess) => KNOWN.includes(guess));

  it('are all answered by the order of ids', async () => {
    const one = await twin(KNOWN);
    expect(read(await order(one, false))).toEqual(truth);
    await one.engine.close();
  });

  it('are answered alike in canonical order, whatever is true', async () => {
    const [one, other] = [await twin(KNOWN), await twin([])];
    expect(read(await order(one, true))).toEqual(read(await order(other, true)));
    for (const { engine } of [one, other]) await engine.close();
  });
});
