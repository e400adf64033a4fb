import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { DocSet } from '../../../../src/contracts/doc-set.ts';
import { FilterCursor, NO_MORE } from '../../../../src/search/text/query/filter-cursor.ts';

function formsOf(docs: readonly number[]): DocSet[] {
  const words = new Uint32Array(((docs.at(-1) ?? 0) >>> 5) + 1);
  for (const doc of docs) words[doc >>> 5]! |= 1 << (doc & 31);
  const ranges: number[] = [];
  for (const doc of docs) {
    if (ranges.at(-1) === doc) ranges[ranges.length - 1] = doc + 1;
    else ranges.push(doc, doc + 1);
  }
  return [
    { kind: 'sorted', ids: Uint32Array.from(docs), size: docs.length },
    { kind: 'ranges', ranges: Uint32Array.from(ranges), size: docs.length },
    { kind: 'bitset', words, size: docs.length },
  ];
}

const docs = fc
  .uniqueArray(fc.oneof(fc.nat(40), fc.nat(3000)), { maxLength: 60 })
  .map((list) => list.sort((a, b) => a - b));

describe('a filter cursor', () => {
  it('walks the allowed documents, whatever form they have', () => {
    fc.assert(
      fc.property(docs, fc.array(fc.nat(3100)), (allowed, asked) => {
        for (const set of formsOf(allowed)) {
          const cursor = new FilterCursor(set);
          for (let round = 0; round < 2; round++) {
            for (const doc of asked.toSorted((a, b) => a - b)) {
              expect(cursor.next(doc)).toBe(allowed.find((each) => each >= doc) ?? NO_MORE);
              expect(cursor.has(doc)).toBe(allowed.includes(doc));
            }
            expect(cursor.next(NO_MORE)).toBe(NO_MORE);
            cursor.rewind();
          }
        }
      }),
    );
  });

  it('knows an end of what is allowed below', () => {
    fc.assert(
      fc.property(docs, fc.nat(3100), fc.nat(3100), (allowed, one, other) => {
        const [start, end] = [Math.min(one, other), Math.max(one, other) + 1];
        const first = allowed.find((doc) => doc >= start);
        fc.pre(first !== undefined && first < end);
        const last = allowed.findLast((doc) => doc < end)!;
        for (const set of formsOf(allowed)) {
          const cursor = new FilterCursor(set);
          cursor.next(start);
          const found = cursor.endBelow(end);
          expect(found).toBeGreaterThan(last);
          expect(found).toBeLessThanOrEqual(end);
          if (set.kind !== 'bitset') expect(found).toBe(last + 1);
        }
      }),
    );
  });

  it('estimates how many are allowed: exactly for lists and few ranges', () => {
    fc.assert(
      fc.property(docs, fc.nat(3000), fc.nat(3000), (allowed, one, other) => {
        const [first, last] = [Math.min(one, other), Math.max(one, other)];
        const count = allowed.filter((doc) => doc >= first && doc <= last).length;
        const pieces = allowed.filter(
          (doc) => doc >= first && doc <= last && (doc === first || !allowed.includes(doc - 1)),
        ).length;
        const [sorted, ranges, bitset] = formsOf(allowed).map((set) => new FilterCursor(set).estimate(first, last));
        expect(sorted).toEqual({ documents: count, pieces: count });
        expect(ranges).toEqual({ documents: count, pieces });
        expect(bitset!.documents).toBeGreaterThanOrEqual(0);
      }),
    );
    const many = Array.from({ length: 1000 }, (_, at) => at * 10);
    const [, ranges, bitset] = formsOf(many).map((set) => new FilterCursor(set).estimate(0, 9990));
    for (const { documents, pieces } of [ranges!, bitset!])
      expect([documents, pieces].every((estimate) => estimate > 900 && estimate < 1100)).toBe(true);
  });

  it('reaches the last number there is', () => {
    for (const set of formsOf([7]).slice(0, 2)) expect(new FilterCursor(set).next(8)).toBe(NO_MORE);
    const sorted = new FilterCursor({ kind: 'sorted', ids: Uint32Array.of(4_294_967_295), size: 1 });
    expect(sorted.next(4_294_967_295)).toBe(4_294_967_295);
    expect(sorted.has(4_294_967_295)).toBe(true);
    const ranges = new FilterCursor({
      kind: 'ranges',
      ranges: Uint32Array.of(4_294_967_000, 4_294_967_295),
      size: 295,
    });
    expect(ranges.next(0)).toBe(4_294_967_000);
    expect(ranges.next(4_294_967_295)).toBe(NO_MORE);
  });
});
