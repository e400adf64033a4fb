import { describe, expect, it } from 'vitest';
import { evaluate } from './expression-text.ts';

/** `=` of two values, and both ways round; `!=` is the opposite. */
const EQUALITY: readonly (readonly [left: string, right: string, equal: string, why: string])[] = [
  ['1', '01', 'true', 'by value'],
  ['1', '1.0', 'true', 'decimal'],
  ['1', '1e0', 'true', 'double'],
  ['"1"^^xsd:byte', '"1"^^xsd:float', 'true', 'derived and float'],
  ['0.1', '0.1e0', 'true', 'a decimal is promoted to double'],
  ['0.1', '"0.1"^^xsd:float', 'true', 'a decimal is promoted to float'],
  ['"0.1"^^xsd:float', '0.1e0', 'false', 'a float is promoted to double'],
  ['9007199254740993', '9007199254740992', 'false', 'integers beyond 2^53'],
  ['9007199254740993', '9007199254740993.0', 'true', 'integers beyond 2^53'],
  ['9007199254740993', '9007199254740992e0', 'true', 'promotion to double rounds'],
  ['"16777217"^^xsd:int', '"16777216"^^xsd:float', 'true', 'promotion to float rounds'],
  ['16777217.0000000001', '"16777218"^^xsd:float', 'true', 'promotion to float rounds once'],
  ['"NaN"^^xsd:double', '"NaN"^^xsd:double', 'false', 'XPath F&O 4.3.1'],
  ['"-0.0e0"^^xsd:double', '0', 'true', 'XPath F&O 4.3.1'],
  ['"INF"^^xsd:double', '"INF"^^xsd:float', 'true', 'infinities'],
  ['"abc"', '"abc"', 'true', 'strings'],
  ['"abc"', '"ABC"', 'false', 'strings'],
  ['"abc"@en', '"abc"@EN', 'true', 'language tags are case-insensitive'],
  ['"abc"@en', '"abc"@fr', 'false', 'languages'],
  ['"abc"@en', '"abc"', 'false', 'different value spaces'],
  ['"abc"@en--ltr', '"abc"@en', 'false', 'SPARQL 1.2: directions'],
  ['true', '"1"^^xsd:boolean', 'true', 'booleans'],
  ['true', 'false', 'false', 'booleans'],
  ['true', '1', 'false', 'different value spaces'],
  ['1', '"1"', 'false', 'different value spaces'],
  ['<http://a>', '<http://a>', 'true', 'IRIs'],
  ['<http://a>', '"http://a"', 'false', 'an IRI is no literal'],
  ['<http://a>', '"x"^^<urn:t>', 'false', 'an IRI is no literal of any kind'],
  ['_:a', '_:a', 'true', 'blank nodes'],
  ['_:a', '_:b', 'false', 'blank nodes'],
  ['"a"^^<urn:t>', '"a"^^<urn:t>', 'true', '17.4.1.7: the same term'],
  ['"a"^^<urn:t>', '"b"^^<urn:t>', 'error', '17.4.1.7: an unknown datatype'],
  ['"a"^^<urn:t>', '"a"', 'error', '17.4.1.7: an unknown datatype'],
  ['"a"^^xsd:integer', '1', 'error', 'an ill-typed literal has no value'],
  ['"a"^^xsd:integer', '"a"^^xsd:integer', 'true', 'the same term'],
  ['"300"^^xsd:byte', '300', 'error', 'out of range is ill-typed'],
  [
    '"2002-04-02T12:00:00-01:00"^^xsd:dateTime',
    '"2002-04-02T17:00:00+04:00"^^xsd:dateTime',
    'true',
    'XPath F&O 10.4.6',
  ],
  ['"2006-08-23T09:00:00Z"^^xsd:dateTime', '"2006-08-23T10:00:00+01:00"^^xsd:dateTime', 'true', 'time zones'],
  [
    '"2006-08-23T09:00:00"^^xsd:dateTime',
    '"2006-08-23T09:00:00Z"^^xsd:dateTime',
    'true',
    'the implicit time zone is UTC',
  ],
  ['"2006-08-23T09:00:00.1Z"^^xsd:dateTime', '"2006-08-23T09:00:00.10Z"^^xsd:dateTime', 'true', 'fractions'],
  ['"2006-08-23T09:00:00.1Z"^^xsd:dateTime', '"2006-08-23T09:00:00.100000000001Z"^^xsd:dateTime', 'false', 'fractions'],
  ['"1999-12-31T24:00:00"^^xsd:dateTime', '"2000-01-01T00:00:00"^^xsd:dateTime', 'true', 'XSD 1.1 part 2, 3.3.7.2'],
  ['"2006-08-23"^^xsd:date', '"2006-08-23Z"^^xsd:date', 'true', 'dates'],
  ['"2006-08-23"^^xsd:date', '"2006-08-23T00:00:00"^^xsd:dateTime', 'false', 'different value spaces'],
  ['"08:00:00+09:00"^^xsd:time', '"17:00:00-06:00"^^xsd:time', 'false', 'XPath F&O 10.4.7: on the reference date'],
  ['"P1Y"^^xsd:duration', '"P12M"^^xsd:yearMonthDuration', 'true', 'XPath F&O 10.4.5'],
  ['"PT24H"^^xsd:duration', '"P1D"^^xsd:dayTimeDuration', 'true', 'XPath F&O 10.4.5'],
  ['"P1Y"^^xsd:yearMonthDuration', '"P365D"^^xsd:dayTimeDuration', 'false', 'XPath F&O 10.4.5'],
  ['"P0Y"^^xsd:yearMonthDuration', '"PT0S"^^xsd:dayTimeDuration', 'true', 'XPath F&O 10.4.5'],
  ['"2005-12"^^xsd:gYearMonth', '"2005-12Z"^^xsd:gYearMonth', 'true', 'XPath F&O 10.4.8'],
  ['"--02-29"^^xsd:gMonthDay', '"--03-01"^^xsd:gMonthDay', 'false', 'XPath F&O 10.4.10'],
];

