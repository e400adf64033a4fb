import { describe, expect, it } from 'vitest';
import { Slicer } from '../../../src/contracts/slicer.ts';
import type { BindingsBatch } from '../../../src/contracts/sparql-engine.ts';
import { dataFactory } from '../../../src/model/term.ts';
import { RESULT_FORMATS } from '../../../src/sparql/results/result-formats.ts';
import { SolutionTable } from './solution-table.ts';

const ROWS = 500;
const row = [dataFactory.namedNode(`http://ex/${'a'.repeat(50)}`), dataFactory.literal('b'.repeat(50))];
const table = new SolutionTable(
  ['x', 'y'],
  Array.from({ length: ROWS }, () => row),
);

/** The same batch without end; tells how often it was asked, and that it was given up. */
class EndlessBatches implements AsyncIterable<BindingsBatch> {
  pulled = 0;
  closed = false;
  async *[Symbol.asyncIterator](): AsyncGenerator<BindingsBatch> {
    try {
      for (;;) {
        this.pulled++;
        yield table.batch(table.rows);
      }
    } finally {
      this.closed = true;
    }
  }
}

describe.each(RESULT_FORMATS)('$name', ({ writeBindings }) => {
  it('comes in chunks of about 64 KiB as the batches come, and releases them', async () => {
    const batches = new EndlessBatches();
    let chunks = 0;
    let bytes = 0;
    for await (const chunk of writeBindings(table.variables, batches, { slicer: new Slicer() })) {
      expect(chunk.length).toBeGreaterThanOrEqual(1 << 16);
      expect(chunk.length).toBeLessThan((1 << 16) + 1000);
      bytes += chunk.length;
      // Nothing is read ahead: a row is at least 100 bytes long.
      expect(batches.pulled).toBeLessThanOrEqual(Math.ceil(bytes / (100 * ROWS)) + 1);
      if (++chunks === 5) break;
    }
    expect(batches.closed).toBe(true);
  });

  it('hands on what goes wrong in the query', async () => {
    const failing = async function* (): AsyncGenerator<BindingsBatch> {
      yield table.batch(table.rows.slice(0, 1));
      throw new RangeError('in the query');
    };
    const read = async () => {
      for await (const chunk of writeBindings(table.variables, failing(), { slicer: new Slicer() })) void chunk;
    };
    await expect(read()).rejects.toThrow('in the query');
  });

  it('stops within a batch when the signal fires', async () => {
    const controller = new AbortController();
    const long = new SolutionTable(
      ['x'],
      Array.from({ length: 200 }, () => [dataFactory.literal('c'.repeat(1 << 16))]),
    );
    let chunks = 0;
    const read = async () => {
      for await (const chunk of writeBindings(long.variables, long.batches(), {
        slicer: new Slicer(controller.signal),
      })) {
        if (++chunks === 1) controller.abort();
        expect(chunk.length).toBeGreaterThan(0);
        const due = performance.now() + 10;
        while (performance.now() < due);
      }
    };
    await expect(read()).rejects.toMatchObject({ code: 'ABORTED' });
    expect(chunks).toBeLessThan(3);
  });
});
