import assert from 'node:assert/strict';
import { SeededRandom } from '@rdf-worlds/testkit';
import { describe, expect, it } from 'vitest';
import { runAtOnce } from '../../src/contracts/slicer.ts';
import { decodeRun, encodeRun } from '../../src/engine/durable/segments.ts';
import { LATE_UNPACKING } from '../../src/quads/packed-orders.ts';
import { PERMUTATIONS } from '../../src/quads/permutation.ts';
import { buildRun, type Run } from '../../src/quads/run.ts';

/** A run of about `rows` quads in some contexts, with few predicates and uneven objects. */
function randomRun(seed: number, rows: number, contexts: number): Run {
  const random = new SeededRandom(seed);
  const column = (of: () => number) => Uint32Array.from({ length: rows }, of);
  return runAtOnce(
    buildRun({
      length: rows,
      context: column(() => 3 + 2 * random.below(contexts)),
      subject: column(() => 1 + random.below(rows)),
      predicate: column(() => 1 + 7 * random.below(random.pick([1, 9]))),
      object: column(() => 1 + random.below(random.pick([3, rows, 2 ** 30]))),
    }),
  );
}

function storedBytes(run: Run): Uint8Array {
  return new Uint8Array(Buffer.concat(runAtOnce(encodeRun(run))));
}

function reread(run: Run): Run {
  return runAtOnce(decodeRun(storedBytes(run), 'a test'));
}

describe.each([
  [1, 1],
  [15, 3],
  [16, 1],
  [1024, 1],
  [5000, 1],
  [9000, 4],
  [3000, 900],
])('a run of %i rows in %i contexts', (rows, contexts) => {
  const run = randomRun(rows, rows, contexts);

  it('is the same when it was read again', () => {
    const again = reread(run);
    expect([again.length, again.contexts, again.starts]).toEqual([run.length, run.contexts, run.starts]);
    assert.deepEqual(again.columns, run.columns);
  });

  it('has the same rows in its slices, and under other contexts', () => {
    const again = reread(run);
    for (const context of run.contexts.filter((_, i) => i % 50 === 0)) {
      assert.deepEqual(again.sliceOf(context).columns, run.sliceOf(context).columns);
    }
    const moved = reread(run).withContexts(run.contexts.map((context) => context + 1));
    assert.deepEqual(moved.columns, run.columns);
    expect(moved.contexts).not.toEqual(run.contexts);
  });

  it('is searched in compressed form as in columns, until it was searched often', () => {
    const random = new SeededRandom(7);
    for (let permutation = 0; permutation < PERMUTATIONS.length; permutation++) {
      const again = reread(run);
      const columns = run.columnsOf(permutation);
      let searches = 0;
      for (let i = 0; i < 100; i++) {
        const entry = random.below(run.contexts.length);
        const row = run.starts[entry] + random.below(run.starts[entry + 1] - run.starts[entry]);
        const keys = columns.map((column) => column[row] + (random.chance(0.2) ? 1 : 0));
        const prefix = 1 + random.below(3);
        const found = again.search(permutation, entry, keys, prefix);
        if (!found) continue;
        searches++;
        const expected: number[] = [];
        for (let at = run.starts[entry]; at < run.starts[entry + 1]; at++) {
          if (keys.slice(0, prefix).every((key, k) => columns[k][at] === key)) expected.push(at);
        }
        expect(found.end - found.start).toBe(expected.length);
        if (expected.length > 0) expect(found.start).toBe(expected[0]);
        const part = again.rowsOf(permutation, found);
        if (part)
          assert.deepEqual(
            part,
            columns.map((column) => column.slice(found.start, found.end)),
          );
        else expect(expected.length * 8).toBeGreaterThan(run.length);
      }
      // Tiny runs are not compressed.
      expect(searches).toBe(rows < 16 ? 0 : 64);
      assert.deepEqual(again.columnsOf(permutation), columns);
      expect(again.search(permutation, 0, [1, 1, 1], 1)).toBeUndefined();
    }
  });
});

it('a run takes the memory of its columns and, until all are decompressed, of the compressed form', () => {
  const run = randomRun(1, 20_000, 1);
  const again = reread(run);
  const packed = again.byteLength - run.byteLength;
  expect(packed).toBeGreaterThan(0);
  expect(packed).toBeLessThan(run.byteLength / 2);
  again.columnsOf(0);
  again.columnsOf(1);
  expect(again.byteLength).toBe(run.byteLength + packed);
  again.columnsOf(2);
  expect(again.byteLength).toBe(run.byteLength);
});

it('a large run is decompressed while it is loaded, in steps', () => {
  const run = randomRun(2, 200_000, 2);
  const { mostRows } = LATE_UNPACKING;
  LATE_UNPACKING.mostRows = 1000;
  try {
    const loading = decodeRun(storedBytes(run), 'a test');
    let steps = 0;
    let step = loading.next();
    for (; !step.done; step = loading.next()) steps++;
    expect(steps).toBeGreaterThan(9);
    expect(step.value.byteLength).toBe(run.byteLength);
    // Vitest would compare the numbers one by one, which takes far longer than the decompression.
    assert.deepEqual(step.value.columns, run.columns);
  } finally {
    LATE_UNPACKING.mostRows = mostRows;
  }
});

it('every changed byte and every cut of a run segment is noticed', () => {
  const bytes = storedBytes(randomRun(3, 40, 3));
  for (let at = 0; at < bytes.length; at++) {
    const damaged = bytes.slice();
    damaged[at] ^= 0x41;
    expect(() => runAtOnce(decodeRun(damaged, 'a test'))).toThrow(expect.objectContaining({ code: 'CORRUPT' }));
    expect(() => runAtOnce(decodeRun(bytes.slice(0, at), 'a test'))).toThrow(
      expect.objectContaining({ code: 'CORRUPT' }),
    );
  }
});