const OPPOSITE: Readonly<Record<string, string>> = { true: 'false', false: 'true', error: 'error' };

describe('= and != (17.3, 17.4.1.7)', () => {
  it.each(EQUALITY)('%s = %s is %s: %s', (left, right, equal) => {
    expect(evaluate(`=(${left}, ${right})`)).toBe(equal);
    expect(evaluate(`=(${right}, ${left})`)).toBe(equal);
    expect(evaluate(`!=(${left}, ${right})`)).toBe(OPPOSITE[equal]);
    expect(evaluate('=(?a, ?b)', { a: left, b: right })).toBe(equal);
    expect(evaluate(`=(?a, ${right})`, { a: left })).toBe(equal);
    expect(evaluate(`IN(?a, <urn:x>, ${right})`, { a: left })).toBe(equal);
  });

  it('is an error of an error', () => {
    expect(evaluate('=(1, ERROR)')).toBe('error');
    expect(evaluate('=(ERROR, ERROR)')).toBe('error');
    expect(evaluate('!=(?a, ?unbound)', { a: '1' })).toBe('error');
  });
});

/**
 * How two values compare: `<`, `=` (neither less), `unordered` (all four are false but for NaN's
 * `!=`), `error`.
 */
const ORDER: readonly (readonly [left: string, right: string, order: '<' | '=' | 'unordered' | 'error'])[] = [
  ['1', '2', '<'],
  ['1', '1.5', '<'],
  ['1.5', '2e0', '<'],
  ['2', '2.0', '='],
  ['-1', '"0"^^xsd:unsignedByte', '<'],
  ['9007199254740992', '9007199254740993', '<'],
  ['9007199254740992.0', '9007199254740992.1', '<'],
  ['0.30000000000000000001', '0.30000000000000000002', '<'],
  ['1e400', '"INF"^^xsd:double', '='],
  ['"NaN"^^xsd:double', '1', 'unordered'],
  ['"NaN"^^xsd:float', '"NaN"^^xsd:double', 'unordered'],
  ['"a"', '"b"', '<'],
  ['"a"', '"ab"', '<'],
  ['""', '"a"', '<'],
  ['"\uffee"', '"\u{1f600}"', '<'],
  ['"\u{1f600}"', '"\u{1f601}"', '<'],
  ['false', 'true', '<'],
  ['true', 'true', '='],
  ['"2020-01-01T00:00:00Z"^^xsd:dateTime', '"2020-01-01T00:00:00.000000001Z"^^xsd:dateTime', '<'],
  ['"2020-01-01T00:00:00+01:00"^^xsd:dateTime', '"2020-01-01T00:00:00Z"^^xsd:dateTime', '<'],
  ['"-0001-01-01T00:00:00Z"^^xsd:dateTime', '"0001-01-01T00:00:00Z"^^xsd:dateTime', '<'],
  ['"2004-12-25-12:00"^^xsd:date', '"2004-12-26+12:00"^^xsd:date', '='],
  ['"12:00:00"^^xsd:time', '"23:00:00"^^xsd:time', '<'],
  ['"P11M"^^xsd:yearMonthDuration', '"P1Y"^^xsd:yearMonthDuration', '<'],
  ['"PT23H59M59.9S"^^xsd:dayTimeDuration', '"P1D"^^xsd:dayTimeDuration', '<'],
  ['"P1Y"^^xsd:duration', '"P2Y"^^xsd:duration', 'error'],
  ['"2005"^^xsd:gYear', '"2006"^^xsd:gYear', 'error'],
  ['<http://a>', '<http://b>', 'error'],
  ['_:a', '_:b', 'error'],
  ['"a"@en', '"b"@en', 'error'],
  ['"a"', '"b"@en', 'error'],
  ['1', '"2"', 'error'],
  ['1', 'true', 'error'],
  ['"a"^^<urn:t>', '"b"^^<urn:t>', 'error'],
  ['"2020-01-01"^^xsd:date', '"2020-01-01T00:00:00Z"^^xsd:dateTime', 'error'],
];

