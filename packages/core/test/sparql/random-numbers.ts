import type { SeededRandom } from '../../../testkit/src/seeded-random.ts';
import { dataFactory } from '../../src/index.ts';

const XSD = 'http://www.w3.org/2001/XMLSchema#';
const { literal, namedNode } = dataFactory;

/** Lexical forms at the limits of what is read byte by byte, by datatype. */
const EDGES: Readonly<Record<string, readonly string[]>> = {
  integer: [
    '0',
    '-0',
    '+7',
    '007',
    '999999999999999',
    '1000000000000000',
    '9007199254740991',
    '9007199254740993',
    '-',
    '',
    '1.0',
    '99999999999999999999',
  ],
  decimal: [
    '0.1',
    '.5',
    '5.',
    '-0.0',
    '+1.50',
    '0.1000',
    '123456789012345',
    '1234567890.12345',
    '0.000000000000001',
    '1234567890123456.5',
    '.',
    '1e3',
    '0.30000000000000004',
    '0.3',
  ],
  double: ['0', '-0', '1e308', '1E400', 'INF', '-INF', 'NaN', '0.1', '0.3', '9007199254740993', '+INF', 'inf'],
  float: [
    '0.1',
    '0.3',
    '0.30000000000000004',
    '16777217',
    '16777216',
    '-0',
    '0',
    '.5',
    '1.0000000596046448',
    '1.0000000596046447754',
    'NaN',
    '1e10',
    'INF',
    '3.5e38',
    '1e-50',
    '-',
  ],
  int: ['5', '2147483647', '2147483648', '-2147483649', '-5'],
  nonNegativeInteger: ['5', '-5', '-0'],
  unsignedByte: ['255', '256'],
  boolean: ['true', 'false', '1', '0', 'TRUE'],
  dateTime: [
    '2020-02-29T12:00:00Z',
    '2021-02-29T12:00:00Z',
    '2020-02-29T12:00:00',
    '2020-02-29T14:00:00+02:00',
    '2020-02-29T12:00:00.000Z',
    '2020-02-29T12:00:00.5Z',
    '2020-02-29T12:00:00.25Z',
    '-0044-03-15T00:00:00Z',
    '0000-01-01T00:00:00',
    '12020-01-01T00:00:00Z',
    '2020-01-01T24:00:00Z',
    '2020-01-01T24:00:01Z',
    '2020-01-01T10:60:00Z',
    '2020-01-01T10:00:00+14:01',
    '2020-01-01T10:00:00-14:00',
    '2020-01-01T10:00:00.Z',
    '2020-1-01T10:00:00Z',
  ],
  date: ['2020-02-29', '2020-02-29Z', '2020-02-29+02:00', '2020-02-30', '2020-02-29+24:00', '-0001-01-01'],
  time: [
    ...['12:00:00', '12:00:00Z', '12:00:00.0', '12:00:00.5', '14:00:00+02:00', '12:00:00-00:00', '00:00:00'],
    ...['23:59:59', '24:00:00', '24:00:01', '12:60:00', '12:00', '-12:00:00', '2:00:00', '12:00:00+14:01', ' 12:00:00'],
  ],
  dateTimeStamp: ['2020-02-29T12:00:00Z', '2020-02-29T12:00:00'],
  string: [
    ...['1', 'a', '2020-02-29T12:00:00Z', '2020-02-29', '-0', '-0.0', '+1.50', '.5', '5.', '1e3', 'NaN', 'INF', ''],
    ...[' 12', '12 ', '\u00a012', '0000000000123456789', '00000000001234567890123', '-000000000000000000', '٣', '1 2'],
  ],
  gYear: ['2020'],
  dayTimeDuration: ['P1D', 'PT24H', '-P1DT1S', 'PT0S', '-PT0S', 'PT0.5S', 'P30D', 'P99999999999D', 'P1M'],
  duration: ['P1D', 'P1M', 'PT24H'],
  yearMonthDuration: ['P1M', 'P0M', '-P1Y'],
};

/** All literals at the limits. */
export function edgeLiterals() {
  return Object.entries(EDGES).flatMap(([type, texts]) => texts.map((text) => literal(text, namedNode(XSD + type))));
}

/** A literal at a limit, or a common number. */
export function randomLiteral(random: SeededRandom) {
  const types = Object.keys(EDGES);
  const type = random.pick(types);
  const edges = EDGES[type]!;
  let text = random.pick(edges);
  if (random.chance(0.5)) {
    if (type === 'integer' || type === 'int') text = String(random.below(40) - 20);
    else if (type === 'decimal' || type === 'float')
      text = ((random.below(4000) - 2000) / 100).toFixed(random.below(4));
    else if (type === 'double') text = String((random.below(4000) - 2000) / 8);
  }
  return literal(text, namedNode(XSD + type));
}

