import { SeededRandom } from '@rdf-worlds/testkit';
import { describe, expect, it } from 'vitest';
import { Slicer } from '../../../src/contracts/slicer.ts';
import { docSetHas, docSetOf } from '../../../src/search/doc-set.ts';
import { selectRows } from '../../../src/search/vector/row-selection.ts';
import { VectorRows } from '../../../src/search/vector/vector-rows.ts';

const ROWS = 5000;

function rowsWith(keyOf: (row: number) => number): VectorRows {
  const rows = new VectorRows(1);
  for (let row = 0; row < ROWS; row++) rows.set(keyOf(row), Float32Array.of(1));
  return rows;
}

describe('the rows of a filter', () => {
  it.each<[string, (row: number) => number, isWide: boolean]>([
    ['one after the other', (row) => row + 3, true],
    ['backwards, with gaps', (row) => (ROWS - row) * 7, true],
    ['far apart', (row) => row * 700_001, false],
  ])('are those with its keys: keys %s', async (_, keyOf, isDense) => {
    const random = new SeededRandom(3);
    const rows = rowsWith(keyOf);
    for (const share of [0, 0.0005, 0.01, 0.05, 0.1, 0.3, 0.8, 1]) {
      const keys = Uint32Array.from({ length: ROWS }, (_, row) => keyOf(row)).filter(() => random.chance(share));
      // And some that no row has.
      const filter = docSetOf(
        Uint32Array.of(...keys, ...Array.from({ length: 9 }, () => 4_294_000_000 + random.below(900))),
      );
      const dense = docSetOf(keys);
      for (const set of isDense ? [filter, dense] : [filter]) {
        const selected = await selectRows(rows, set, new Slicer());
        if (!selected) {
          expect(set.size).toBeGreaterThan(ROWS / 8);
          continue;
        }
        const expected = Array.from({ length: ROWS }, (_, row) => row).filter((row) => docSetHas(set, rows.keyOf(row)));
        expect(selected.count).toBe(expected.length);
        expect([...selected.list()].sort((a, b) => a - b)).toEqual(expected);
        const mask = selected.mask(Math.ceil(ROWS / 16));
        expect([...mask.keys()].flatMap((block) => bitsOf(mask[block]!).map((bit) => block * 16 + bit))).toEqual(
          expected,
        );
        expect(selected.mask(2)).toEqual(mask.slice(0, 2));
      }
    }
  });

  it('omit rows removed during the search', async () => {
    const rows = rowsWith((row) => row);
    const words = new Uint32Array(ROWS / 32 + 1).fill(0xffff_ffff);
    const mask = new Uint16Array(Math.ceil(ROWS / 16));
    for (let key = ROWS - 1; key >= 100; key--) rows.delete(key);
    expect(rows.markKeys(0, ROWS, words, mask)).toBe(100);
    expect(mask.findLastIndex((bits) => bits !== 0)).toBe(6);
  });
});

const bitsOf = (bits: number) => Array.from({ length: 16 }, (_, bit) => bit).filter((bit) => (bits >>> bit) & 1);