describe('<, >, <= and >= (17.3)', () => {
  it.each(ORDER)('%s against %s: %s', (left, right, order) => {
    const isLess = order === 'error' ? 'error' : String(order === '<');
    const isLessOrEqual = order === 'error' ? 'error' : String(order === '<' || order === '=');
    const isGreater = order === 'error' ? 'error' : 'false';
    const isGreaterOrEqual = order === 'error' ? 'error' : String(order === '=');
    for (const [a, b, bindings] of [
      [left, right, {}],
      ['?a', '?b', { a: left, b: right }],
      ['?a', right, { a: left }],
      [left, '?b', { b: right }],
    ] as const) {
      expect(evaluate(`<(${a}, ${b})`, bindings)).toBe(isLess);
      expect(evaluate(`<=(${a}, ${b})`, bindings)).toBe(isLessOrEqual);
      expect(evaluate(`>(${a}, ${b})`, bindings)).toBe(isGreater);
      expect(evaluate(`>=(${a}, ${b})`, bindings)).toBe(isGreaterOrEqual);
      expect(evaluate(`>(${b}, ${a})`, bindings)).toBe(isLess);
      expect(evaluate(`>=(${b}, ${a})`, bindings)).toBe(isLessOrEqual);
    }
  });
});

describe('sameTerm (17.4.1.8)', () => {
  it.each([
    ['1', '1', 'true'],
    ['1', '01', 'false'],
    ['1', '1.0', 'false'],
    ['"NaN"^^xsd:double', '"NaN"^^xsd:double', 'true'],
    ['"a"@en', '"a"@EN', 'true'],
    ['"a"', '"a"@en', 'false'],
    ['"a"^^<urn:t>', '"b"^^<urn:t>', 'false'],
    ['<http://a>', '"http://a"', 'false'],
    ['<http://a>', 'ERROR', 'error'],
  ])('of %s and %s is %s', (left, right, same) => expect(evaluate(`SAMETERM(${left}, ${right})`)).toBe(same));
});

