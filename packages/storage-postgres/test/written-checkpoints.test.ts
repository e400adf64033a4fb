import fc from 'fast-check';
import { expect, it } from 'vitest';
import { WrittenCheckpoints } from '../src/written-checkpoints.ts';

it('checkpoints added in any order reach from one to the next, as far as none of another process is between', () => {
  fc.assert(
    fc.property(
      fc
        .uniqueArray(fc.integer({ min: 1, max: 30 }))
        .chain((numbers) => fc.shuffledSubarray(numbers, { minLength: numbers.length })),
      (numbers) => {
        const written = new WrittenCheckpoints();
        for (const number of numbers) written.add(number);
        for (let known = 0; known <= 31; known++) {
          let last = known;
          while (numbers.includes(last + 1)) last++;
          expect(written.since(known)).toBe(last);
        }
      },
    ),
  );
});
