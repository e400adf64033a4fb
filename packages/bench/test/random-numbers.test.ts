import { describe, expect, it } from 'vitest';
import { RandomNumbers } from '../src/random-numbers.ts';

const draw = (seed: number, end: number, count = 2000) => {
  const random = new RandomNumbers(seed);
  return Array.from({ length: count }, () => random.below(end));
};

describe('random numbers', () => {
  it('are identical for the same seed and differ for another', () => {
    expect(draw(42, 1000)).toEqual(draw(42, 1000));
    expect(draw(42, 1000)).not.toEqual(draw(43, 1000));
  });

  it.each([1, 2, 7, 1000, 2 ** 32])('are integers below %i', (end) => {
    for (const number of draw(9, end)) {
      expect(Number.isInteger(number)).toBe(true);
      expect(number).toBeGreaterThanOrEqual(0);
      expect(number).toBeLessThan(end);
    }
  });

  it('reach every value of a small range', () => {
    expect(new Set(draw(1, 10)).size).toBe(10);
    const random = new RandomNumbers(1);
    const between = new Set(Array.from({ length: 200 }, () => random.between(3, 5)));
    expect([...between].sort()).toEqual([3, 4, 5]);
  });

  it('sample without repetition and in order, and return everything if there are too few', () => {
    const random = new RandomNumbers(2);
    const choices = [1, 2, 3, 4, 5, 6, 7, 8];
    for (let count = 0; count <= choices.length; count++) {
      const taken = random.sample(choices, count);
      expect(taken.length).toBe(count);
      expect(new Set(taken).size).toBe(count);
      expect([...taken].sort((a, b) => a - b)).toEqual(taken);
    }
    expect(random.sample(choices, 20)).toEqual(choices);
    expect(random.sample([], 3)).toEqual([]);
  });
});
