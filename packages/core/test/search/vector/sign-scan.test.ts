import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type CodeBlocks, CodeLayout } from '../../../src/search/vector/code-blocks.ts';
import { makeCodeBlocks } from '../../../src/search/vector/make-code-blocks.ts';
import { PlainCodeBlocks } from '../../../src/search/vector/plain-code-blocks.ts';
import { QueryTable } from '../../../src/search/vector/query-table.ts';
import { SignRotation } from '../../../src/search/vector/sign-rotation.ts';
import { WasmCodeBlocks } from '../../../src/search/vector/wasm-code-blocks.ts';

const bits = (floats: Float32Array, length: number) =>
  Array.from(new Uint32Array(floats.slice(0, length).buffer), (word) => word);

function scanned(blocks: CodeBlocks, ...args: Parameters<CodeBlocks['scan']>) {
  const { length, rows, bounds, looked, left } = blocks.scan(...args);
  return { rows: [...rows.subarray(0, length)], bounds: bits(bounds, length), looked, left };
}

describe('the scan in WebAssembly', () => {
  it('is used on this machine', () => {
    expect(makeCodeBlocks(new CodeLayout(64, 64))).toBeInstanceOf(WasmCodeBlocks);
  });

  it.each([3, 100, 384, 5000])('returns exactly the rows and bits of the plain one (%i dimensions)', (dimensions) => {
    const rotation = new SignRotation(dimensions);
    const layout = new CodeLayout(rotation.halfBits / 16, (rotation.bits - rotation.halfBits) / 8);
    const wasm = makeCodeBlocks(layout);
    const plain = new PlainCodeBlocks(layout);
    const seeded = fc.integer({ min: 1, max: 2 ** 31 - 1 });
    fc.assert(
      fc.property(
        seeded,
        fc.integer({ min: 1, max: 40 }),
        fc.constantFrom(0, 500, 512, 1020),
        fc.double({ min: -1.5, max: 1.5, noNaN: true }),
        fc.boolean(),
        fc.boolean(),
        (seed, count, firstBlock, at, masked, looks) => {
          let state = seed;
          const next = () => {
            state = Math.imul(state ^ (state >>> 15), 0x2c1b_3c6d) + 0x9e37_79b9;
            return (state >>> 0) / 2 ** 32;
          };
          const vector = () => Float64Array.from({ length: dimensions }, () => next() * 2 - 1);
          const [query, centre] = [vector(), vector()];
          const length = Math.hypot(...query);
          for (let each = 0; each < dimensions; each++) query[each] /= length;
          const table = new QueryTable(query, centre, rotation);
          const blocks = Math.min(count, 512 - (firstBlock % 512));
          for (const each of [wasm, plain]) each.reserve(firstBlock + blocks);
          const code = new Uint8Array(rotation.bits / 8);
          for (let row = firstBlock * 16; row < (firstBlock + blocks) * 16; row++) {
            for (let byte = 0; byte < code.length; byte++) code[byte] = next() * 256;
            const factor = next() * 0.05;
            const offset = next() - 0.5;
            for (const each of [wasm, plain]) each.write(row, code, factor, offset);
          }
          const mask = masked
            ? Uint16Array.from({ length: firstBlock + blocks }, () => (next() < 0.3 ? 0 : next() * 65_536))
            : undefined;
          const piece = { firstBlock, blocks, mask, looks };
          for (const threshold of [at, -Infinity, 0]) {
            const expected = scanned(plain, piece, table, threshold);
            expect(scanned(wasm, piece, table, threshold)).toEqual(expected);
            if (threshold === -Infinity && !mask) expect(expected.rows.length).toBe(blocks * 16);
          }
        },
      ),
      { numRuns: dimensions === 5000 ? 5 : 15 },
    );
  });
});
