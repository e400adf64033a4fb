import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Aggregate } from '../../../src/sparql/algebra/algebra.ts';
import { makeAccumulator } from '../../../src/sparql/expressions/aggregates.ts';
import { termOfValue } from '../../../src/sparql/expressions/value.ts';
import { readValue, show } from './expression-text.ts';

const ARGUMENT: Aggregate['argument'] = { type: 'variable', name: 'x' };

/**
 * `SUM`, `SUM DISTINCT`, `GROUP_CONCAT ;` with a separator behind it, of values written apart by
 * ` | `; `-` is an error.
 */
function aggregate(call: string, values: string): string {
  const [name, ...options] = call.split(' ');
  const separator = options.find((option) => option !== 'DISTINCT');
  const accumulator = makeAccumulator({
    function: name as Aggregate['function'],
    distinct: options.includes('DISTINCT'),
    argument: ARGUMENT,
    ...(separator === undefined ? {} : { separator }),
  });
  for (const text of values === '' ? [] : values.split(' | '))
    accumulator.add(text === '-' ? undefined : readValue(text));
  const result = accumulator.result();
  return show(result && termOfValue(result));
}

const ROWS: readonly (readonly [call: string, values: string, result: string, why: string])[] = [
  ['COUNT', '1 | - | "a" | 1', '3', '18.5.1.2: remove error elements'],
  ['COUNT DISTINCT', '1 | - | "a" | 1 | 01', '3', 'distinct by term'],
  ['COUNT', '', '0', 'an empty group'],
  ['COUNT DISTINCT', '', '0', 'an empty group'],
  ['SUM', '', '0', '18.5.1.3: an empty group'],
  ['SUM', '1 | 2 | 3', '6', 'integers'],
  ['SUM', '"1"^^xsd:byte | "2"^^xsd:int', '3', 'derived integers'],
  ['SUM', '1.0 | 2.2 | 3.5 | 2.2 | 2.2', '11.1', 'W3C agg-sum-01'],
  ['SUM', '0.1 | 0.2', '0.3', 'exact decimals'],
  ['SUM', '1 | 2.5', '3.5', 'integers and decimals'],
  ['SUM', '1.0 | 2', '"3"^^xsd:decimal', 'a decimal stays one'],
  ['SUM', '0.0 | 2', '"2"^^xsd:decimal', 'a decimal stays one'],
  ['SUM', '100 | 2000 | 2.0e4', '2.21E4', 'doubles'],
  ['SUM', '0.1 | "0.2"^^xsd:float', '"3.0E-1"^^xsd:float', 'floats'],
  ['SUM', '9007199254740991 | 9007199254740991 | 1', '18014398509481983', 'integers beyond 2^53'],
  ['SUM', '9007199254740991 | 1 | -9007199254740991', '1', 'there and back'],
  ['SUM', '1 | -', 'error', 'an error'],
  ['SUM', '1 | "a" | 2', 'error', 'no number'],
  ['SUM', '1e0 | "a"', 'error', 'no number after a double'],
  ['SUM', '1 | "x"^^xsd:integer', 'error', 'ill-typed'],
  ['SUM DISTINCT', '1 | 1 | 01 | 2', '4', 'distinct by term'],
  ['SUM DISTINCT', '1 | - | -', 'error', 'errors'],
  ['SUM', '"P1D"^^xsd:dayTimeDuration | "P1D"^^xsd:dayTimeDuration', 'error', 'numbers only'],
  ['AVG', '', '0', '18.5.1.4: an empty group, W3C agg-avg-03'],
  ['AVG', '1.0 | 2.2 | 3.5 | 2.2 | 2.2', '2.22', 'W3C agg-avg-01'],
  ['AVG', '1 | 2 | 3', '"2"^^xsd:decimal', 'W3C agg-avg-02, :ints'],
  ['AVG', '1 | 2.2', '1.6', 'W3C agg-avg-02, :mixed1'],
  ['AVG', '2e-1 | 0.2', '2.0E-1', 'W3C agg-avg-02, :mixed2'],
  ['AVG', '1 | 2 | 2', '1.666666666666666667', 'exact division'],
  ['AVG DISTINCT', '1 | 2 | 2', '1.5', 'distinct'],
  ['AVG', '1 | 2 | 3 | 4 | _:foo', 'error', 'W3C agg-err-01, :y'],
  ['MIN', '1.0 | 2.2 | 3.5 | 2.2 | 2.2', '1.0', 'W3C agg-min-01'],
  ['MIN', '3 | 2e0 | 2.5', '"2e0"^^xsd:double', 'the term stays as it is'],
  ['MIN', '1 | _:foo | <http://a>', '_:foo', '18.5.1.5: the order of ORDER BY'],
  ['MIN', '"b" | "a"@en | 10', '10', 'the order of ORDER BY'],
  [
    'MIN',
    '"2020-01-01T00:00:00Z"^^xsd:dateTime | "2020-01-01T00:00:00+01:00"^^xsd:dateTime',
    '"2020-01-01T00:00:00+01:00"^^xsd:dateTime',
    'dates',
  ],
  ['MIN', '1 | -', 'error', 'an error is the least'],
  ['MIN', '- | 1', 'error', 'an error is the least'],
  ['MIN', '', 'error', 'Min({}) = error'],
  ['MAX', '1 | 30 | 4 | 3e1', '30', 'ties by term: xsd:integer is behind xsd:double'],
  ['MAX', '1 | - | 2', '2', 'an error is the least'],
  ['MAX', '-', 'error', 'nothing else'],
  ['MAX', '', 'error', 'Max({}) = error'],
  ['MAX DISTINCT', '1 | 2 | 2', '2', 'distinct'],
  ['SAMPLE', '- | "a" | "b"', '"a"', '18.5.1.8: a value'],
  ['SAMPLE', '', 'error', 'Sample({}) = error'],
  ['SAMPLE', '-', 'error', 'no value'],
  ['GROUP_CONCAT', '', '""', '18.5.1.7: an empty group'],
  ['GROUP_CONCAT', '"1" | "22"', '"1 22"', 'W3C agg-groupconcat-1'],
  ['GROUP_CONCAT :', '1 | 22', '"1:22"', 'W3C agg-groupconcat-3'],
  ['GROUP_CONCAT', '"1"@en | "2"@fr', '"1 2"', 'W3C agg-groupconcat-5'],
  ['GROUP_CONCAT', '"1"@en', '"1"', 'W3C agg-groupconcat-6'],
  ['GROUP_CONCAT DISTINCT', '"1" | "2" | "1"', '"1 2"', 'W3C agg-groupconcat-distinct'],
  ['GROUP_CONCAT', '<http://a> | 01', '"http://a 01"', 'STR of terms'],
  ['GROUP_CONCAT', '"" | ""', '" "', 'empty strings'],
  ['GROUP_CONCAT', '"a" | -', 'error', 'an error'],
  ['GROUP_CONCAT', '_:a', 'error', 'a blank node has no STR'],
];

