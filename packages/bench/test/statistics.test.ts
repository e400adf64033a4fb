import { describe, expect, it } from 'vitest';
import { figure, spread } from '../src/figure.ts';
import { quantile, statistics } from '../src/statistics.ts';

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

  it('refuse nothing, and what is no number', () => {
    expect(() => statistics([])).toThrow(RangeError);
    expect(() => quantile([], 0.5)).toThrow(RangeError);
    expect(() => statistics([1, Number.NaN])).toThrow(RangeError);
  });

  it('are printed with separators and a fixed number of digits', () => {
    expect(figure(1234567.891)).toBe('1,234,568');
    expect(figure(0.5, 2)).toBe('0.50');
    expect(spread(statistics([1000, 3000, 2000]))).toBe('2,000 (1,000-3,000)');
    expect(spread(statistics([1, 2]), 1)).toBe('1.5 (1.0-2.0)');
  });
});
