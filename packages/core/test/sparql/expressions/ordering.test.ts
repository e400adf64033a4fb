import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { less } from '../../../src/sparql/expressions/comparison.ts';
import { compareForOrder } from '../../../src/sparql/expressions/ordering.ts';
import { isSameTerm, termOfValue, type Value } from '../../../src/sparql/expressions/value.ts';
import { readValue, show } from './expression-text.ts';

/**
 * One of everything, and of what is hard to order: equal numbers of many types, numbers that
 * promotion makes equal, dates with and without zones.
 */
const SAMPLES: readonly string[] = [
  '_:a',
  '_:b',
  '<http://a>',
  '<http://b>',
  '<http://a/\uffee>',
  '<http://a/\u{1f600}>',
  '"NaN"^^xsd:double',
  '"NaN"^^xsd:float',
  '"-INF"^^xsd:double',
  '"-INF"^^xsd:float',
  '-5',
  '-0.5',
  '0',
  '00',
  '"-0"^^xsd:double',
  '"0"^^xsd:float',
  '0.1',
  '0.1e0',
  '"0.1"^^xsd:float',
  '1',
  '01',
  '1.0',
  '1e0',
  '"1"^^xsd:byte',
  '9007199254740992',
  '9007199254740993',
  '9007199254740992e0',
  '9007199254740993.5',
  '1e300',
  `1${'0'.repeat(300)}`,
  `1${'0'.repeat(400)}`,
  `-1${'0'.repeat(400)}`,
  '"INF"^^xsd:double',
  '"2020-01-01T00:00:00"^^xsd:dateTime',
  '"2020-01-01T00:00:00Z"^^xsd:dateTime',
  '"2020-01-01T01:00:00+01:00"^^xsd:dateTime',
  '"2020-01-01T00:00:00.5Z"^^xsd:dateTime',
  '"2019-12-31"^^xsd:date',
  '"2020-01-01"^^xsd:date',
  '"12:00:00"^^xsd:time',
  '"2020"^^xsd:gYear',
  '"2020-05"^^xsd:gYearMonth',
  '"--05-05"^^xsd:gMonthDay',
  '"---05"^^xsd:gDay',
  '"--05"^^xsd:gMonth',
  '"P1M"^^xsd:yearMonthDuration',
  '"P30D"^^xsd:dayTimeDuration',
  '"P31D"^^xsd:dayTimeDuration',
  '"P1M"^^xsd:duration',
  '"P0M"^^xsd:yearMonthDuration',
  '"PT0S"^^xsd:dayTimeDuration',
  'false',
  'true',
  '"1"^^xsd:boolean',
  '""',
  '"a"',
  '"b"',
  '"\uffee"',
  '"\u{1f600}"',
  '"a"@en',
  '"a"@EN',
  '"a"@de',
  '"a"@en--ltr',
  '"b"@en',
  '"a"^^<urn:t>',
  '"b"^^<urn:t>',
  '"a"^^<urn:s>',
  '"abc"^^xsd:integer',
];

const VALUES: readonly (Value | undefined)[] = [undefined, ...SAMPLES.map(readValue)];
const anyValue = fc.constantFrom(...VALUES);

describe('the order of ORDER BY (15.1)', () => {
  it('is total: antisymmetric, transitive, and equal only for the same term', () => {
    for (const a of VALUES) {
      for (const b of VALUES) {
        const order = Math.sign(compareForOrder(a, b));
        expect(order).toBe(0 - Math.sign(compareForOrder(b, a)));
        expect(order === 0).toBe(a === b || (a !== undefined && b !== undefined && isSameTerm(a, b)));
        for (const c of VALUES) {
          if (order <= 0 && compareForOrder(b, c) <= 0 && compareForOrder(a, c) > 0)
            throw new Error(`Not transitive: ${[a, b, c].map((value) => show(value && termOfValue(value))).join(' ')}`);
        }
      }
    }
  });

  it('is transitive for random numbers of all types', () => {
    const anyNumber = fc.oneof(
      fc.double().map((number) => readValue(`"${Number.isFinite(number) ? number : 'NaN'}"^^xsd:double`)),
      fc.float({ noNaN: true, noDefaultInfinity: true }).map((number) => readValue(`"${number}"^^xsd:float`)),
      fc.bigInt({ min: -(2n ** 60n), max: 2n ** 60n }).map((integer) => readValue(`${integer}`)),
      fc.tuple(fc.integer(), fc.nat({ max: 999_999 })).map(([whole, rest]) => readValue(`${whole}.${rest}`)),
    );
    fc.assert(
      fc.property(anyNumber, anyNumber, anyNumber, (a, b, c) => {
        const sorted = [a, b, c].sort(compareForOrder);
        expect(compareForOrder(sorted[0], sorted[1])).toBeLessThanOrEqual(0);
        expect(compareForOrder(sorted[1], sorted[2])).toBeLessThanOrEqual(0);
        expect(compareForOrder(sorted[0], sorted[2])).toBeLessThanOrEqual(0);
      }),
      { numRuns: 2000 },
    );
  });

  it('does not depend on the order of the input', () => {
    const expected = [...VALUES].sort(compareForOrder);
    fc.assert(
      fc.property(fc.shuffledSubarray([...VALUES], { minLength: VALUES.length }), (shuffled) => {
        expect(shuffled.sort(compareForOrder)).toEqual(expected);
      }),
      { numRuns: 50 },
    );
  });

  it('puts unbound before blank nodes, IRIs and literals', () => {
    const kinds = [undefined, readValue('_:z'), readValue('<http://z>'), readValue('"a"'), readValue('1')];
    for (const [i, a] of kinds.entries())
      for (const [j, b] of kinds.entries()) if (i < Math.min(j, 3)) expect(compareForOrder(a, b)).toBeLessThan(0);
  });

  it('agrees with <, except where promotion rounds', () => {
    // A float and a double of one decimal number differ exactly; `<` promotes the decimal to
    // either.
    const isRounded = (value: Value) => value.datatype.endsWith('float') || Math.abs(value.number) > 2 ** 53;
    fc.assert(
      fc.property(anyValue, anyValue, (a, b) => {
        if (a === undefined || b === undefined || isRounded(a) || isRounded(b)) return;
        const isLess = less(a, b);
        if (isLess === true) expect(compareForOrder(a, b)).toBeLessThan(0);
      }),
      { numRuns: 3000 },
    );
  });

  it.each([
    ['"\uffee"', '"\u{1f600}"', 'code points, not UTF-16'],
    ['"NaN"^^xsd:double', '"-INF"^^xsd:double', 'NaN first'],
    ['9007199254740992e0', '9007199254740993', 'exact values'],
    ['"2020-01-01T00:00:00+01:00"^^xsd:dateTime', '"2020-01-01T00:00:00"^^xsd:dateTime', 'time zones'],
    ['"P30D"^^xsd:dayTimeDuration', '"P1M"^^xsd:yearMonthDuration', 'a month is a twelfth of a year'],
    ['9', '10', 'numbers by value'],
    [`1e308`, `1${'0'.repeat(400)}`, 'beyond doubles'],
    [`1${'0'.repeat(400)}`, '"INF"^^xsd:double', 'beyond doubles'],
    ['"-INF"^^xsd:double', `-1${'0'.repeat(400)}`, 'beyond doubles'],
  ])('%s comes before %s: %s', (left, right) => {
    expect(compareForOrder(readValue(left), readValue(right))).toBeLessThan(0);
  });
});
