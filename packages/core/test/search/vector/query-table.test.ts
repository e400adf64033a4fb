import { SeededRandom } from '@rdf-worlds/testkit';
import { describe, expect, it } from 'vitest';
import type { CodeLayout } from '../../../src/search/vector/code-blocks.ts';
import { PlainCodeBlocks } from '../../../src/search/vector/plain-code-blocks.ts';
import { QueryTable } from '../../../src/search/vector/query-table.ts';
import { SignCodes } from '../../../src/search/vector/sign-codes.ts';
import { VectorRows } from '../../../src/search/vector/vector-rows.ts';
import { gaussianVectors } from './gaussian-vectors.ts';

describe('QueryTable', () => {
  it.each([
    ['spread out', 0],
    ['around a direction', 2],
    ['close together', 20],
  ])('bounds the similarity of nearly every row, and not by much (vectors %s)', (_, common) => {
    const dimensions = 200;
    const rows = new VectorRows(dimensions);
    const random = new SeededRandom(5);
    for (const [key, vector] of gaussianVectors(random, 4000, dimensions, common).entries()) rows.set(key, vector);
    const codes = new SignCodes(rows, (layout: CodeLayout) => new PlainCodeBlocks(layout));
    for (let row = 0; row < rows.size; row++) codes.set(row);
    expect(codes.complete).toBe(true);
    let above = 0;
    let excess = 0;
    let spread = 0;
    let count = 0;
    let nearestOfBlocks = 0;
    let lost = 0;
    for (const query of gaussianVectors(random, 10, dimensions, common)) {
      const unit = Float64Array.from(query);
      const length = Math.hypot(...unit);
      for (let at = 0; at < dimensions; at++) unit[at] /= length;
      const similarities = Float64Array.from({ length: rows.size }, (_, row) => rows.similarity(unit, row));
      const mean = similarities.reduce((sum, each) => sum + each, 0) / rows.size;
      for (const { firstBlock, endBlock, centre } of codes.runs()) {
        const table = new QueryTable(unit, centre, codes.rotation);
        const found = codes.scan(
          { firstBlock, blocks: endBlock - firstBlock, mask: undefined, looks: false },
          table,
          -Infinity,
        );
        for (let at = 0; at < found.length; at++) {
          const similarity = similarities[found.rows[at]];
          if (found.bounds[at] >= similarity) above++;
          excess += found.bounds[at] - similarity;
          spread += (similarity - mean) ** 2;
          count++;
        }
        for (let block = firstBlock; block < endBlock; block++) {
          // The nearest of a block, as if it stood at the edge of the answer.
          const best = Math.max(...similarities.subarray(block * 16, block * 16 + 16));
          const piece = { firstBlock: block, blocks: 1, mask: undefined };
          const [all, looked] = [false, true].map((looks) => codes.scan({ ...piece, looks }, table, best).length);
          nearestOfBlocks++;
          if (looked! < all!) lost++;
        }
      }
    }
    expect(count).toBe(40_000);
    // 2.5 standard deviations: 6 of 1,000 escape.
    expect(above / count).toBeGreaterThan(0.991);
    expect(above / count).toBeLessThan(0.999);
    // Looking at heads first leaves out next to none.
    expect(nearestOfBlocks).toBe(2500);
    expect(lost / nearestOfBlocks).toBeLessThan(0.002);
    // The bound tells rows apart: it lies above by less than two of the similarities' own standard
    // deviations.
    expect(excess / count / Math.sqrt(spread / count)).toBeLessThan(1.6);
  });
});
