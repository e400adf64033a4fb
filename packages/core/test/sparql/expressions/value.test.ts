import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dataFactory } from '../../../src/model/term.ts';
import { XSD } from '../../../src/model/vocabulary.ts';
import { equal } from '../../../src/sparql/expressions/comparison.ts';
import { DATATYPES } from '../../../src/sparql/expressions/datatypes.ts';
import type { DateTime } from '../../../src/sparql/expressions/date-time.ts';
import type { Duration } from '../../../src/sparql/expressions/duration.ts';
import {
  dateTimeValue,
  decimalOfValue,
  doubleValue,
  durationValue,
  exactValue,
  floatValue,
  isSameTerm,
  termKey,
  termOfValue,
  type Value,
  valueOfTerm,
} from '../../../src/sparql/expressions/value.ts';
import { KIND } from '../../../src/sparql/expressions/value-kind.ts';
import { readTerm, readValue, show } from './expression-text.ts';

/**
 * Lexical forms that a datatype has, each with the canonical one, and forms that it lacks (XSD 1.1
 * part 2, 3.3 and 3.4; RDF 1.1 Concepts 5.1).
 */
const LEXICAL: readonly (readonly [
  type: string,
  valid: Readonly<Record<string, string>>,
  invalid: readonly string[],
])[] = [
  ['boolean', { true: 'true', '1': 'true', '0': 'false' }, ['TRUE', '', ' true', '01']],
  [
    'integer',
    { '01': '1', '+5': '5', '-0': '0', '123456789012345678901': '123456789012345678901' },
    ['', '1.0', '1e0', ' 1', '--1', '+'],
  ],
  ['byte', { '-128': '-128', '127': '127' }, ['128', '-129']],
  ['unsignedInt', { '4294967295': '4294967295' }, ['4294967296', '-1']],
  ['positiveInteger', { '1': '1' }, ['0']],
  ['negativeInteger', { '-1': '-1' }, ['0']],
  ['long', { '-9223372036854775808': '-9223372036854775808' }, ['9223372036854775808']],
  [
    'decimal',
    {
      '1.0': '1',
      '-.50': '-0.5',
      '1.': '1',
      '+00.10': '0.1',
      '0.0': '0',
      '-0.0': '0',
      '12345678901234567890.12345': '12345678901234567890.12345',
    },
    ['', '.', '1e0', '1,0', '1.2.3', 'INF'],
  ],
  [
    'double',
    {
      '1000000': '1.0E6',
      '1e6': '1.0E6',
      '.5': '5.0E-1',
      '-0': '-0.0E0',
      INF: 'INF',
      '+INF': 'INF',
      '-INF': '-INF',
      NaN: 'NaN',
      '1e400': 'INF',
    },
    ['inf', 'Infinity', '', '1e', '0x1', '1e1.5'],
  ],
  [
    'float',
    { '0.1': '1.0E-1', '16777217': '1.6777216E7', '3.4028235e38': '3.4028235E38', '1e-45': '1.0E-45', '1e39': 'INF' },
    ['1f'],
  ],
  [
    'dateTime',
    {
      '2020-02-29T23:59:59.1200Z': '2020-02-29T23:59:59.12Z',
      '2020-01-01T00:00:00+00:00': '2020-01-01T00:00:00Z',
      '2020-01-01T24:00:00': '2020-01-02T00:00:00',
      '12020-01-01T00:00:00-14:00': '12020-01-01T00:00:00-14:00',
      '-0045-01-01T00:00:00': '-0045-01-01T00:00:00',
      '0000-01-01T00:00:00': '0000-01-01T00:00:00',
    },
    [
      '2021-02-29T00:00:00',
      '2020-13-01T00:00:00',
      '2020-00-01T00:00:00',
      '2020-01-01T25:00:00',
      '2020-01-01T24:00:01',
      '2020-01-01T00:60:00',
      '2020-01-01T00:00:60',
      '2020-01-01T00:00:00+14:01',
      '2020-01-01T00:00:00+01:60',
      '020-01-01T00:00:00',
      '02020-01-01T00:00:00',
      '2020-01-01',
      '2020-01-01T00:00',
      '2020-01-01T00:00:00.',
      '2020-1-1T00:00:00',
    ],
  ],
  [
    'date',
    { '2020-02-29': '2020-02-29', '2020-02-29+05:30': '2020-02-29+05:30' },
    ['2020-02-30', '2020-02-29T00:00:00'],
  ],
  ['time', { '12:00:00.0': '12:00:00', '24:00:00': '00:00:00', '12:00:00Z': '12:00:00Z' }, ['12:00', '24:00:01']],
  ['gYear', { '2020': '2020', '-0001Z': '-0001Z' }, ['20']],
  ['gYearMonth', { '2020-02': '2020-02' }, ['2020-13']],
  ['gMonthDay', { '--02-29': '--02-29' }, ['--02-30']],
  ['gDay', { '---31': '---31' }, ['---32', '--31']],
  ['gMonth', { '--12': '--12' }, ['--13', '--12--']],
  [
    'duration',
    { P1Y14M: 'P2Y2M', PT36H: 'P1DT12H', P0Y: 'PT0S', '-P1DT0.50S': '-P1DT0.5S', P1Y2M3DT4H5M6S: 'P1Y2M3DT4H5M6S' },
    ['P', 'PT', 'P1YT', '1Y', 'P-1Y', 'P1S', 'P1.5Y', 'PT1.S'],
  ],
  ['yearMonthDuration', { P0M: 'P0M', '-P13M': '-P1Y1M' }, ['P1D', 'P1YT1S', 'P']],
  ['dayTimeDuration', { PT0S: 'PT0S', P1DT24H: 'P2D', '-PT60S': '-PT1M' }, ['P1M', 'P1Y1D']],
];

