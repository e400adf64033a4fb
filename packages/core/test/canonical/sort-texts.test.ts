import fc from 'fast-check';
import { expect, it } from 'vitest';
import { sortBy, sortTexts } from '../../src/canonical/sort-texts.ts';
import { compareCodePoints } from '../../src/model/code-point-order.ts';

/** Returns the result of a kernel and how often it may pause. */
function run<Result>(kernel: Generator<void, Result>): [Result, pauses: number] {
  for (let pauses = 0; ; pauses++) {
    const step = kernel.next();
    if (step.done) return [step.value, pauses];
  }
}

const LENGTHS = [0, 1, 10, 90_000, 300_000];
const text = fc
  .tuple(fc.constantFrom('a', 'b', '\u{1f600}', '\uffee'), fc.constantFrom(...LENGTHS), fc.string({ maxLength: 2 }))
  .map(([unit, length, end]) => unit.repeat(length) + end);

it('sorts texts of any length by code points', () => {
  fc.assert(
    fc.property(fc.array(text, { maxLength: 30 }), (texts) => {
      const [sorted] = run(sortTexts([...texts]));
      expect(sorted.length).toBe(texts.length);
      const expected = [...texts].sort(compareCodePoints);
      expect(sorted.every((each, i) => each === expected[i])).toBe(true);
    }),
    { numRuns: 40 },
  );
});

it('sorts any number of items, and keeps the order of equal ones', () => {
  for (const length of [0, 1, 4_095, 4_096, 4_097, 12_288, 20_001]) {
    const items = Array.from({ length }, (_, at) => ({ key: (at * 7_919) % 101, at }));
    const [sorted] = run(sortBy([...items], (a, b) => a.key - b.key));
    expect(sorted).toEqual([...items].sort((a, b) => a.key - b.key || a.at - b.at));
  }
});

it('may pause among few texts that are long', () => {
  const texts = Array.from({ length: 40 }, (_, i) => 'x'.repeat(300_000) + (40 - i));
  const [sorted, pauses] = run(sortTexts([...texts]));
  expect(sorted).toEqual([...texts].sort());
  // While it reads each, and in each of the rounds that merge them.
  expect(pauses).toBeGreaterThan(40 * 5);
});