/** Numbers that are all of one kind, so that whole columns stay unboxed. */
export function uniformLiteral(random: SeededRandom, type: string) {
  switch (type) {
    case 'integer':
      return literal(String(random.below(2_000_000) - 1_000_000), namedNode(`${XSD}integer`));
    case 'decimal':
      return literal(((random.below(200_000) - 100_000) / 1000).toFixed(random.below(5)), namedNode(`${XSD}decimal`));
    case 'double':
      return literal(String((random.below(200_000) - 100_000) / 7), namedNode(`${XSD}double`));
    case 'float':
      return literal(((random.below(200_000) - 100_000) / 1000).toFixed(random.below(5)), namedNode(`${XSD}float`));
    case 'time':
      return literal(
        `${new Date(random.below(86_400) * 1000).toISOString().slice(11, 19)}${random.pick(['', '', '', 'Z', '.5', '+01:00'])}`,
        namedNode(`${XSD}time`),
      );
    default:
      return literal(
        new Date(random.below(2 ** 31) * 1000)
          .toISOString()
          .replace('.000', random.pick(['', '', '.5']))
          .replace('Z', random.pick(['Z', 'Z', '', '+02:00', '-05:30'])),
        namedNode(`${XSD}dateTime`),
      );
  }
}

const term = (one: ReturnType<typeof literal>) => `${JSON.stringify(one.value)}^^<${one.datatype.value}>`;

const CASTS = ['double', 'decimal', 'integer', 'date'].map((type) => `<${XSD}${type}>`);
const FUNCTIONS = [
  '-',
  'ABS',
  'CEIL',
  'FLOOR',
  'ROUND',
  'YEAR',
  'MONTH',
  'DAY',
  'HOURS',
  'MINUTES',
  'SECONDS',
  'TZ',
  'TIMEZONE',
  ...CASTS,
];

/** Texts that are cut from others, for casts. */
const TEXTS = [
  'STR(?v)',
  'SUBSTR(STR(?v), 1, 4)',
  'STRBEFORE(STR(?w), "T")',
  'STRAFTER(STR(?v), "-")',
  'STRBEFORE(STRAFTER(?v, "-"), "-")',
];

function randomNumber(random: SeededRandom, depth = 0): string {
  if (depth < 2 && random.chance(0.12)) {
    const [one, other] = [randomNumber(random, depth + 1), randomNumber(random, depth + 1)];
    return random.chance(0.5)
      ? `IF(${randomTest(random, depth + 1)}, ${one}, ${other})`
      : `COALESCE(${random.pick(['?w', '?t', '?w, ?t', '?nothing'])}, ${one}, ${other})`;
  }
  if (random.chance(0.15)) return `${random.pick(CASTS)}(${random.pick(TEXTS)})`;
  if (depth > 1 || random.chance(0.5))
    return random.chance(0.6) ? random.pick(['?v', '?w']) : term(randomLiteral(random));
  if (random.chance(0.4)) return `${random.pick(FUNCTIONS)}(${randomNumber(random, depth + 1)})`;
  return `(${randomNumber(random, depth + 1)} ${random.pick(['+', '-', '*', '/'])} ${randomNumber(random, depth + 1)})`;
}

function randomTest(random: SeededRandom, depth = 0): string {
  if (depth < 2 && random.chance(0.3)) {
    if (random.chance(0.3)) return `!(${randomTest(random, depth + 1)})`;
    return `(${randomTest(random, depth + 1)} ${random.pick(['&&', '||'])} ${randomTest(random, depth + 1)})`;
  }
  // Alone, a variable is no condition of FILTER in the grammar.
  if (random.chance(0.2)) return `(${random.pick(IDENTITIES)})`;
  return `${randomNumber(random, depth)} ${random.pick(['=', '!=', '<', '>', '<=', '>='])} ${randomNumber(random, depth)}`;
}

/** The literals and the IRI of `urn:t`, which conditions of {@link IDENTITIES} tell apart. */
export const MARKS = [
  literal('a'),
  literal('b'),
  literal('a', 'en'),
  literal('a', namedNode('urn:type')),
  namedNode('urn:g1'),
  literal('true', namedNode(`${XSD}boolean`)),
  literal('0', namedNode(`${XSD}boolean`)),
  literal('3', namedNode(`${XSD}integer`)),
];

const IDENTITIES = [
  '?t = "a"',
  '"b" != ?t',
  '?t = <urn:g1>',
  '?t != <urn:g2>',
  '?t IN ("a", <urn:g1>)',
  '?t NOT IN (<urn:g1>, <urn:g2>)',
  '?t NOT IN ("a", "c")',
  'BOUND(?t)',
  '!BOUND(?w)',
  '?t',
];

/**
 * A query over `urn:v`, `urn:w`, `urn:t` and `urn:g` with filters, arithmetic, aggregates or an
 * order.
 */
