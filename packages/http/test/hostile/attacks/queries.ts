import { RESULT_FORMATS } from '@rdf-worlds/core';
import { type Attack, importOf, json, list, nest, queryAttacks } from '../attack.ts';

const where = (pattern: (n: number) => string) => (n: number) => `SELECT * { ${pattern(n)} }`;
const bind = (expression: (n: number) => string) => where((n) => `?s <urn:p0> ?o BIND(${expression(n)} AS ?z)`);
const filter = (expression: (n: number) => string) => where((n) => `?s <urn:p0> ?o FILTER(${expression(n)})`);
const values = (count: number, variable: string) => `VALUES ${variable} { ${list(count, String)} }`;
/** Binds `?t` to texts of 2 to the power of `doublings` characters, another one for each `?n`. */
const doubled = (doublings: number) =>
  `BIND(SUBSTR(CONCAT(STR(?n), "................"), 1, 16) AS ?t4) ${list(doublings - 4, (i) => `BIND(CONCAT(?t${i + 4}, ?t${i + 4}) AS ?t${i + 5})`)} BIND(?t${doublings} AS ?t)`;
const answer = { cost: 'answer' } as const;

/** Hashes of texts that begin with `?t`. */
const hashes = (n: number) => list(n, (i) => `SHA512(CONCAT(?t, "${i}"))`, ',');

/** Conditions on `?t` that are false, by turns of different functions. */
const CONDITIONS: readonly ((i: number) => string)[] = [
  (i) => `REGEX(?t, "(a|zb)*q${i}")`,
  (i) => `CONTAINS(?t, "q${i}")`,
  (i) => `STRLEN(?t) = ${i}`,
  (i) => `?t IN ("q${i}", "r")`,
  (i) => `REPLACE(?t, "[.]", "${i}") = "q"`,
  (i) => `STRSTARTS(UCASE(?t), "Q${i}")`,
  (i) => `MD5(CONCAT(?t, "${i}")) = "q"`,
  (i) => `?t < "${i % 2 === 0 ? '' : ' '}"`,
  (i) => `IF(BOUND(?x${i}), true, false)`,
  (i) => `COALESCE(?x${i}, ?t) = "q"`,
];
const mixedCondition = (i: number) => CONDITIONS[i % CONDITIONS.length](i);

const TEXT_FUNCTIONS = [
  'STRLEN(UCASE(?t))',
  'STRLEN(LCASE(?t))',
  'STRLEN(ENCODE_FOR_URI(SUBSTR(?t, 1, 300000)))',
  'SHA512(?t)',
  'MD5(?t)',
  'STRLEN(REPLACE(SUBSTR(?t, 1, 300000), "x", "y"))',
  'REGEX(SUBSTR(?t, 9), "(a|zb)*q")',
  'CONTAINS(?t, "q")',
  'STRLEN(STRAFTER(?t, "q"))',
  'STRLEN(SUBSTR(?t, 3))',
  '?t < CONCAT(?t, "a")',
  'STRLEN(STR(STRDT(?t, <urn:d>)))',
] as const;

