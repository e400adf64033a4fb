import { describe, expect, it } from 'vitest';
import { DEFAULT_REQUEST_LIMITS, requestLimits } from '../../../src/model/request-limits.ts';
import { WorldsError } from '../../../src/model/worlds-error.ts';
import { prepareOperation } from '../../../src/sparql/prepare-operation.ts';

const nest = (open: string, inner: string, close: string) => (depth: number) =>
  open.repeat(depth) + inner + close.repeat(depth);
const where = (pattern: (depth: number) => string) => (depth: number) => `SELECT * { ${pattern(depth)} }`;
const filter = (expression: (depth: number) => string) => where((depth) => `FILTER(${expression(depth)})`);

/**
 * Texts by how deep they go; each must be an answer a little below the limit, and LIMIT_EXCEEDED
 * beyond it.
 */
const NESTED: Readonly<Record<string, (depth: number) => string>> = {
  groups: where(nest('{', '', '}')),
  optionals: where(nest('OPTIONAL {', '?s ?p ?o', '}')),
  'exists in exists': where(nest('FILTER EXISTS {', '?s ?p ?o', '}')),
  brackets: filter(nest('(', '1', ')')),
  calls: filter(nest('STR(', '1', ')')),
  'extension functions': filter(nest('<urn:f>(', '1', ')')),
  'IN lists': filter(nest('1 IN (', '1', ')')),
  negations: filter(nest('!', 'true', '')),
  'and in brackets': filter(nest('(?x && ', '1', ')')),
  'paths in brackets': where((depth) => `?s ${nest('(', '<urn:p>', ')')(depth)} ?o`),
  'closures of closures': where((depth) => `?s ${nest('(', '<urn:p>', ')*')(depth)} ?o`),
  'inverses of inverses': where((depth) => `?s ${nest('^(', '<urn:p>', ')')(depth)} ?o`),
  lists: where((depth) => `?s ?p ${nest('(', '1', ')')(depth)}`),
  'blank node property lists': where((depth) => `?s ?p ${nest('[ ?p ', '1', ']')(depth)}`),
  'triple terms': where((depth) => `?s ?p ${nest('<<( <urn:a> <urn:b> ', '1', ')>>')(depth)}`),
  'triple terms in expressions': filter(nest('<<( <urn:a> <urn:b> ', '1', ')>>')),
  'reified triples': where(nest('<< ', '?s', ' ?p ?o >>')),
  annotations: where((depth) => `?s ?p ?o ${nest('{| ?p ?o ', '', '|}')(depth)}`),
  'a chain of +': (depth) => `SELECT (1${' + 1'.repeat(depth)} AS ?x) {}`,
  'a chain of signed numbers': (depth) => `SELECT (1${'-1'.repeat(depth)} AS ?x) {}`,
  'a chain of *': (depth) => `SELECT (1${'*1'.repeat(depth)} AS ?x) {}`,
  'many OPTIONAL': where((depth) => 'OPTIONAL { ?s ?p ?o }'.repeat(depth)),
  'many MINUS': where((depth) => 'MINUS { ?s ?p ?o }'.repeat(depth)),
  'many BIND': where((depth) => Array.from({ length: depth }, (_, i) => `BIND(1 AS ?x${i})`).join(' ')),
  'many AS': (depth) => `SELECT ${Array.from({ length: depth }, (_, i) => `(1 AS ?x${i})`).join(' ')} {}`,
};

/** What is long but not deep, however long. */
const FLAT: Readonly<Record<string, (length: number) => string>> = {
  triples: where((length) => Array.from({ length }, (_, i) => `?s${i} <urn:p${i % 9}> "${i}" .`).join('\n')),
  filters: where((length) => 'FILTER(?x)'.repeat(length)),
  unions: where((length) => `${'{ ?s ?p ?o } UNION '.repeat(length)}{}`),
  groups: where((length) => '{ ?s ?p ?o }'.repeat(length)),
  subqueries: where((length) => Array.from({ length }, (_, i) => `{ SELECT * { ?s${i} ?p ?o } }`).join('')),
  'or and and': filter((length) => '?x = 1 || ?y && '.repeat(length).concat('?z')),
  'an IN list': filter((length) => `1 IN (${'1,'.repeat(length)}1)`),
  'a list': where((length) => `?s ?p (${'1 '.repeat(length)})`),
  'a sequence': where((length) => `?s ${'<urn:p>/'.repeat(length)}<urn:p> ?o`),
  'a negated set': where((length) => `?s !(${'<urn:p>|'.repeat(length)}<urn:p>) ?o`),
  'VALUES rows': where((length) => `VALUES (?x ?y) { ${'(<urn:a> UNDEF)\n'.repeat(length)} }`),
  aggregates: (length) => `SELECT (CONCAT(${'SUM(?x),'.repeat(length)}COUNT(*)) AS ?n) {}`,
  'INSERT DATA': (length) => `INSERT DATA { ${'_:b <urn:p> [] .'.repeat(length)} }`,
  operations: (length) => 'PREFIX : <urn:> DROP SILENT GRAPH :g ;'.repeat(length),
  'keywords that could be prefixes': filter((length) => `1 IN (${'true-true,'.repeat(length)}1)`),
  'comparisons that could be IRIs': filter((length) => `1 IN (${'1<1,'.repeat(length)}1)`),
  'escaped names': where((length) => '?\\u0061 ?\\u0062 ?\\u0063 .'.repeat(length)),
};