/** A value as if computed: it has to make up its lexical form. */
function recomputed(value: Value): Value {
  if (value.kind === KIND.boolean) return value;
  if (value.kind === KIND.integer || value.kind === KIND.decimal)
    return exactValue(decimalOfValue(value), value.kind, value.datatype);
  if (value.kind === KIND.float) return floatValue(value.number);
  if (value.kind === KIND.double) return doubleValue(value.number);
  if (value.kind <= KIND.gMonth) return dateTimeValue(value.exact as DateTime, value.kind);
  return durationValue(value.exact as Duration, value.kind);
}

describe('lexical forms', () => {
  it('are tested for every kind of literal with a value', () => {
    const tested = new Set(LEXICAL.map(([type]) => DATATYPES.get(XSD + type)!.kind));
    expect([...DATATYPES.values()].filter(({ kind }) => kind !== KIND.string && !tested.has(kind))).toEqual([]);
  });

  it.each(LEXICAL)('of xsd:%s', (type, valid, invalid) => {
    for (const [lexical, canonical] of Object.entries(valid)) {
      const value = readValue(`"${lexical}"^^xsd:${type}`);
      expect(`${lexical} ${value.kind}`).toBe(`${lexical} ${DATATYPES.get(XSD + type)!.kind}`);
      // What came from a term keeps its form (01 stays 01).
      expect(termOfValue(value).value).toBe(lexical);
      const computed = recomputed(value);
      if (type !== 'boolean') expect(termOfValue(computed).value).toBe(canonical);
      // The canonical form means the same.
      if (!Number.isNaN(value.number)) {
        expect(equal(computed, value)).toBe(true);
        expect(equal(readValue(`"${canonical}"^^xsd:${type}`), value)).toBe(true);
      }
    }
    for (const lexical of invalid) {
      const value = readValue(`"${lexical}"^^xsd:${type}`);
      expect(`${lexical} ${value.kind}`).toBe(`${lexical} ${KIND.other}`);
      expect(termOfValue(value).value).toBe(lexical);
    }
  });

  it('of a double read back as the same double', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true }), (number) => {
        const term = termOfValue(doubleValue(number));
        expect(valueOfTerm(term).number).toBe(number);
      }),
    );
  });

  it('of a float read back as the same float, with no more than nine digits', () => {
    fc.assert(
      fc.property(fc.float({ noNaN: true }), (number) => {
        const term = termOfValue(floatValue(number));
        expect(valueOfTerm(term).number).toBe(number);
        expect(term.value.replace(/E.*|[^0-9]/g, '').length).toBeLessThanOrEqual(9);
      }),
    );
  });

  it('of dates stay what they are through the time line', () => {
    fc.assert(
      fc.property(
        fc.date({
          min: new Date('-005000-01-01T00:00:00Z'),
          max: new Date('9999-12-31T23:59:59Z'),
          noInvalidDate: true,
        }),
        (date) => {
          const iso = date.toISOString();
          const lexical = iso.startsWith('-00') ? `-${iso.slice(3)}` : iso;
          const value = readValue(`"${lexical}"^^xsd:dateTime`);
          expect(value.number).toBe(Math.floor(date.getTime() / 1000));
          const canonical = lexical.replace(/\.?0+Z$/, (end) => (end.startsWith('.') ? 'Z' : end.replace(/0+Z$/, 'Z')));
          expect(termOfValue(recomputed(value)).value).toBe(canonical);
        },
      ),
    );
  });
});

const TERMS = [
  '<http://a>',
  '_:a',
  '"a"',
  '"http://a"',
  '"a"@en',
  '"a"@en-GB',
  '"a"@en--ltr',
  '"a"@en--rtl',
  '1',
  '01',
  '1.0',
  '"1"^^xsd:byte',
  '"1"^^<urn:t>',
  '"1"',
  'true',
  '"en a"',
];

describe('terms', () => {
  it('survive the conversion to values and back', () => {
    for (const text of TERMS) {
      const term = readTerm(text);
      expect(termOfValue(valueOfTerm(term))).toBe(term);
      expect(show(term)).toBe(text);
    }
    const quad = dataFactory.quad(
      dataFactory.blankNode('b'),
      dataFactory.namedNode('http://p'),
      dataFactory.literal('x'),
    );
    expect(termOfValue(valueOfTerm(quad))).toBe(quad);
  });

  it('have one key each, and are the same only as themselves', () => {
    const values = TERMS.map(readValue);
    expect(new Set(values.map(termKey)).size).toBe(TERMS.length);
    for (const [i, a] of values.entries())
      for (const [j, b] of values.entries()) expect(isSameTerm(a, b)).toBe(i === j);
  });

  it('that are not values are programming errors', () => {
    expect(() => valueOfTerm(dataFactory.variable('x'))).toThrow(TypeError);
  });
});