/** XPath F&O 4.2 and XPath 2.0 appendix B.1. */
const ARITHMETIC: readonly (readonly [text: string, value: string])[] = [
  ['+(1, 2)', '3'],
  ['+("1"^^xsd:byte, "2"^^xsd:int)', '3'],
  ['+(1, 2.5)', '3.5'],
  ['+(0.1, 0.2)', '0.3'],
  ['+(1, "2"^^xsd:float)', '"3.0E0"^^xsd:float'],
  ['+(0.1e0, 0.2e0)', '3.0000000000000004E-1'],
  ['+("0.1"^^xsd:float, "0.2"^^xsd:float)', '"3.0E-1"^^xsd:float'],
  ['+(1.5, 1e0)', '2.5E0'],
  ['+(9007199254740991, 1)', '9007199254740992'],
  ['+(9007199254740993, 9007199254740993)', '18014398509481986'],
  ['+(99999999999999999999999999.5, 0.5)', '"100000000000000000000000000"^^xsd:decimal'],
  // W3C plus-1, plus-2: strings do not add
  ['+("a", 1)', 'error'],
  ['+("1", "2")', 'error'],
  ['+(_:b, "1")', 'error'],
  ['+(1, "x"^^xsd:integer)', 'error'],
  ['-(1, 2)', '-1'],
  ['-(0.3, 0.1)', '0.2'],
  ['-(-9007199254740991, 5)', '-9007199254740996'],
  ['-(9007199254740993, 9007199254740992)', '1'],
  ['*(6, 7)', '42'],
  ['*(1.1, 1.1)', '1.21'],
  ['*(123456789012, 1000000007)', '123456789876197523084'],
  ['*(0, -5)', '0'],
  ['*(0e0, -5)', '-0.0E0'],
  ['*("INF"^^xsd:double, 0)', '"NaN"^^xsd:double'],
  ['/(6, 3)', '"2"^^xsd:decimal'],
  ['/(7, 2)', '3.5'],
  ['/(1, 3)', '0.333333333333333333'],
  ['/(2, 3)', '0.666666666666666667'],
  ['/(-2, 3)', '-0.666666666666666667'],
  ['/(1, 300000000000)', '0.00000000000333333333333333333'],
  ['/(10, 4.0)', '2.5'],
  // A tie in the last place goes to the even digit
  ['/(1000000000000000000.000000000000000001, 2)', '"500000000000000000"^^xsd:decimal'],
  ['/(1000000000000000000.000000000000000003, 2)', '500000000000000000.000000000000000002'],
  ['/(1, 0)', 'error'],
  ['/(1.0, 0.0)', 'error'],
  ['/(1, 0e0)', '"INF"^^xsd:double'],
  ['/(-1e0, 0)', '"-INF"^^xsd:double'],
  ['/(0e0, 0)', '"NaN"^^xsd:double'],
  ['unary-(5)', '-5'],
  ['unary-(0)', '0'],
  ['unary-(0e0)', '-0.0E0'],
  ['unary-(-2.50)', '2.5'],
  ['unary-("5"^^xsd:positiveInteger)', '-5'],
  ['unary-("5")', 'error'],
  ['unary+("5"^^xsd:int)', '5'],
  ['unary+("a")', 'error'],
];

describe('arithmetic (17.3)', () => {
  it.each(ARITHMETIC)('%s is %s', (text, value) => expect(evaluate(text)).toBe(value));
});

