import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MemoryClaims } from '../../src/sparql/exec/memory-claims.ts';
import { RowNumbers } from '../../src/sparql/exec/row-numbers.ts';

const FREE = { claimMemory: () => undefined };

describe('the numbers of different rows', () => {
  it('come in the order of the rows, one for equal rows', () => {
    const row = fc.tuple(fc.nat(9), fc.nat(5), fc.constantFrom(0, 1, 2 ** 30, 2 ** 31 - 1), fc.nat(2));
    fc.assert(
      fc.property(fc.array(row, { maxLength: 400 }), fc.integer({ min: 0, max: 4 }), fc.nat(50), (rows, width, cut) => {
        const columns = [0, 1, 2, 3].slice(0, width).map((i) => Uint32Array.from(rows, (one) => one[i]));
        const known = new Map<string, number>();
        const expected = rows.map((one) => {
          const key = one.slice(0, width).join(' ');
          if (!known.has(key)) known.set(key, known.size);
          return known.get(key)!;
        });
        const numbers = new RowNumbers(width, FREE);
        const found = new Uint32Array(rows.length);
        const middle = Math.min(cut, rows.length);
        numbers.assign(columns, 0, middle, found);
        numbers.assign(columns, middle, rows.length, found);
        expect([...found]).toEqual(expected);
        expect(numbers.size).toBe(known.size);
        for (let i = 0; i < width; i++) {
          const copied = new Uint32Array(numbers.size);
          numbers.copyColumn(i, 0, numbers.size, copied);
          expect([...copied]).toEqual([...known.keys()].map((key) => Number(key.split(' ')[i])));
        }
      }),
      { numRuns: 300 },
    );
  });

  it('are the same whether ids are close together, far apart, or become so', () => {
    const stretch = fc.record({
      from: fc.constantFrom(0, 1, 5000, 70_000, 2 ** 30, 2 ** 32 - 3000),
      step: fc.constantFrom(1, 3, -2, 997),
      length: fc.integer({ min: 1, max: 2500 }),
      distinct: fc.integer({ min: 1, max: 2500 }),
      isSingle: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(stretch, { minLength: 1, maxLength: 8 }), (stretches) => {
        const numbers = new RowNumbers(1, FREE);
        const known = new Map<number, number>();
        for (const { from, step, length, distinct, isSingle } of stretches) {
          const ids = Uint32Array.from({ length }, (_, i) => from + (i % distinct) * step);
          const found = new Uint32Array(length);
          if (isSingle) for (let row = 0; row < length; row++) found[row] = numbers.number([ids], row);
          else for (let at = 0; at < length; at += 700) numbers.assign([ids], at, Math.min(at + 700, length), found);
          for (let row = 0; row < length; row++) {
            if (!known.has(ids[row])) known.set(ids[row], known.size);
            if (found[row] !== known.get(ids[row])) expect(found[row]).toBe(known.get(ids[row]));
          }
        }
        expect(numbers.size).toBe(known.size);
        const copied = new Uint32Array(numbers.size);
        numbers.copyColumn(0, 0, numbers.size, copied);
        expect([...copied]).toEqual([...known.keys()]);
      }),
      { numRuns: 100 },
    );
  });

  it('are as many as there are rows when there are many', () => {
    const ones = Uint32Array.from({ length: 100_000 }, (_, i) => i % 1000);
    const others = Uint32Array.from({ length: 100_000 }, (_, i) => Math.floor(i / 1000));
    const numbers = new RowNumbers(2, FREE);
    const found = new Uint32Array(100_000);
    numbers.assign([ones, others], 0, 100_000, found);
    expect(found.every((number, row) => number === row)).toBe(true);
  });

  it('claim the memory that they take, and claims are given back as a whole', () => {
    let claimed = 0;
    const budget = {
      claimMemory: (bytes: number) => {
        claimed += bytes;
      },
    };
    const claims = new MemoryClaims(budget);
    const numbers = new RowNumbers(1, claims);
    numbers.assign([Uint32Array.from({ length: 5000 }, (_, i) => i)], 0, 5000, new Uint32Array(5000));
    expect(claimed).toBeGreaterThan(5000 * 12);
    claims.release();
    expect(claimed).toBe(0);
  });
});
