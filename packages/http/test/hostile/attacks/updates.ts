import { type Attack, json, list, nest, updateAttacks } from '../attack.ts';

const values = (count: number, variable: string) => `VALUES ${variable} { ${list(count, String)} }`;
const answer = { cost: 'answer' } as const;
const triples = (n: number) => list(n, (i) => `<urn:i${i}> <urn:p> "${i}" .`);

export const UPDATES: readonly Attack[] = updateAttacks([
  ['INSERT DATA operations', 1_000, (n) => list(n, (i) => `INSERT DATA { <urn:a${i}> <urn:b> ${i} } ;`)],
  ['DELETE DATA operations', 1_000, (n) => list(n, (i) => `DELETE DATA { <urn:s${i}> <urn:p0> ${i} } ;`)],
  ['CLEAR ALL operations', 1_000, (n) => 'CLEAR ALL ; '.repeat(n)],
  ['DROP SILENT operations', 1_000, (n) => list(n, (i) => `DROP SILENT GRAPH <urn:${i}> ;`)],
  ['CREATE operations', 1_000, (n) => list(n, (i) => `CREATE GRAPH <urn:g${i}> ;`)],
  ['CREATE and DROP operations', 500, (n) => list(n, (i) => `CREATE GRAPH <urn:g${i}> ; DROP GRAPH <urn:g${i}> ;`)],
  ['COPY operations', 100, (n) => list(n, (i) => `COPY DEFAULT TO <urn:g${i}> ;`)],
  ['MOVE operations', 250, (n) => list(n, (i) => `MOVE SILENT <urn:g${i}> TO <urn:g${i + 1}> ;`)],
  ['ADD operations', 100, (n) => list(n, () => 'ADD DEFAULT TO <urn:g> ;')],
  [
    'INSERT WHERE operations',
    300,
    (n) => list(n, (i) => `INSERT { ?s <urn:q${i}> 1 } WHERE { ?s <urn:p0> "text number 0" } ;`),
  ],
  ['DELETE WHERE operations', 300, (n) => list(n, (i) => `DELETE WHERE { <urn:s${i}> ?p ?o } ;`)],
  [
    'INSERT and DELETE of the same',
    500,
    (n) => list(n, () => 'INSERT DATA { <urn:a> <urn:b> 1 } ; DELETE DATA { <urn:a> <urn:b> 1 } ;'),
  ],
  [
    'operations that each read what the one before wrote',
    250,
    (n) =>
      `INSERT DATA { <urn:n> <urn:v> 0 } ; ${list(n, () => 'DELETE { <urn:n> <urn:v> ?o } INSERT { <urn:n> <urn:v> ?p } WHERE { <urn:n> <urn:v> ?o BIND(?o + 1 AS ?p) } ;')}`,
  ],
  [
    'operations with a new prefix each',
    700,
    (n) => list(n, (i) => `PREFIX p${i}: <urn:${i}> INSERT DATA { p${i}:a p0: 1 } ;`),
  ],
  ['operations, too many', 10_000, (n) => 'CLEAR ALL;'.repeat(n)],
  ['semicolons', 50_000, (n) => `CLEAR DEFAULT ${';'.repeat(n)}`],
  ['data', 1_500, (n) => `INSERT DATA { ${triples(n)} }`],
  ['data that is deleted', 1_500, (n) => `DELETE DATA { ${triples(n)} }`],
  ['graphs of data', 700, (n) => `INSERT DATA { ${list(n, (i) => `GRAPH <urn:g${i}> { <urn:a> <urn:b> ${i} }`)} }`],
  ['blank nodes of data', 1_500, (n) => `INSERT DATA { ${list(n, (i) => `_:b${i} <urn:p> [] .`)} }`],
  ['objects of data', 3_000, (n) => `INSERT DATA { <urn:a> <urn:b> ${list(n, String, ',')} }`],
  ['nested collections of data', 25, (n) => `INSERT DATA { <urn:a> <urn:b> ${nest('(', '1', ')')(n)} }`],
  ['a collection of data', 3_000, (n) => `INSERT DATA { <urn:a> <urn:b> (${'1 '.repeat(n)}) }`],
  [
    'nested triple terms of data',
    25,
    (n) => `INSERT DATA { <urn:a> <urn:b> ${nest('<<( <urn:a> <urn:b> ', '1', ')>>')(n)} }`,
  ],
  [
    'a long prefix of data',
    2_000,
    (n) => `PREFIX p: <urn:${'x'.repeat(n)}> INSERT DATA { ${list(n, (i) => `p:${i} p: 1 .`)} }`,
  ],
  [
    'a long base of data',
    2_000,
    (n) => `BASE <http://e/${'x/'.repeat(n / 2)}> INSERT DATA { ${list(n, (i) => `<${i}> <p> 1 .`)} }`,
  ],
  [
    'an INSERT of a cross product',
    2,
    (n) => `INSERT { ?s0 <urn:q> ?o1 } WHERE { ${list(n, (i) => `?s${i} ?p${i} ?o${i} .`)} }`,
    answer,
  ],
  [
    'an INSERT of new terms of a cross product',
    12,
    (n) =>
      `INSERT { ?x <urn:p> ?y } WHERE { ${['?a', '?b', '?c', '?y'].map((name) => values(n, name)).join(' ')} BIND(IRI(CONCAT("urn:", STR(?a), "-", STR(?b), "-", STR(?c))) AS ?x) }`,
    answer,
  ],
  [
    'an INSERT of doubled texts',
    25,
    (n) =>
      `INSERT { <urn:s> <urn:p> ?t } WHERE { ${values(n, '?n')} BIND(CONCAT(STR(?n), "${'x'.repeat(1000)}") AS ?t0) ${list(9, (i) => `BIND(CONCAT(?t${i}, ?t${i}) AS ?t${i + 1})`)} BIND(?t9 AS ?t) }`,
  ],
  [
    'blank nodes of a template',
    12,
    (n) =>
      `INSERT { [] <urn:p> [ <urn:q> [] ] } WHERE { ${['?a', '?b', '?c'].map((name) => values(n, name)).join(' ')} }`,
    answer,
  ],
  [
    'a long template',
    300,
    (n) => `INSERT { ${list(n, (i) => `?s <urn:q${i}> ?o .`)} } WHERE { ?s <urn:p0> ?o }`,
    answer,
  ],
  [
    'a DELETE of everything, many times',
    100,
    (n) => list(n, () => 'DELETE { ?s ?p ?o } INSERT { ?s ?p ?o } WHERE { ?s ?p ?o } ;'),
  ],
  ['USING', 2_000, (n) => `DELETE { ?s ?p ?o } ${list(n, (i) => `USING <urn:g${i}>`)} WHERE { ?s ?p ?o }`],
  ['a LOAD', 100, (n) => list(n, () => 'LOAD <http://127.0.0.1:1/> ;'), { statuses: [400] }],
  ['a LOAD SILENT', 100, (n) => list(n, () => 'LOAD SILENT <http://127.0.0.1:1/> ;')],
  [
    'operations and an error behind them',
    1_000,
    (n) => `${list(n, (i) => `INSERT DATA { <urn:a${i}> <urn:b> ${i} } ;`)} INSERT`,
    { statuses: [400, 413] },
  ],
  ['an update of a reader', 100, (n) => `INSERT DATA { ${triples(n)} }`],
]).map((attack, i, { length }) => (i === length - 1 ? byReader(attack) : attack));

/** The last one comes from somebody who may not write. */
function byReader(attack: Attack): Attack {
  return {
    ...attack,
    route: 'sparqlWorld',
    at: (size) => ({
      ...json('POST', '/worlds/w/sparql', { query: `INSERT DATA { ${triples(size * 1000)} }` }),
      as: 'reader',
    }),
    statuses: [403],
  };
}
