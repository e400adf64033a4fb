import { SeededRandom } from '@rdf-worlds/testkit';
import { expect, it } from 'vitest';
import { runAtOnce } from '../../src/contracts/slicer.ts';
import { viewOf } from '../../src/quads/byte-arena.ts';
import { IRI_META } from '../../src/quads/term-meta.ts';
import { TermTable } from '../../src/quads/term-table.ts';

const bytesOf = (text: string) => viewOf(Buffer.from(text));

function find(table: TermTable, text: string): number {
  const bytes = bytesOf(text);
  return table.find(IRI_META, bytes, 0, bytes.byteLength, table.hash(bytes, 0, bytes.byteLength));
}

function add(table: TermTable, text: string): number {
  const bytes = bytesOf(text);
  return table.add(IRI_META, bytes, 0, bytes.byteLength, table.hash(bytes, 0, bytes.byteLength));
}

function textOf(table: TermTable, number: number): string {
  const start = table.startOf(number);
  return table.bufferOf(number).toString('utf8', start, start + table.lengthOf(number));
}

// LONG_TESTS=1 runs six random tables.
const SEEDS = process.env['LONG_TESTS'] ? [1, 2, 3, 4, 5, 6] : [1];

// Sizes around those at which chunks of the arena, columns and shards of the hash begin.
it.each(SEEDS)('a table up to a number has its terms, and continues as if there never were others (%i)', (seed) => {
  const random = new SeededRandom(seed);
  let table = new TermTable({ low: seed, high: 7 });
  let texts: string[] = [];
  let made = 0;
  for (let round = 0; round < 8; round++) {
    const count = random.pick([3, 60, 900, 20_000, 70_000]);
    let misplaced = 0;
    for (let n = 0; n < count; n++) {
      const long = random.below(2000) === 0 ? 'x'.repeat(random.pick([300, 40_000, 1_200_000])) : '';
      const text = `urn:${++made}:${long}`;
      texts.push(text);
      if (add(table, text) !== texts.length) misplaced++;
    }
    expect(misplaced).toBe(0);
    const size = Math.max(1, texts.length - random.pick([1, 7, 2000, 30_000]));
    const old = table;
    const gone = texts.slice(size);
    table = runAtOnce(old.upTo(size));
    expect([table.size, table.living, table.isGapless]).toEqual([size, size, true]);
    texts = texts.slice(0, size);
    for (const text of gone.slice(0, 200)) expect(find(table, text)).toBe(0);
    const next = `urn:${++made}`;
    texts.push(next);
    add(table, next);
    for (let n = 0; n < 200; n++) {
      const number = 1 + random.below(texts.length);
      expect(find(table, texts[number - 1])).toBe(number);
      expect(textOf(table, number)).toBe(texts[number - 1]);
    }
    // Readers of the old table still have what was withdrawn.
    expect(textOf(old, size + 1)).toBe(gone[0]);
    expect(find(old, gone[0])).toBe(size + 1);
    // What is logged of the new terms is theirs alone.
    const pieces = Buffer.concat([...table.pieces(texts.length, texts.length)]);
    expect(pieces.toString('utf8', 1, 1 + next.length)).toBe(next);
  }
});
