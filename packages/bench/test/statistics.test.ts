import { describe, expect, it } from 'vitest';
import { figure, significantDigits, spread } from '../src/figure.ts';
import { geometricMean, quantile, statistics } from '../src/statistics.ts';

describe('statistics', () => {
  it.each([
    { values: [5], expected: { count: 1, min: 5, median: 5, max: 5 } },
    { values: [3, 1], expected: { count: 2, min: 1, median: 2, max: 3 } },
    { values: [10, 9, 100], expected: { count: 3, min: 9, median: 10, max: 100 } },
    { values: [4, 1, 3, 2], expected: { count: 4, min: 1, median: 2.5, max: 4 } },
    { values: [-1, -10], expected: { count: 2, min: -10, median: -5.5, max: -1 } },
  ])('of $values', ({ values, expected }) => {
    const given = [...values];
    expect(statistics(values)).toEqual(expected);
    expect(values).toEqual(given);
  });

  it.each([
    [0, 10],
    [0.25, 20],
    [0.5, 30],
    [0.9, 46],
    [1, 50],
  ])('quantile %f', (fraction, expected) => {
    expect(quantile([50, 10, 40, 20, 30], fraction)).toBeCloseTo(expected, 10);
  });

  it('reject an empty list and NaN', () => {
    expect(() => statistics([])).toThrow(RangeError);
    expect(() => quantile([], 0.5)).toThrow(RangeError);
    expect(() => statistics([1, Number.NaN])).toThrow(RangeError);
  });

  it.each([
    { values: [7], mean: 7 },
    { values: [2, 8], mean: 4 },
    { values: [1, 10, 100], mean: 10 },
    { values: [0.5, 2], mean: 1 },
  ])('geometric mean of $values', ({ values, mean }) => {
    expect(geometricMean(values)).toBeCloseTo(mean, 10);
  });

  it.each([[[]], [[1, 0]], [[-1, -1]], [[1, Number.NaN]]])('there is no geometric mean of %j', (values) => {
    expect(() => geometricMean(values)).toThrow(RangeError);
  });

  it.each([
    { value: 0.0312, text: '0.0312' },
    { value: 1.234, text: '1.23' },
    { value: 12.34, text: '12.3' },
    { value: 1234.5, text: '1,235' },
    { value: 0, text: '0' },
    { value: 1e-9, text: '0.000000' },
  ])('$value is printed with three significant digits', ({ value, text }) => {
    expect(figure(value, significantDigits(value))).toBe(text);
  });

  it('are printed with thousands separators and a fixed number of digits', () => {
    expect(figure(1234567.891)).toBe('1,234,568');
    expect(figure(0.5, 2)).toBe('0.50');
    expect(spread(statistics([1000, 3000, 2000]))).toBe('2,000 (1,000-3,000)');
    expect(spread(statistics([1, 2]), 1)).toBe('1.5 (1.0-2.0)');
  });
});
