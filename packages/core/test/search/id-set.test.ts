import fc from 'fast-check';
import { expect, it } from 'vitest';
import { IdSet } from '../../src/search/id-set.ts';

it('contains exactly the given ids, dense or sparse, whatever was expected', () => {
  const id = fc.oneof(fc.nat(200), fc.nat(100_000), fc.constantFrom(2 ** 30, 2 ** 30 + 31, 0xffff_ffff));
  fc.assert(
    fc.property(fc.array(id), fc.array(id), fc.nat(100_000), fc.nat(1000), (ids, others, largest, count) => {
      const given = new Set(ids);
      const grown = new IdSet(largest, count);
      for (const one of ids) grown.add(one);
      for (const set of [IdSet.of(given), grown])
        for (const one of [...ids, ...others]) expect(set.has(one)).toBe(given.has(one));
    }),
  );
});