export function randomQuery(random: SeededRandom): string {
  const pattern = '?s <urn:v> ?v OPTIONAL { ?s <urn:w> ?w } OPTIONAL { ?s <urn:t> ?t }';
  switch (random.below(20)) {
    case 18:
      return `SELECT ?g (SUM(${randomNumber(random)}) AS ?a) (AVG(IF(${randomTest(random)}, 1, 0)) AS ?b) (MAX(COALESCE(?w, ?v)) AS ?c) { ${pattern} ?s <urn:g> ?g } GROUP BY ?g`;
    case 19:
      return `SELECT ?s ?x ?y { ${pattern} BIND(COALESCE(?w, ?t, ?v) AS ?x) BIND(${randomNumber(random)} AS ?y) FILTER(${random.pick(CASTS)}(?y) < ?v || ABS(?x) > 3 || ${randomTest(random)}) }`;
    case 17: {
      // Ends of periods, and the time between two moments.
      const period = random.pick(['P1D', '-P30D', 'PT90M', 'PT0.5S', 'P1DT1S', 'P1Y']);
      const length = `"${period}"^^<${XSD}${period === 'P1Y' ? 'yearMonthDuration' : 'dayTimeDuration'}>`;
      return `SELECT ?s ?v ?w ?x ?y { ${pattern} BIND(?v - ?w AS ?x) BIND(?w ${random.pick(['+', '-'])} ${length} AS ?y) FILTER(?v ${random.pick(['<', '>=', '='])} ?w + ${length} || ?v - ?w ${random.pick(['<', '>=', '='])} ${length}) }`;
    }
    case 16:
      return `SELECT ?z (COUNT(*) AS ?n) (MIN(?x) AS ?a) (SUM(HOURS(?v)) AS ?b) { ${pattern} BIND(${random.pick(['TZ', 'TIMEZONE'])}(?v) AS ?z) BIND(?v - ?w AS ?x) FILTER(${random.pick(['?v < NOW()', 'DAY(?w) > 3', 'true'])}) } GROUP BY ?z`;
    case 15:
      return `SELECT ?g (COUNT(DISTINCT ${randomNumber(random)}) AS ?a) (COUNT(DISTINCT STR(?w)) AS ?b) (SAMPLE(?v) AS ?c) { ${pattern} ?s <urn:g> ?g } GROUP BY ?g`;
    case 14:
      return `SELECT ?s ?x ?y { ${pattern} BIND(IF(${randomTest(random)}, "yes", IF(${randomTest(random)}, "no", ?v)) AS ?x) BIND(${random.pick(CASTS)}(?v) AS ?y) }`;
    case 11: {
      // All results are seen, such as the sign of a zero.
      const by = random.pick(['1e0', '1', '0.5', '?w', '"2"^^<http://www.w3.org/2001/XMLSchema#double>']);
      return `SELECT ?s ?x ?y { ${pattern} BIND(?v ${random.pick(['+', '-', '*', '/'])} ${by} AS ?x) BIND(${random.pick(FUNCTIONS)}(?v) AS ?y) }`;
    }
    case 12:
    case 13: {
      // Neighbours of one type: a second, a time zone or a fraction apart.
      const type = random.pick(['dateTime', 'date', 'date', 'time', 'double', 'float', 'integer']);
      const edge = literal(random.pick(EDGES[type]!), namedNode(XSD + type));
      return `SELECT ?s ?v { ${pattern} FILTER(?v ${random.pick(['=', '!=', '<', '>', '<=', '>='])} ${random.pick([term(edge), '?w'])}) }`;
    }
    case 6:
      return `SELECT ?g (COUNT(*) AS ?a) (SUM(?v) AS ?b) (AVG(?v) AS ?c) (COUNT(?w) AS ?d) (AVG(?w) AS ?e) (MIN(?w) AS ?f) { ${pattern} ?s <urn:g> ?g } GROUP BY ?g HAVING(AVG(?v) > -1000000 || COUNT(?w) > 3)`;
    case 7:
      return `SELECT ?p (COUNT(*) AS ?a) (SUM(?v) AS ?b) (MAX(?v) AS ?c) { ${pattern} BIND(${random.pick(['YEAR(?v)', 'MONTH(?v)', 'FLOOR(?v / 7)', 'DAY(?v)', 'HOURS(?v)', 'ROUND(?v)'])} AS ?p) } GROUP BY ?p`;
    case 8:
      // Some of the conditions are not of numbers, and some variables have none.
      return `SELECT ?s ?v { ${pattern} ?s <urn:g> ?g FILTER(${randomTest(random)}) FILTER(?v ${random.pick(['<', '!='])} ${random.pick(['?w', '?g', '"b"'])}) FILTER(${random.pick(['STRLEN(STR(?v)) > 3', 'CONTAINS(STR(?v), "1")', '?v > ?g'])} || ${randomTest(random)}) }`;
    case 4:
      return `SELECT ?s ?x { ${pattern} BIND(${randomNumber(random)} AS ?x) FILTER(${randomTest(random).replaceAll('?w', '?x')}) }`;
    case 5:
      return `SELECT ?s ?x ?y { ${pattern} BIND(${randomNumber(random)} AS ?x) BIND(?x ${random.pick(['+', '*', '-', '/'])} ?v AS ?y) FILTER(?x > ?y - 3 || !(?y = ?x * 2)) FILTER(BOUND(?w) || ?y > 5) }`;
    case 0:
      return `SELECT ?g (SUM(?v) AS ?a) (AVG(?v) AS ?b) (MIN(?v) AS ?c) (MAX(?v) AS ?d) { ${pattern} ?s <urn:g> ?g } GROUP BY ?g`;
    case 1:
      return `SELECT (SUM(${randomNumber(random)}) AS ?a) (AVG(${randomNumber(random)}) AS ?b) { ${pattern} FILTER(isNumeric(?v)) }`;
    case 2:
      return `SELECT ?s ?v { ?s <urn:v> ?v } ORDER BY ${random.pick(['?v', 'DESC(?v)'])} ?s LIMIT ${random.pick([3, 10, 100_000])}`;
    case 3:
      return `SELECT ?s ?v { ${pattern} FILTER(${randomTest(random)}) } ORDER BY DESC(?v) ?w ?s`;
    default:
      return `SELECT ?s ?v ?w { ${pattern} FILTER(${randomTest(random)}) }`;
  }
}