/** As deep as they may be at the largest size. */
const NESTED = queryAttacks([
  ['nested groups', 30, where(nest('{ ?s <urn:p0> ?o ', '', '}'))],
  ['nested OPTIONAL', 30, where(nest('?s <urn:p0> ?o OPTIONAL {', '?s ?p ?x', '}')), answer],
  [
    'nested OPTIONAL of new variables',
    15,
    where((n) => `${list(n, (i) => `?s${i} <urn:p0> ?s${i + 1} OPTIONAL {`)} ?s0 ?p ?o ${'}'.repeat(n)}`),
    answer,
  ],
  ['nested UNION', 15, where(nest('{ ?s <urn:p0> ?o } UNION {', '?s ?p ?o', '}'))],
  ['nested MINUS', 25, where(nest('?s <urn:p0> ?o MINUS {', '?s ?p ?o', '}'))],
  ['nested EXISTS', 25, where(nest('?s <urn:p0> ?o FILTER EXISTS {', '?s ?p ?o', '}'))],
  ['nested EXISTS in expressions', 12, where(nest('?s <urn:p0> ?o FILTER(?o = 1 || EXISTS {', '?s ?p ?o', '})'))],
  ['nested GRAPH', 25, where(nest('GRAPH ?g {', '?s ?p ?o', '}'))],
  ['nested subqueries', 12, where(nest('{ SELECT DISTINCT * {', '?s ?p ?o', '} ORDER BY ?s LIMIT 3 }'))],
  [
    'nested counts',
    12,
    where((n) => `${list(n, (i) => `{ SELECT (COUNT(?c${i}) AS ?c${i + 1}) {`)} ?c${n - 1} ?p ?o ${'} }'.repeat(n)}`),
  ],
  ['brackets', 25, filter(nest('(', '?s', ')'))],
  ['negations', 25, filter(nest('!', '?s', ''))],
  ['nested calls', 25, bind(nest('STR(', '?s', ')'))],
  ['nested IF', 25, bind(nest('IF(?s = ?o, 1, ', '?s', ')'))],
  ['nested COALESCE', 25, bind(nest('COALESCE(1/0, ', '?s', ')'))],
  ['a long sum', 25, bind((n) => `1${' + 1'.repeat(n)}`)],
  ['nested closures', 25, where((n) => `<urn:s0> ${nest('(', '<urn:p0>', ')*')(n)} ?o`)],
  ['nested sequences in closures', 12, where((n) => `<urn:s0> ${nest('(', '<urn:p0>', '/<urn:p1>)+')(n)} ?o`)],
  ['nested inverse alternatives', 12, where((n) => `?s ${nest('^(', '<urn:p0>', '|<urn:p1>)')(n)} ?o`)],
  ['nested collections', 25, where((n) => `?s ?p ${nest('(', '1', ')')(n)}`)],
  ['nested blank nodes', 25, where((n) => `?s ?p ${nest('[ ?p ', '1', ']')(n)}`)],
  ['nested triple terms', 25, where((n) => `?s ?p ${nest('<<( <urn:a> <urn:b> ', '?x', ')>>')(n)}`)],
  ['nested TRIPLE()', 25, bind(nest('TRIPLE(<urn:a>, <urn:b>, ', '1', ')'))],
]);

/** Far deeper than anything may be. */
const TOO_DEEP = queryAttacks([
  ['groups without end', 10_000, (n) => `SELECT * ${'{'.repeat(n)}`],
  ['groups too deep', 10_000, where(nest('{', '', '}'))],
  ['brackets too deep', 15_000, filter(nest('(', '1', ')'))],
  ['negations too many', 30_000, filter(nest('!', '?s', ''))],
  ['collections too deep', 15_000, where((n) => `?s ?p ${nest('(', '1', ')')(n)}`)],
  ['blank nodes too deep', 8_000, where((n) => `?s ?p ${nest('[ ?p ', '1', ']')(n)}`)],
  ['paths too deep', 15_000, where((n) => `?s ${nest('(', '<urn:p>', ')*')(n)} ?o`)],
  ['triple terms too deep', 3_000, where((n) => `?s ?p ${nest('<<( <urn:a> <urn:b> ', '1', ')>>')(n)}`)],
  ['minus signs', 30_000, filter((n) => `${'- '.repeat(n)}1`)],
  ['UNION too deep', 2_000, where(nest('{ ?s <urn:p0> ?o } UNION {', '?s ?p ?o', '}'))],
  ['subqueries too deep', 3_000, where(nest('{ SELECT * {', '?s ?p ?o', '} }'))],
]);

/** Long in one direction. */
const LONG = queryAttacks([
  ['a chain of patterns', 55, where((n) => list(n, (i) => `?s${i} <urn:p${i % 3}> ?s${i + 1} .`)), answer],
  ['a star of patterns', 55, where((n) => list(n, (i) => `?s <urn:p0> ?o${i} .`)), answer],
  ['the same pattern', 55, where((n) => '?s ?p ?o .'.repeat(n))],
  ['ground patterns', 55, where((n) => '<urn:s0> <urn:p0> "text number 0" .'.repeat(n))],
  ['patterns that share nothing', 55, where((n) => list(n, (i) => `?s${i} <urn:q> ?o${i} .`))],
  ['patterns, too many', 1_000, where((n) => list(n, (i) => `?s${i} <urn:q> ?o${i} .`))],
  ['filters', 2_000, where((n) => `?s <urn:p0> ?o ${'FILTER(?s != ?p)'.repeat(n)}`)],
  [
    '60 patterns with many filters',
    1_000,
    where(
      (n) =>
        `${list(60, (i) => `?s${i} <urn:q> ?s${i + 1} .`)} ${list(n, (i) => `FILTER(?s${i % 60} != ?s${(i * 7) % 60})`)}`,
    ),
  ],
  [
    'as many patterns as filters',
    55,
    where(
      (n) =>
        `${list(n, (i) => `?s${i} <urn:q> ?s${i + 1} .`)} ${list(n * 16, (i) => `FILTER(?s${i % n} != ?s${(i * 7) % n})`)}`,
    ),
  ],
  ['HAVING', 2_000, (n) => `SELECT ?s { ?s ?p ?o } GROUP BY ?s HAVING ${'(?s != 1)'.repeat(n)}`],
  ['filters with EXISTS', 60, where((n) => `?s <urn:p0> ?o ${'FILTER EXISTS { ?s ?p ?x }'.repeat(n)}`)],
  ['UNION', 60, where((n) => `${'{ ?s <urn:p0> ?o } UNION '.repeat(n)}{}`)],
  ['UNION of new variables', 60, where((n) => `${list(n, (i) => `{ ?s${i} <urn:p0> ?o${i} } UNION`)} {}`)],
  ['groups', 60, where((n) => '{ ?s <urn:p0> ?o }'.repeat(n))],
  ['OPTIONAL', 60, where((n) => `?s <urn:p0> ?o ${list(n, (i) => `OPTIONAL { ?s <urn:p0> ?o${i} }`)}`)],
  ['MINUS', 60, where((n) => `?s <urn:p0> ?o ${list(n, (i) => `MINUS { ?s <urn:p1> ?o${i} }`)}`)],
  ['BIND', 60, where((n) => `?s <urn:p0> ?o ${list(n, (i) => `BIND(?s AS ?b${i})`)}`)],
  ['subqueries', 60, where((n) => '{ SELECT * { ?s <urn:p0> ?o } }'.repeat(n))],
  ['paths of any length', 30, where((n) => list(n, (i) => `?s${i} <urn:p0>* ?s${i + 1} .`)), answer],
  ['a sequence path', 600, where((n) => `?s ${'<urn:p0>/'.repeat(n)}<urn:p0> ?o`)],
  ['a sequence in a closure', 600, where((n) => `<urn:s0> (${'<urn:p0>/'.repeat(n)}<urn:p0>)* ?o`)],
  ['alternatives in a closure', 600, where((n) => `<urn:s0> (${'<urn:p0>|'.repeat(n)}<urn:p0>)* ?o`)],
  ['a negated property set', 4_000, where((n) => `?s !(${list(n, (i) => `<urn:q${i}>`, '|')}) ?o`)],
  ['or', 30, filter((n) => list(n, (i) => `?s = <urn:s${i}>`, '||'))],
  ['IN', 4_000, filter((n) => `?s IN (${list(n, (i) => `<urn:z${i}>`, ',')})`)],
  ['NOT IN of variables', 4_000, filter((n) => `?s NOT IN (${list(n, (i) => `?x${i}`, ',')})`)],
  ['CONCAT', 4_000, bind((n) => `CONCAT(${'STR(?s),'.repeat(n)}"a")`), answer],
  ['VALUES rows', 2_000, where((n) => `VALUES (?s ?v) { ${list(n, (i) => `(<urn:s${i}> ${i})`)} } ?s ?p ?o`)],
  [
    'VALUES rows without values',
    2_000,
    where((n) => `VALUES (?s ?v) { ${list(n, (i) => `(UNDEF ${i})`)} } ?s <urn:p0> ?o`),
    answer,
  ],
  ['VALUES variables', 1_000, where((n) => `VALUES (${list(n, (i) => `?v${i}`)}) { (${list(n, String)}) }`)],
  ['VALUES blocks', 60, where((n) => list(n, (i) => `VALUES ?v${i} { 1 }`))],
  ['selected variables', 4_000, (n) => `SELECT ${list(n, (i) => `?v${i}`)} { ?v0 ?v1 ?v2 }`, answer],
  ['selected expressions', 500, (n) => `SELECT ${list(n, (i) => `(?s AS ?v${i})`)} { ?s ?p ?o }`, answer],
  ['keys of ORDER BY', 60, (n) => `SELECT * { ?s ?p ?o } ORDER BY ${list(n, (i) => `?v${i}`)}`],
  ['keys of GROUP BY', 60, (n) => `SELECT (COUNT(*) AS ?c) { ?s ?p ?o } GROUP BY ${list(n, (i) => `?v${i}`)}`],
  ['keys of ORDER BY, too many', 4_000, (n) => `SELECT * { ?s ?p ?o } ORDER BY ${list(n, (i) => `?v${i}`)}`],
  ['aggregates', 500, (n) => `SELECT (CONCAT(${list(n, (i) => `STR(COUNT(?v${i}))`, ',')}) AS ?a) { ?s ?p ?o }`],
  [
    'a template of CONSTRUCT',
    300,
    (n) => `CONSTRUCT { ${list(n, (i) => `?s <urn:q${i}> ?o .`)} } { ?s <urn:p0> ?o }`,
    answer,
  ],
  ['described resources', 2_000, (n) => `DESCRIBE ${list(n, (i) => `<urn:s${i}>`)}`],
  ['FROM NAMED', 2_000, (n) => `SELECT * ${list(n, (i) => `FROM NAMED <urn:g${i}>`)} { GRAPH ?g { ?s ?p ?o } }`],
  ['prefixes', 2_000, (n) => `${list(n, (i) => `PREFIX p${i}: <urn:${i}>`)} ASK { ?s p1: p2: }`],
  ['bases', 2_000, (n) => `${list(n, (i) => `BASE <http://e/${i}/>`)} ASK { ?s <a> <b> }`],
  ['a wide collection', 55, where((n) => `?s ?p (${'1 '.repeat(n)})`)],
  ['objects of one predicate', 55, where((n) => `?s <urn:p0> ${list(n, (i) => `?o${i}`, ',')}`), answer],
  ['blank node property lists', 300, where((n) => list(n, () => '[ <urn:p0> [] ] <urn:p1> [] .'))],
  ['a path of many inverses', 300, where((n) => `?s ${'^<urn:p0>/'.repeat(n)}<urn:p0> ?o`)],
]);

/** Long tokens, and texts that are expanded. */
const TOKENS = queryAttacks([
  ['a long string', 50_000, where((n) => `?s ?p "${'x'.repeat(n)}"`)],
  ['a long string of escapes', 12_000, where((n) => `?s ?p "${'\\u0041'.repeat(n)}"`)],
  ['a long triple-quoted string of quotes', 30_000, where((n) => `?s ?p """${'""a'.repeat(n / 3)}"""`)],
  ['a long comment', 50_000, (n) => `ASK {} #${'x'.repeat(n)}`],
  ['comments', 25_000, (n) => `ASK {} ${'#\n'.repeat(n)}`],
  ['white space', 50_000, (n) => `ASK ${' '.repeat(n)} {}`],
  ['a long IRI', 50_000, where((n) => `?s <urn:${'x'.repeat(n)}> ?o`)],
  ['a long relative IRI of dots', 15_000, where((n) => `?s <${'../'.repeat(n)}> ?o`)],
  ['a long variable', 50_000, (n) => `SELECT ?${'x'.repeat(n)} {}`],
  ['a long prefixed name', 50_000, (n) => `PREFIX p: <urn:> ASK { ?s p:${'x'.repeat(n)} ?o }`],
  ['a long number', 50_000, where((n) => `?s ?p ${'9'.repeat(n)}`)],
  ['arithmetic of long numbers', 3_000, bind((n) => `${'9'.repeat(n)} * ${'9'.repeat(n)}`)],
  ['a long language tag', 50_000, where((n) => `?s ?p "a"@en${'-x'.repeat(n / 2)}`)],
  [
    'a long prefix that is used often',
    2_000,
    (n) => `PREFIX p: <urn:${'x'.repeat(n)}> ASK { ${list(n, (i) => `?s p:${i} ?o .`)} }`,
  ],
  [
    'a long base that is used often',
    2_000,
    (n) => `BASE <http://e/${'x/'.repeat(n / 2)}> ASK { ${list(n, (i) => `?s <${i}> ?o .`)} }`,
  ],
  ['a string without end', 50_000, where((n) => `?s ?p "${'x'.repeat(n)}`)],
  ['an IRI without end', 50_000, where((n) => `?s <urn:${'x'.repeat(n)}`)],
  ['signs of nothing', 50_000, (n) => `ASK { ${'<'.repeat(n)}`],
  ['question marks', 50_000, (n) => `ASK { ${'?'.repeat(n)} }`],
]);

/** Short texts that ask for much. */
const EVALUATION = queryAttacks([
  ['MAX of doubled texts', 25, (n) => `SELECT ?n (MAX(?t) AS ?m) { ${values(n, '?n')} ${doubled(18)} } GROUP BY ?n`],
  [
    'SAMPLE of doubled texts',
    25,
    (n) => `SELECT ?n (SAMPLE(UCASE(?t)) AS ?m) { ${values(n, '?n')} ${doubled(18)} } GROUP BY ?n`,
  ],
  ['GROUP_CONCAT', 25, (n) => `SELECT (GROUP_CONCAT(?t) AS ?m) { ${values(n, '?n')} ${doubled(16)} }`],
  [
    'COUNT DISTINCT of long texts',
    25,
    (n) => `SELECT (COUNT(DISTINCT UCASE(?t)) AS ?m) { ${values(n, '?n')} ${doubled(18)} }`,
  ],
  ['ORDER BY long texts', 25, (n) => `SELECT ?n { ${values(n, '?n')} ${doubled(18)} } ORDER BY (UCASE(?t))`],
  ['one text doubled', 2, (n) => `SELECT (STRLEN(?t) AS ?l) { BIND("a" AS ?n) ${doubled(14 + n)} }`, answer],
  ['texts of one answer', 25, (n) => `SELECT ?t { ${values(n, '?n')} ${doubled(18)} }`],
  ['ENCODE_FOR_URI', 25, (n) => `SELECT (STRLEN(ENCODE_FOR_URI(?t)) AS ?l) { ${values(n, '?n')} ${doubled(18)} }`],
  ['hashes of long texts', 25, (n) => `SELECT (SHA512(?t) AS ?h) { ${values(n, '?n')} ${doubled(20)} }`],
  [
    'REPLACE of long texts',
    10,
    (n) => `SELECT (STRLEN(REPLACE(?t, "[.]", "xx")) AS ?l) { ${values(n, '?n')} ${doubled(18)} }`,
  ],
  [
    'REPLACE of the empty match',
    10,
    (n) => `SELECT (STRLEN(REPLACE(?t, "x*?(.)", "$1$1$1")) AS ?l) { ${values(n, '?n')} ${doubled(18)} }`,
  ],
  ['a regular expression that backtracks', 2, filter((n) => `REGEX("${'a'.repeat(20 + n)}!", "^(a+)+$")`), answer],
  [
    'a regular expression that backtracks over groups',
    2,
    filter((n) => `REGEX("${'a'.repeat(20 + n)}!", "^(a|aa)+$")`),
    answer,
  ],
  [
    'a regular expression that backtracks over three stars',
    250,
    filter((n) => `REGEX("${'a'.repeat(n)}!", "a*a*a*b")`),
    answer,
  ],
  ['a long regular expression', 2_000, filter((n) => `REGEX(STR(?s), "${'(a|b)?'.repeat(n)}")`)],
  ['a regular expression that counts', 60, filter((n) => `REGEX(STR(?s), "(a{1,${n}}){1,${n}}")`)],
  [
    'many regular expressions',
    60,
    filter((n) => list(n, (i) => `REGEX(STR(?s), CONCAT("a", STR(?o), "${i}"))`, '+')),
    answer,
  ],
  [
    'one expression of many calls on a long text',
    25,
    (n) => `SELECT ?h { ${values(1, '?n')} ${doubled(20)} BIND(CONCAT(${hashes(n)}) AS ?h) }`,
  ],
  [
    'nested calls on a long text',
    6,
    (n) =>
      `SELECT (STRLEN(${nest('LCASE(UCASE(REPLACE(', '?t', ', "x", "y")))')(n)}) AS ?l) { ${values(1, '?n')} ${doubled(19)} }`,
  ],
  [
    'one condition of many calls on a long text',
    25,
    (n) =>
      `SELECT ?n { ${values(1, '?n')} ${doubled(19)} FILTER(${list(n, (i) => `REGEX(?t, "(a|zb)*q${i}")`, '||')} || CONTAINS(?t, "1")) }`,
  ],
  [
    'keys of many calls on long texts',
    25,
    (n) => `SELECT ?n { ${values(3, '?n')} ${doubled(18)} } ORDER BY (CONCAT(${hashes(n)}))`,
  ],
  [
    'an aggregate of many calls on long texts',
    25,
    (n) => `SELECT (GROUP_CONCAT(CONCAT(${hashes(n)})) AS ?h) { ${values(3, '?n')} ${doubled(18)} }`,
  ],
  [
    'an OPTIONAL with a condition of many calls on long texts',
    25,
    (n) =>
      `SELECT * { ${values(3, '?n')} ${doubled(18)} OPTIONAL { ?n ?p ?x FILTER(STRLEN(CONCAT(${hashes(n)})) = 1) } }`,
  ],
  [
    'calls on a long constant',
    2,
    (n) => `SELECT (CONCAT(${list(n, (i) => `SHA512(REPLACE("${'x'.repeat(28_000)}", "x", "${i}y"))`, ',')}) AS ?h) {}`,
  ],
  [
    'calls with random values on a long text',
    25,
    (n) =>
      `SELECT ?h { ${values(1, '?n')} ${doubled(20)} BIND(CONCAT(${list(n, () => 'SHA512(CONCAT(?t, STR(RAND())))', ',')}) AS ?h) }`,
  ],
  [
    'mixed conditions',
    250,
    (n) => `SELECT ?n { ${values(1, '?n')} ${doubled(14)} FILTER(${list(n, mixedCondition, '||')}) }`,
  ],
  [
    'functions of a long text that is not ASCII',
    1,
    (n) =>
      `SELECT ${list(TEXT_FUNCTIONS.length * Math.min(n, 4), (i) => `(${TEXT_FUNCTIONS[i % TEXT_FUNCTIONS.length]} AS ?x${i})`)} { BIND("${'äöüß日本語x'.repeat(2)}" AS ?t4) ${list(17, (i) => `BIND(CONCAT(?t${i + 4}, ?t${i + 4}) AS ?t${i + 5})`)} BIND(?t21 AS ?t) }`,
  ],
  [
    'CONTAINS of long texts',
    25,
    (n) => `SELECT ?n { ${values(n, '?n')} ${doubled(18)} FILTER(CONTAINS(?t, CONCAT(SUBSTR(?t, 1, 1000), "!"))) }`,
  ],
  ['SUBSTR of long texts', 25, (n) => `SELECT (SUBSTR(?t, 5, 9) AS ?x) { ${values(n, '?n')} ${doubled(18)} }`],
  ['a cross product', 2, where((n) => list(n, (i) => `?s${i} ?p${i} ?o${i} .`)), answer],
  [
    'a cross product that is counted',
    2,
    (n) => `SELECT (COUNT(*) AS ?c) { ${list(n, (i) => `?s${i} ?p${i} ?o${i} .`)} }`,
    answer,
  ],
  [
    'a cross product that is sorted',
    2,
    (n) => `SELECT * { ${list(n, (i) => `?s${i} ?p${i} ?o${i} .`)} } ORDER BY ?o0 LIMIT 5`,
    answer,
  ],
  [
    'a cross product that is grouped',
    2,
    (n) => `SELECT ?s0 (COUNT(*) AS ?c) { ${list(n, (i) => `?s${i} ?p${i} ?o${i} .`)} } GROUP BY ?s0 ?o1`,
    answer,
  ],
  [
    'a cross product of VALUES',
    60,
    where((n) => ['?a', '?b', '?c', '?d'].map((name) => values(n, name)).join(' ')),
    answer,
  ],
  [
    'a cross product that is filtered',
    60,
    where((n) => `${['?a', '?b', '?c', '?d'].map((name) => values(n, name)).join(' ')} FILTER(?a + ?b + ?c + ?d < 0)`),
    answer,
  ],
  [
    'different rows of a cross product',
    60,
    (n) => `SELECT DISTINCT ?a ?b ?c { ${['?a', '?b', '?c'].map((name) => values(n, name)).join(' ')} }`,
    answer,
  ],
  [
    'a CONSTRUCT of a cross product',
    60,
    (n) =>
      `CONSTRUCT { ?x <urn:p> ?b, ?c } { ${['?a', '?b', '?c'].map((name) => values(n, name)).join(' ')} BIND(IRI(CONCAT("urn:", STR(?a))) AS ?x) }`,
    answer,
  ],
  [
    'blank nodes of a cross product',
    60,
    (n) => `SELECT (BNODE() AS ?x) { ${['?a', '?b', '?c'].map((name) => values(n, name)).join(' ')} }`,
    answer,
  ],
  [
    'paths between all nodes',
    1,
    where((n) => `?a (<urn:p0>|<urn:p1>|<urn:p2>)* ?b . ${list(n - 1, (i) => `?b (<urn:p0>|!<urn:x>)* ?c${i} .`)}`),
    answer,
  ],
  ['negated paths of any length', 1, where((n) => list(n, (i) => `?a${i} (!<urn:x>|^!<urn:y>)+ ?b${i} .`)), answer],
  [
    'MINUS of a cross product',
    1,
    where((n) => `?a ?b ?c . ?d ?e ?f MINUS { ${list(n, (i) => `?x${i} ?y ?c`, ' . ')} }`),
    answer,
  ],
  [
    'OPTIONAL with a condition over both sides',
    1,
    where((n) => `?a ?b ?c ${list(n, (i) => `OPTIONAL { ?d${i} ?e${i} ?f${i} FILTER(STR(?f${i}) < STR(?c)) }`)}`),
    answer,
  ],
  [
    'EXISTS of a cross product',
    1,
    where(
      (n) =>
        `?a ?b ?c FILTER NOT EXISTS { ${list(n + 1, (i) => `?d${i} ?e${i} ?f${i} .`)} FILTER(?d0 = ?a && ?f0 = 1) }`,
    ),
    answer,
  ],
  [
    'SERVICE of search',
    5,
    where((n) => list(n, (i) => `SERVICE <urn:rdf-worlds:search> { ?s${i} <urn:rdf-worlds:query> "text" }`)),
  ],
  [
    'SERVICE elsewhere',
    5,
    where((n) => list(n, (i) => `SERVICE <http://127.0.0.1:1/${i}> { ?s ?p ?o }`)),
    { statuses: [400] },
  ],
]);

const quads = (text: string) => importOf(text, 'application/n-quads');
const integer = (value: number) => `"${value}"^^<http://www.w3.org/2001/XMLSchema#integer>`;
/** Intervals from `at(i)` on, each of a length. */
const intervals = (n: number, length: number, at = (i: number) => i) =>
  quads(
    list(
      n,
      (i) => `<urn:i${i}> <urn:from> ${integer(at(i))} .\n<urn:i${i}> <urn:to> ${integer(at(i) + length)} .\n`,
      '',
    ),
  );
const OVERLAP = '?a <urn:from> ?af ; <urn:to> ?at . ?b <urn:from> ?bf ; <urn:to> ?bt FILTER(?af <= ?bt && ?bf <= ?at)';
const overlapping = { cost: 'answer', before: (size: number) => [intervals(250 * size, 250 * size)] } as const;
/** Facts about one key, and times in several zones. */
const ofOneKey = (n: number) =>
  quads(list(n, (i) => `<urn:v${i}> <urn:key> <urn:k> .\n<urn:v${i}> <urn:value> ${integer(i)} .\n`, ''));
const times = (n: number) =>
  quads(
    list(
      n,
      (i) =>
        `<urn:t${i}> <urn:at> "${2000 + (i % 20)}-01-${10 + (i % 18)}T10:00:00.${i}+0${i % 10}:00"^^<http://www.w3.org/2001/XMLSchema#dateTime> .\n`,
      '',
    ),
  );
const REIFIES = '<http://www.w3.org/1999/02/22-rdf-syntax-ns#reifies>';
const reifiersOfOneFact = (n: number) =>
  quads(
    `<urn:s> <urn:of> <urn:o> .\n${list(n, (i) => `<urn:r${i}> ${REIFIES} <<( <urn:s> <urn:of> <urn:o> )>> .\n`, '')}`,
  );
const xsd = (type: string, text: string) => `"${text}"^^<http://www.w3.org/2001/XMLSchema#${type}>`;

/**
 * What the planner rewrites: parts joined by ranges, folded constants, remembered results, numbers.
 */
const REWRITTEN = queryAttacks([
  ['intervals that all overlap', 1, where(() => OVERLAP), overlapping],
  ['intervals that all overlap, counted', 1, () => `SELECT (COUNT(*) AS ?c) { ${OVERLAP} }`, overlapping],
  [
    'intervals of one point',
    1,
    () => `SELECT (COUNT(*) AS ?c) { ${OVERLAP} }`,
    { cost: 'answer', before: (size) => [intervals(250 * size, 0, () => 1)] },
  ],
  [
    'ranges of ranges',
    1,
    () =>
      'SELECT (COUNT(*) AS ?c) { ?a <urn:from> ?x . ?b <urn:from> ?y . ?c <urn:from> ?z FILTER(?x < ?y) FILTER(?y < ?z) }',
    overlapping,
  ],
  [
    'ranges that hold for nothing',
    1,
    where(() => '?a <urn:from> ?x . ?b <urn:to> ?y FILTER(?y < ?x && ?x < ?y)'),
    overlapping,
  ],
  [
    'a range in EXISTS',
    1,
    where(() => '?a <urn:from> ?x FILTER NOT EXISTS { ?b <urn:to> ?y FILTER(?y < ?x) }'),
    overlapping,
  ],
  [
    'the greatest of a group by NOT EXISTS',
    1,
    where(
      () => '?a <urn:key> ?k ; <urn:value> ?v FILTER NOT EXISTS { ?b <urn:key> ?k ; <urn:value> ?w FILTER(?w > ?v) }',
    ),
    { cost: 'answer', before: (size) => [ofOneKey(200 * size)] },
  ],
  [
    'constants that grow',
    15,
    bind(
      (n) =>
        `CONCAT(${list(n, (i) => `SHA512(REPLACE("${'x'.repeat(1_000)}", "x", "${i}${'y'.repeat(2_000)}"))`, ',')})`,
    ),
  ],
  [
    'conditions on constants that grow',
    15,
    where(
      (n) =>
        `?s <urn:p0> ?o ${list(n, (i) => `FILTER(STRLEN(REPLACE("${'x'.repeat(1_000)}", "x", "${i}${'y'.repeat(2_000)}")) > 1)`)}`,
    ),
  ],
  [
    'IRIs of constants that grow',
    15,
    where(
      (n) =>
        `?s <urn:p0> ?o ${list(n, (i) => `FILTER(?o != IRI(CONCAT("urn:", REPLACE("${'x'.repeat(1_000)}", "x", "${i}${'y'.repeat(2_000)}"))))`)}`,
    ),
  ],
  [
    'IRIs of constants',
    500,
    where((n) => `?s <urn:p0> ?o ${list(n, (i) => `FILTER(?o != IRI("urn:z${i}"))`)}`),
    answer,
  ],
  ['numbers in IN', 500, filter((n) => `?o IN (${list(n, (i) => `${i}, ${i}.5, ${i}e3`, ',')})`)],
  ['a year of many digits', 50_000, bind((n) => `YEAR(${xsd('dateTime', `${'9'.repeat(n)}-01-01T00:00:00Z`)})`)],
  [
    'a difference of times of many digits',
    3_000,
    bind((n) => `${xsd('dateTime', `${'9'.repeat(n)}-01-01T00:00:00Z`)} - NOW()`),
  ],
  [
    'durations of many digits',
    3_000,
    bind((n) => `NOW() + ${xsd('dayTimeDuration', `P${'9'.repeat(n)}DT0.${'9'.repeat(n)}S`)}`),
  ],
  [
    'quotients of long numbers',
    1_500,
    bind((n) => list(16, () => `${'9'.repeat(n)}.${'9'.repeat(n)} / ${'7'.repeat(n)}.1`, '+')),
  ],
  ['roundings of long numbers', 50_000, bind((n) => `ROUND(${'9'.repeat(n)}.${'9'.repeat(n)})`)],
  [
    'times computed with each other',
    1,
    () =>
      'SELECT (COUNT(*) AS ?c) { ?a <urn:at> ?x . ?b <urn:at> ?y FILTER(?x - ?y > "P1D"^^<http://www.w3.org/2001/XMLSchema#dayTimeDuration>) }',
    { cost: 'answer', before: (size) => [times(250 * size)] },
  ],
  [
    'groups by texts of times',
    1,
    () =>
      'SELECT ?y (COUNT(*) AS ?c) { ?a <urn:at> ?x BIND(CONCAT(STR(YEAR(?x)), "-", STR(SECONDS(?x)), TZ(?x)) AS ?y) } GROUP BY ?y ORDER BY ?y',
    { before: (size) => [times(1_000 * size)] },
  ],
  [
    'results that are remembered',
    25,
    (n) =>
      `SELECT (SUM(STRLEN(?z)) AS ?l) { ${values(n, '?n')} ${doubled(17)} ${values(20, '?r')} BIND(UCASE(CONCAT(?t, "x")) AS ?z) }`,
  ],
  [
    'the first of many long texts',
    25,
    (n) =>
      `SELECT ?z { ${values(n, '?n')} ${doubled(17)} ${values(8, '?r')} BIND(CONCAT(?t, STR(?r)) AS ?z) } ORDER BY DESC(?z) LIMIT 3`,
  ],
  [
    'reifiers of one fact',
    1,
    () =>
      `SELECT (COUNT(*) AS ?c) { ?s <urn:of> ?o . ?r ${REIFIES} <<( ?s <urn:of> ?o )>> . ?q ${REIFIES} <<( ?s ?p ?o )>> }`,
    { cost: 'answer', before: (size) => [reifiersOfOneFact(150 * size)] },
  ],
]);

const manyRows = (n: number) => `SELECT * { ${['?a', '?b', '?c'].map((name) => values(n, name)).join(' ')} }`;

/** Every writer of results, with rows in number and with long texts. */
const RESULTS: readonly Attack[] = RESULT_FORMATS.flatMap(({ mediaType: accept }) => [
  {
    name: `query: many rows as ${accept}`,
    route: 'sparqlWorld',
    at: (size) => withAccept(accept, manyRows(Math.round(12 * Math.cbrt(size)))),
    statuses: [200, 503],
  },
  {
    name: `query: long texts as ${accept}`,
    route: 'sparqlWorld',
    at: (size) =>
      withAccept(accept, `SELECT (REPLACE(?t, "[.]", "<&\\"") AS ?x) { ${values(2 * size, '?n')} ${doubled(17)} }`),
    statuses: [200, 400, 503],
  },
]);

const GRAPH_RESULTS: readonly Attack[] = [
  'text/turtle',
  'application/trig',
  'application/ld+json',
  'application/rdf+xml',
  'application/n-quads',
].map((accept) => ({
  name: `query: a CONSTRUCT as ${accept}`,
  route: 'sparqlWorld',
  at: (size) =>
    withAccept(
      accept,
      `CONSTRUCT { ?x <urn:p> ?b . ?x <urn:q> [ <urn:r> ?c ] } { ${['?a', '?b', '?c'].map((name) => values(Math.round(8 * Math.cbrt(size)), name)).join(' ')} BIND(IRI(CONCAT("urn:", STR(?a))) AS ?x) }`,
    ),
  statuses: [200, 503],
}));

function withAccept(accept: string, query: string) {
  const request = json('POST', '/worlds/w/sparql', { query });
  return { ...request, headers: { ...request.headers, accept } };
}

/** By GET, where the head of the request bounds the length. */
const GET: readonly Attack[] = (
  [
    ['filters', (n) => `ASK { ?s ?p ?o ${'FILTER(?s != ?o)'.repeat(n)} }`, 20],
    ['brackets', (n) => `ASK { FILTER(${nest('(', '1', ')')(n)}) }`, 200],
    ['a long text', (n) => `ASK { ?s ?p "${'x'.repeat(n)}" }`, 900],
    ['a cross product', (n) => `SELECT (COUNT(*) AS ?c) { ${list(n, (i) => `?s${i} ?p${i} ?o${i} .`)} }`, 2],
    ['doubled texts', (n) => `SELECT ?n (MAX(?t) AS ?m) { ${values(n, '?n')} ${doubled(18)} } GROUP BY ?n`, 25],
  ] as const satisfies readonly (readonly [string, (n: number) => string, number])[]
).flatMap(([name, text, length]) =>
  (['querySparqlWorld', 'querySparqlCollection'] as const).map((route) => ({
    name: `query by GET of ${route}: ${name}`,
    route,
    at: (size) => ({
      method: 'GET',
      path: `${route === 'querySparqlWorld' ? '/worlds/w/sparql' : '/worlds/sparql'}?query=${encodeURIComponent(text(length * size))}`,
    }),
    statuses: [200, 400, 431, 503],
    cost: 'answer' as const,
  })),
);

export const QUERIES: readonly Attack[] = [
  ...NESTED,
  ...TOO_DEEP,
  ...LONG,
  ...TOKENS,
  ...EVALUATION,
  ...REWRITTEN,
  ...RESULTS,
  ...GRAPH_RESULTS,
  ...GET,
];