/** XPath F&O 10.6 to 10.8: extensions that 17.3.1 allows. */
const DATES: readonly (readonly [text: string, value: string])[] = [
  [
    '-("2000-10-30T06:12:00-05:00"^^xsd:dateTime, "1999-11-28T09:00:00Z"^^xsd:dateTime)',
    '"P337DT2H12M"^^xsd:dayTimeDuration',
  ],
  ['-("2000-10-30Z"^^xsd:date, "1999-11-28Z"^^xsd:date)', '"P337D"^^xsd:dayTimeDuration'],
  ['-("11:12:00Z"^^xsd:time, "04:00:00-05:00"^^xsd:time)', '"PT2H12M"^^xsd:dayTimeDuration'],
  [
    '-("2000-01-01T00:00:00.25Z"^^xsd:dateTime, "2000-01-01T00:00:01Z"^^xsd:dateTime)',
    '"-PT0.75S"^^xsd:dayTimeDuration',
  ],
  ['+("2000-10-30T11:12:00"^^xsd:dateTime, "P1Y2M"^^xsd:yearMonthDuration)', '"2001-12-30T11:12:00"^^xsd:dateTime'],
  ['+("P1M"^^xsd:yearMonthDuration, "2024-01-31"^^xsd:date)', '"2024-02-29"^^xsd:date'],
  ['-("2024-03-31"^^xsd:date, "P1M"^^xsd:yearMonthDuration)', '"2024-02-29"^^xsd:date'],
  ['+("2000-10-30T11:12:00Z"^^xsd:dateTime, "P3DT1H15M"^^xsd:dayTimeDuration)', '"2000-11-02T12:27:00Z"^^xsd:dateTime'],
  ['-("2000-10-30"^^xsd:date, "P3DT1H15M"^^xsd:dayTimeDuration)', '"2000-10-26"^^xsd:date'],
  ['+("23:12:00+03:00"^^xsd:time, "P1DT3H15M"^^xsd:dayTimeDuration)', '"02:27:00+03:00"^^xsd:time'],
  ['-("08:20:00-05:00"^^xsd:time, "P23DT10H10M"^^xsd:dayTimeDuration)', '"22:10:00-05:00"^^xsd:time'],
  [
    '-("2000-01-01T00:00:00.5Z"^^xsd:dateTime, "PT0.75S"^^xsd:dayTimeDuration)',
    '"1999-12-31T23:59:59.75Z"^^xsd:dateTime',
  ],
  ['+("P1Y"^^xsd:yearMonthDuration, "P3M"^^xsd:yearMonthDuration)', '"P1Y3M"^^xsd:yearMonthDuration'],
  ['-("P1D"^^xsd:dayTimeDuration, "PT1.5S"^^xsd:dayTimeDuration)', '"PT23H59M58.5S"^^xsd:dayTimeDuration'],
  ['*("PT2H10M"^^xsd:dayTimeDuration, 2.1)', '"PT4H33M"^^xsd:dayTimeDuration'],
  ['*(2.3, "P2Y11M"^^xsd:yearMonthDuration)', '"P6Y9M"^^xsd:yearMonthDuration'],
  ['+("2000-10-30"^^xsd:date, "2000-10-30"^^xsd:date)', 'error'],
  ['+("P1Y"^^xsd:yearMonthDuration, "P1D"^^xsd:dayTimeDuration)', 'error'],
  // More months than can be read back: err:FODT0002
  ['*(9007199254740992, "P1M"^^xsd:yearMonthDuration)', 'error'],
  ['+("P200000000Y"^^xsd:yearMonthDuration, "P1M"^^xsd:yearMonthDuration)', 'error'],
  ['*(-2, "P100000000Y"^^xsd:yearMonthDuration)', '"-P200000000Y"^^xsd:yearMonthDuration'],
  ['+("12:00:00"^^xsd:time, "P1M"^^xsd:yearMonthDuration)', 'error'],
  ['-("P1Y"^^xsd:yearMonthDuration, "2000-10-30"^^xsd:date)', 'error'],
  ['-("2000-10-30"^^xsd:date, 1)', 'error'],
  ['*("P1Y"^^xsd:yearMonthDuration, "P1Y"^^xsd:yearMonthDuration)', 'error'],
];

describe('arithmetic on dates and durations', () => {
  it.each(DATES)('%s is %s', (text, value) => expect(evaluate(text)).toBe(value));
});