/** The parser itself takes any length; the limits are those of a service. */
const UNLIMITED = requestLimits({
  maxPatterns: Number.POSITIVE_INFINITY,
  maxVariables: Number.POSITIVE_INFINITY,
  maxExpressions: Number.POSITIVE_INFINITY,
  maxIriLength: Number.POSITIVE_INFINITY,
});
const MAX_DEPTH = DEFAULT_REQUEST_LIMITS.maxNesting;

describe('hostile texts', () => {
  it.each(Object.entries(NESTED))('%s: an answer, and beyond a depth LIMIT_EXCEEDED', (_, text) => {
    // Two levels of a text may be three of the limit: what is between is one or the other.
    expect(() => prepareOperation(text(Math.floor(MAX_DEPTH / 3)))).not.toThrow();
    for (const depth of [2 * MAX_DEPTH, 10_000]) {
      expect(() => prepareOperation(text(depth))).toThrow(
        expect.objectContaining({
          code: 'LIMIT_EXCEEDED',
          message: expect.stringContaining(`maxNesting = ${MAX_DEPTH}`),
          location: { line: 1, column: expect.any(Number) },
        }),
      );
    }
  });

  it('go down to the limit on the usual stack', () => {
    for (const text of [NESTED['groups'], NESTED['brackets'], NESTED['calls'], NESTED['exists in exists']])
      expect(() => prepareOperation(text(MAX_DEPTH - 3))).not.toThrow();
  });

  it.each(Object.entries(FLAT))('%s: any number', (_, text) => {
    expect(prepareOperation(text(20_000), { limits: UNLIMITED }).type).toMatch(/select|update/);
  });

  it('100,000 rows of VALUES', () => {
    const query = prepareOperation(FLAT['VALUES rows'](100_000));
    expect(query).toMatchObject({ algebra: { input: { type: 'values', rows: { length: 100_000 } } } });
  });

  it.each([
    ['an open group', `SELECT * ${'{'.repeat(100_000)}`],
    ['open brackets', `SELECT (${'('.repeat(100_000)}`],
    ['open lists', `SELECT * { ${'('.repeat(100_000)}`],
    ['open strings', `SELECT * { ?s ?p ${'"'.repeat(100_001)}`],
    ['a long unclosed string', `SELECT * { ?s ?p "${'x'.repeat(1_000_000)}`],
    ['a long unclosed IRI', `SELECT * { ?s ?p <urn:${'x'.repeat(1_000_000)}`],
    ['many signs', `SELECT * { FILTER(${'-'.repeat(100_000)}?x) }`],
    ['many dots', `SELECT * { ?s ?p ?o ${'.'.repeat(100_000)} }`],
    ['a long word', 'a'.repeat(1_000_000)],
    ['a long name', `SELECT * { ?s ${'a.'.repeat(500_000)}: ?o }`],
    ['many backslashes', `SELECT * { ?s ?p ${'\\'.repeat(100_000)} }`],
    ['white space', ' '.repeat(1_000_000)],
  ])('%s: an error with a location', (_, text) => {
    expect(() => prepareOperation(text)).toThrow(WorldsError);
    expect(() => prepareOperation(text)).toThrow(
      expect.objectContaining({
        code: expect.stringMatching(/^(INVALID_SPARQL|LIMIT_EXCEEDED)$/),
        location: expect.objectContaining({ line: 1 }),
      }),
    );
  });

  it('a long comment or string is fine, and an IRI if the limits allow it', () => {
    const long = 'x'.repeat(1_000_000);
    expect(() => prepareOperation(`SELECT * { ?s <urn:p> "${long}" } #${long}`)).not.toThrow();
    expect(() => prepareOperation(`SELECT * { ?s <urn:${long}> ?o }`, { limits: UNLIMITED })).not.toThrow();
  });
});
