import { expect, it } from 'vitest';
import { normalised, RowChecksum } from '../../src/sparql/row-checksum.ts';

const sumOf = (...rows: readonly Readonly<Record<string, string | undefined>>[]) => {
  const sum = new RowChecksum();
  for (const row of rows) sum.add(Object.keys(row), Object.values(row));
  return sum.toString();
};

it.each([
  { name: 'the order of rows', one: [{ a: 'x' }, { a: 'y' }], other: [{ a: 'y' }, { a: 'x' }] },
  { name: 'the order of columns', one: [{ a: 'x', b: 'y' }], other: [{ b: 'y', a: 'x' }] },
  { name: 'unbound columns', one: [{ a: 'x', b: undefined }], other: [{ a: 'x' }] },
  { name: 'the spelling of numbers', one: [{ a: '12.50' }], other: [{ a: '1.25E1' }] },
  { name: 'the spelling of times', one: [{ a: '2024-01-02T03:04:05Z' }], other: [{ a: '2024-01-02 03:04:05' }] },
])('$name does not matter', ({ one, other }) => {
  expect(sumOf(...one)).toBe(sumOf(...other));
});

it.each([
  { name: 'a value', one: [{ a: 'x' }], other: [{ a: 'y' }] },
  { name: 'the column of a value', one: [{ a: 'x', b: 'y' }], other: [{ a: 'y', b: 'x' }] },
  {
    name: 'the row of a value',
    one: [
      { a: 'x', b: 'y' },
      { a: 'u', b: 'v' },
    ],
    other: [
      { a: 'x', b: 'v' },
      { a: 'u', b: 'y' },
    ],
  },
  { name: 'a duplicate row', one: [{ a: 'x' }], other: [{ a: 'x' }, { a: 'x' }] },
  { name: 'case', one: [{ a: 'x' }], other: [{ a: 'X' }] },
])('$name matters', ({ one, other }) => {
  expect(sumOf(...one)).not.toBe(sumOf(...other));
});

it('rounds a value halfway between two numbers the same way in every spelling', () => {
  expect(normalised('478.10000005')).toBe(normalised('478.10000004999995'));
});

it('leaves texts unchanged', () => {
  for (const text of ['', ' 1', '1 000', 'abc', '2024-01-02', '1.2.3', 'NaN']) expect(normalised(text)).toBe(text);
});