/**
 * A query that optimizer rules for computed values apply to. Its answer depends on no order but its
 * own.
 */
export function randomRuleQuery(random: SeededRandom): string {
  const pattern = '?s <urn:v> ?v OPTIONAL { ?s <urn:w> ?w } OPTIONAL { ?s <urn:t> ?t }';
  switch (random.below(5)) {
    case 4: {
      const chain = `BIND(${randomNumber(random)} AS ?x) FILTER(${randomTest(random)}) BIND(${random.pick(['?x * 2', '?x - ?w', `${random.pick(CASTS)}(?x)`, 'IF(?x > 3, ?x, ?w)'])} AS ?y)`;
      return `SELECT ?g (SUM(?x) AS ?a) (AVG(?y) AS ?b) (SUM(?y + ?x) AS ?c) (MIN(?y) AS ?d) (COUNT(?x) AS ?e) { ${pattern} ?s <urn:g> ?g ${chain} FILTER(${random.pick(CASTS)}(?x) > 2 || ?y < ?v) } GROUP BY ?g`;
    }
    case 0: {
      const members = Array.from({ length: 1 + random.below(5) }, () => term(randomLiteral(random)));
      const cast = `<${XSD}dateTime>("2020-02-29T12:00:00${random.pick(['Z', '', '+02:00', 'x'])}")`;
      return `SELECT ?s ?v { ${pattern} FILTER(${randomNumber(random)} ${random.pick(['IN', 'NOT IN'])} (${members.join(', ')}) || ?v > ${cast} || ?w = 2 * 3.5 + ${randomNumber(random)}) }`;
    }
    case 1: {
      const order = random.pick(['?x', 'DESC(?x)', '?w DESC(?x)', '(?x + 1)', '?y DESC(?x)']);
      return `SELECT ?s ?x ?y { ${pattern} BIND(${randomNumber(random)} AS ?x) BIND(STR(?w) AS ?y) } ORDER BY ${order} ?s LIMIT ${random.pick([1, 5, 200])}`;
    }
    case 2: {
      const text = random.pick([
        'CONCAT(STR(YEAR(?v)), "-", STR(MONTH(?v)))',
        'IF(HOURS(?w) > 12, STR(HOURS(?w)), "am")',
        'CONCAT(STR(FLOOR(?v / 100) * 100), " ", STR(DAY(?w)), ?nothing)',
        'STRDT(STR(ROUND(?v / ?w)), <urn:t>)',
      ]);
      return `SELECT ?x (COUNT(*) AS ?n) (MAX(YEAR(?w)) AS ?a) (MIN(?v * 2) AS ?b) { ${pattern} BIND(${text} AS ?x) } GROUP BY ?x`;
    }
    default: {
      const by = random.pick(['7', '3.5', '0.03', '-7', '0', '1e1', '?w', '999999999999999']);
      return `SELECT ?s ?x ?y { ${pattern} BIND(${random.pick(['FLOOR', 'CEIL', 'ROUND'])}(?v / ${by}) AS ?x) BIND(<${XSD}date>(?v) AS ?y) FILTER(${random.pick(['true', 'FLOOR(?w / 7) > 3', '?x = ?v', '?x != ?w && ?v < ?w'])}) }`;
    }
  }
}