describe('aggregates (18.5.1)', () => {
  it.each(ROWS)('%s of %s is %s: %s', (call, values, result) => expect(aggregate(call, values)).toBe(result));

  it('COUNT(*) counts solutions, whatever is bound in them', () => {
    const accumulator = makeAccumulator({ function: 'COUNT', distinct: false });
    expect(accumulator.result()!.number).toBe(0);
    accumulator.add(undefined);
    accumulator.add(readValue('1'));
    expect(accumulator.result()!.number).toBe(2);
  });

  it('SUM and AVG of integers and decimals are exact', () => {
    const cents = fc.bigInt({ min: -(10n ** 18n), max: 10n ** 18n });
    fc.assert(
      fc.property(fc.array(cents, { minLength: 1, maxLength: 50 }), (amounts) => {
        const accumulator = makeAccumulator({ function: 'SUM', distinct: false, argument: ARGUMENT });
        for (const amount of amounts) {
          const digits = String(amount < 0n ? -amount : amount).padStart(3, '0');
          accumulator.add(readValue(`${amount < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`));
        }
        const total = amounts.reduce((a, b) => a + b, 0n);
        const [whole, rest = ''] = accumulator.result()!.lexical.replace('-', '').split('.');
        expect(BigInt(whole + rest.padEnd(2, '0'))).toBe(total < 0n ? -total : total);
      }),
    );
  });
});
