import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, inject, it } from 'vitest';

/** What a process of its own answers, which an unhandled rejection ends; throws then. */
async function answersOf(queries: readonly string[]): Promise<unknown[]> {
  const args = [`${inject('programs')}/query-process.js`, JSON.stringify(queries)];
  const options = { timeout: 60_000, killSignal: 'SIGKILL' as const };
  const { stdout } = await promisify(execFile)(process.execPath, args, options);
  return JSON.parse(stdout);
}

/**
 * A malformed pattern and wrong flags are an error of one call (SPARQL 1.1 sections 17.4.3.14 and
 * 17.4.3.15): a FILTER drops the solution (17.2), BIND and a key of GROUP BY are unbound (18.5), an
 * aggregate is (18.5.1), ORDER BY puts what is unbound first (15.1).
 */
const MALFORMED: readonly (readonly [query: string, answer: readonly string[][]])[] = [
  ['SELECT ?o { ?s ?p ?o FILTER(REGEX(?o, "(")) }', []],
  ['SELECT ?o { ?s ?p ?o FILTER(!REGEX(?o, "(")) }', []],
  ['SELECT ?o { ?s ?p ?o FILTER(REGEX(?o, "(") || ?o = "bee") }', [['bee']]],
  ['SELECT ?o { ?s ?p ?o VALUES ?x { "(" "^a" } FILTER(REGEX(?o, ?x)) }', [['ant']]],
  [
    'SELECT ?o ?v { ?s ?p ?o BIND(REPLACE(?o, "[", "") AS ?v) }',
    [
      ['ant', '-'],
      ['bee', '-'],
      ['cat', '-'],
    ],
  ],
  ['SELECT ?v { ?s ?p ?o BIND(REPLACE(?o, "a", "", "not flags") AS ?v) }', [['-'], ['-'], ['-']]],
  ['SELECT ?v { ?s ?p ?o BIND(COALESCE(REPLACE(?o, "(", ""), ?o) AS ?v) }', [['ant'], ['bee'], ['cat']]],
  ['SELECT DISTINCT ?v { VALUES ?o { 1 2 } BIND(REGEX(STR(?o), "1", "ii") AS ?v) }', [['-']]],
  ['SELECT (COUNT(*) AS ?n) { ?s ?p ?o FILTER(REGEX(?o, "(")) }', [['0']]],
  [
    'SELECT ?s (COUNT(*) AS ?n) { ?s ?p ?o BIND(REGEX(?o, "(") AS ?v) } GROUP BY ?s',
    [
      ['urn:a', '2'],
      ['urn:b', '1'],
    ],
  ],
  [
    'SELECT ?s (MAX(REPLACE(?o, "(", "")) AS ?n) { ?s ?p ?o } GROUP BY ?s',
    [
      ['urn:a', '-'],
      ['urn:b', '-'],
    ],
  ],
  ['SELECT ?v (COUNT(*) AS ?n) { ?s ?p ?o } GROUP BY (REGEX(?o, "(") AS ?v)', [['-', '3']]],
  ['SELECT ?s { ?s ?p ?o } GROUP BY ?s HAVING(REGEX(STR(?s), "("))', []],
  [
    'SELECT ?s (COUNT(*) AS ?n) { ?s ?p ?o } GROUP BY ?s ORDER BY REGEX(STR(?s), "(")',
    [
      ['urn:a', '2'],
      ['urn:b', '1'],
    ],
  ],
  ['SELECT ?o { ?s ?p ?o } ORDER BY REPLACE(?o, "(", "") ?o', [['ant'], ['bee'], ['cat']]],
  ['SELECT ?s ?r { ?s ?p "cat" OPTIONAL { ?s ?p ?r FILTER(REGEX(?r, "(")) } }', [['urn:b', '-']]],
  ['SELECT ?o { ?s ?p ?o FILTER NOT EXISTS { ?s ?p ?r FILTER(REGEX(?r, "(")) } }', [['ant'], ['bee'], ['cat']]],
  [
    'SELECT ?o { { ?s ?p ?o BIND(REGEX(?o, "(") AS ?v) } MINUS { ?s <urn:q> ?o } } ORDER BY ?v',
    [['ant'], ['bee'], ['cat']],
  ],
];

it('survives queries with malformed patterns', async () => {
  const answers = await answersOf(MALFORMED.map(([query]) => query));
  expect(MALFORMED.map(([query], index) => [query, answers[index]])).toEqual(MALFORMED);
});

/** 3^20 solutions, of which none is the one that is asked for: the signal always comes first. */
const ENDLESS = `EXISTS { ${Array.from({ length: 20 }, (_, index) => `?a${index} ?b${index} ?c${index}`).join(' . ')} FILTER(?a0 = ?c19) }`;

it('survives an abort in the middle of an expression', async () => {
  const queries = [
    `SELECT ?o { ?s ?p ?o } ORDER BY ${ENDLESS}`,
    `SELECT ?o { ?s ?p ?o BIND(${ENDLESS} AS ?v) }`,
    `SELECT ?o { ?s ?p ?o FILTER(${ENDLESS}) }`,
    `SELECT (COUNT(*) AS ?n) { ?s ?p ?o } GROUP BY (${ENDLESS} AS ?v)`,
    `SELECT (MAX(IF(${ENDLESS}, 1, 2)) AS ?n) { ?s ?p ?o } GROUP BY ?s`,
  ];
  const answers = await answersOf(queries.map((query) => `# abort\n${query}`));
  expect(answers).toEqual(queries.map(() => 'ABORTED'));
});
