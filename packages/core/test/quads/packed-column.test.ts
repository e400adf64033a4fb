import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runAtOnce } from '../../src/contracts/slicer.ts';
import { lowerBound } from '../../src/quads/bounds.ts';
import { PackedColumn, packColumn } from '../../src/quads/packed-column.ts';

const MAX = 0xffff_ffff;

function expectRoundTrip(column: Uint32Array): Int32Array {
  const words = runAtOnce(packColumn(column));
  const packed = new PackedColumn(words, 0, column.length);
  expect(packed.end).toBe(words.length);
  expect(isSame(runAtOnce(packed.values()), column)).toBe(true);
  return words;
}

function isSame(a: Uint32Array, b: Uint32Array): boolean {
  return a.length === b.length && a.every((value, i) => value === b[i]);
}

/** Numbers of all magnitudes. */
const number = fc.oneof(fc.nat(3), fc.nat(300), fc.nat(70_000), fc.nat(MAX), fc.constantFrom(0, MAX, 2 ** 31));
const lengths = fc.constantFrom(0, 1, 2, 31, 32, 33, 1023, 1024, 1025, 2048, 3000);

/** Columns that differ in their order, their distinct values and the distances between these. */
const columns = fc
  .record({
    length: lengths,
    pool: fc.array(number, { minLength: 1, maxLength: 400 }),
    isSorted: fc.boolean(),
    seed: fc.nat(),
  })
  .map(({ length, pool, isSorted, seed }) => {
    let state = seed;
    const column = Uint32Array.from({ length }, () => {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
      return pool[(state >>> 8) % pool.length];
    });
    return isSorted ? column.sort() : column;
  });

describe('a packed column', () => {
  it('has the values of the column, for all magnitudes, orders and lengths', () => {
    fc.assert(
      fc.property(columns, (column) => {
        expectRoundTrip(column);
      }),
    );
  });

  it.each([0, 1, 2, 5, 8, 15, 16, 17, 19, 24, 31, 32])('has numbers of %i bits', (bits) => {
    const range = 2 ** bits;
    for (const length of [1000, 1024, 1500]) {
      expectRoundTrip(Uint32Array.from({ length }, (_, i) => Math.floor((i * 0.6180339887 * range) % range)));
    }
  });

  it('is small where it ascends, repeats or has few values', () => {
    const length = 20_480;
    const bitsPerValue = (of: (i: number) => number) =>
      (expectRoundTrip(Uint32Array.from({ length }, (_, i) => of(i))).length * 32) / length;
    // Two words of header for 1,024 values are 0.0625 bits per value.
    expect(bitsPerValue(() => MAX)).toBeLessThan(0.07);
    expect(bitsPerValue((i) => 1_000_000 + i)).toBeLessThan(1.1);
    expect(bitsPerValue((i) => 40 * Math.floor(i / 8))).toBeLessThan(2);
    expect(bitsPerValue((i) => i % 2 ** 10)).toBeLessThan(1.1);
    expect(bitsPerValue((i) => Math.imul(i % 16, 0x0765_4321) >>> 0)).toBeLessThan(4.6);
    expect(bitsPerValue((i) => Math.imul(i, 0x9e3779b1) >>> 0)).toBeLessThan(32.1);
  });

  it('is read in part, and searched', () => {
    fc.assert(
      fc.property(columns, fc.nat(), fc.nat(), number, (column, from, to, key) => {
        if (column.length === 0) return;
        const packed = new PackedColumn(runAtOnce(packColumn(column)), 0, column.length);
        const start = from % column.length;
        const end = start + (to % (column.length - start)) + 1;
        const part = packed.valuesWithin(start, end);
        expect(isSame(part, column.subarray(start, end))).toBe(true);
        const sorted = column.slice().sort();
        const again = new PackedColumn(runAtOnce(packColumn(sorted)), 0, column.length);
        expect(again.lowerBound(start, end, key)).toBe(lowerBound(sorted, start, end, key));
      }),
    );
  });

  it('is refused when it ends too early', () => {
    const column = Uint32Array.from({ length: 3000 }, (_, i) => (i * i) % 1013);
    const words = runAtOnce(packColumn(column));
    for (let length = 0; length < words.length; length++) {
      expect(() => new PackedColumn(words.subarray(0, length), 0, column.length)).toThrow(RangeError);
    }
  });

  it('is read within its bounds whatever its words are', () => {
    fc.assert(
      fc.property(columns, fc.nat(), fc.integer(), (column, place, word) => {
        const words = runAtOnce(packColumn(column));
        if (words.length > 0) words[place % words.length] = word;
        let packed: PackedColumn;
        try {
          packed = new PackedColumn(words, 0, column.length);
        } catch (cause) {
          expect(cause).toBeInstanceOf(RangeError);
          return;
        }
        expect(packed.end).toBeLessThanOrEqual(words.length);
        expect(runAtOnce(packed.values())).toHaveLength(column.length);
      }),
    );
  });
});
