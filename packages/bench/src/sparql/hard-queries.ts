import type { NamedQuery } from './named-query.ts';

/** Number of nodes of the cycle; its path query has the square of this as solutions. */
const CYCLE_NODES = 5000;
const NEXT = 'https://vocabulary.example/cycle#next';
const node = (number: number) => `<https://data.example/cycle/${number % CYCLE_NODES}>`;

/** Inserts the cycle for the path query. */
export const CYCLE_UPDATE = `INSERT DATA {\n${Array.from(
  { length: CYCLE_NODES },
  (_, number) => `${node(number)} <${NEXT}> ${node(number + 1)} .\n`,
).join('')}}`;

/** Queries that exceed any acceptable duration on large data; they run on any data. */
export const HARD_QUERIES: readonly NamedQuery[] = Object.entries({
  'cross product, rows read': 'SELECT * { ?a ?p ?b . ?c ?q ?d . ?e ?r ?f }',
  'cross product, no row passes': `SELECT * {
    ?a ?p ?b . ?c ?q ?d . ?e ?r ?f FILTER(STRLEN(STR(?b)) + STRLEN(STR(?d)) + STRLEN(STR(?f)) < 0) }`,
  'path over a cycle': `SELECT * { ?from <${NEXT}>+ ?to }`,
  'catastrophic REGEX': `SELECT * {
    ?a ?p ?b . ?c ?q ?d FILTER(REGEX(CONCAT(STR(?b), STR(?d), "${'a'.repeat(40)}!"), "^(.*a+)+$")) }`,
  'REGEX with a back-reference': `SELECT * {
    ?a ?p ?b . ?c ?q ?d FILTER(REGEX(CONCAT(STR(?b), STR(?d), "${'a'.repeat(16)}!"), "(a+)+\\\\1$")) }`,
  'ORDER BY, 4 million rows': `SELECT * { ${product('?a', '?b', 2000)} } ORDER BY DESC(?b) ?a`,
  'DISTINCT, 4 million rows': `SELECT DISTINCT ?a ?b { ${product('?a', '?b', 2000)} }`,
  'GROUP BY, 4 million rows': `SELECT ?a ?b (COUNT(*) AS ?n) { ${product('?a', '?b', 2000)} } GROUP BY ?a ?b`,
  'hash join, 4 million rows': `SELECT * {
    { SELECT * { ${product('?a', '?b', 2000)} } } { SELECT * { ${product('?b', '?c', 20)} } } }`,
}).map(([name, text]) => ({ name, text }));

/** A pattern with all pairs of `rows` objects. */
function product(one: string, other: string, rows: number): string {
  const some = (variable: string) => `{ SELECT ${variable} { ?s ?p ${variable} } LIMIT ${rows} }`;
  return `${some(one)} ${some(other)}`;
}
