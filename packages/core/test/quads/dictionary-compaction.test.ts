import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runAtOnce } from '../../src/contracts/slicer.ts';
import { TERM_KIND } from '../../src/contracts/term-bytes.ts';
import { seal } from '../../src/engine/durable/sealed-bytes.ts';
import { decodeTerms, encodeTerms } from '../../src/engine/durable/segments.ts';
import { viewOf } from '../../src/quads/byte-arena.ts';
import { Dictionary, FIXED_TERMS } from '../../src/quads/dictionary.ts';
import { DictionaryCompaction } from '../../src/quads/dictionary-compaction.ts';
import { packLiving, packTerms } from '../../src/quads/packed-terms.ts';
import { IRI_META, metaWith, TRIPLE_META } from '../../src/quads/term-meta.ts';
import type { TermTable } from '../../src/quads/term-table.ts';
import { Uint32Column } from '../../src/quads/uint32-column.ts';

const KEY = { low: 0x12345678, high: -0x7654321 };

function add(table: TermTable, bytes: Uint8Array, meta = IRI_META): number {
  const view = viewOf(bytes);
  return table.add(meta, view, 0, bytes.length, table.hash(view, 0, bytes.length));
}

function find(table: TermTable, bytes: Uint8Array, meta: number): number {
  const view = viewOf(bytes);
  return table.find(meta, view, 0, bytes.length, table.hash(view, 0, bytes.length));
}

function bytesOf(table: TermTable, number: number): Buffer {
  const start = table.startOf(number);
  return Buffer.from(table.bufferOf(number).subarray(start, start + table.lengthOf(number)));
}

/** What a table holds, by number. */
function contentOf(table: TermTable): Map<number, string> {
  const content = new Map<number, string>();
  for (let number = 1; number <= table.size; number++) {
    if (table.isFree(number)) continue;
    content.set(number, `${table.metaOf(number)} ${bytesOf(table, number).toString('hex')}`);
    expect(find(table, bytesOf(table, number), table.metaOf(number))).toBe(number);
  }
  expect(content.size).toBe(table.living);
  return content;
}

/** Returns the table as read from segments that end at the given term numbers. */
function reread(table: TermTable, lasts: readonly number[]): TermTable {
  const copy = new Dictionary(KEY).table;
  let first = FIXED_TERMS + 1;
  const parts = [...lasts, table.size].map((last) => {
    const bytes = Buffer.concat(runAtOnce(encodeTerms(runAtOnce(packLiving(table, first, last)), table.key)));
    const part = runAtOnce(decodeTerms(new Uint8Array(bytes), first, 'a test'));
    first = last + 1;
    return part;
  });
  runAtOnce(copy.adopt(parts));
  copy.skipTo(table.size);
  return copy;
}

const term = fc.record({
  text: fc.string({ maxLength: 12 }),
  /** An earlier term, counted from the end, that it refers to; as a triple term three. */
  refers: fc.option(fc.tuple(fc.nat(30), fc.nat(30), fc.nat(30), fc.boolean())),
});

describe('a compaction of a dictionary', () => {
  it('keeps used terms and those they refer to, under the same numbers, while terms are added', () => {
    fc.assert(
      fc.property(
        fc.array(term, { maxLength: 80 }),
        fc.array(fc.nat(80), { maxLength: 12 }),
        fc.array(fc.nat(100), { maxLength: 6 }),
        fc.array(term, { maxLength: 20 }),
        fc.nat(10),
        fc.array(fc.nat(100), { maxLength: 3 }),
        (terms, mentioned, late, more, kept, lasts) => {
          let dictionary = new Dictionary(KEY);
          const parts = new Map<number, number[]>();
          const addAll = (list: typeof terms) => {
            for (const [i, { text, refers }] of list.entries()) {
              const { table } = dictionary;
              const earlier = (back: number) => {
                const living = [...Array(table.size).keys()].map((n) => n + 1).filter((n) => !table.isFree(n));
                return living[Math.max(0, living.length - 1 - back)];
              };
              // Every text but the last few is another one, so that nothing is there twice.
              const bytes = Buffer.from(`${table.size} ${i} ${text}`);
              if (!refers) {
                add(table, bytes);
              } else if (refers[3]) {
                const ids = Uint32Array.from([0, 1, 2], (at) => earlier(refers[at] as number));
                const triple = Buffer.from(ids.buffer);
                if (find(table, triple, TRIPLE_META)) continue;
                parts.set(add(table, triple, TRIPLE_META), [...ids]);
              } else {
                const datatype = earlier(refers[0]);
                parts.set(add(table, bytes, metaWith(TERM_KIND.literal, datatype)), [datatype]);
              }
            }
          };
          addAll(terms);
          // Twice, so that the second one begins with a table that has holes and is not in order.
          for (let round = 0; round < 2; round++) {
            const { table } = dictionary;
            const upTo = Math.max(FIXED_TERMS, table.size - kept);
            const living = (n: number) => n >= 1 && n <= table.size && !table.isFree(n);
            const wanted = new Set<number>([1, 2]);
            const want = (n: number) => {
              if (!living(n) || wanted.has(n)) return;
              wanted.add(n);
              for (const part of parts.get(n) ?? []) want(part);
            };
            const work = new DictionaryCompaction(dictionary, upTo);
            const mention = (numbers: readonly number[]) => {
              for (const n of numbers) {
                if (!living(n)) continue;
                want(n);
                work.mention(n);
              }
            };
            mention(mentioned);
            runAtOnce(work.close());
            const { all, dead } = runAtOnce(work.measure());
            expect(all.terms).toBe(table.living);
            runAtOnce(work.copyKept());
            expect(work.freed).toEqual(dead);
            addAll(more);
            mention(late);
            runAtOnce(work.copyKept());
            for (let n = upTo + 1; n <= table.size; n++) want(n);
            const expected = new Map([...contentOf(table)].filter(([n]) => wanted.has(n)));
            const { next } = work;
            expect(contentOf(next.table)).toEqual(expected);
            expect(next.table.size).toBe(table.size);
            expect(next.table.living).toBe(table.living - work.freed.terms);
            const ends = lasts.filter((n) => n > FIXED_TERMS && n < table.size).sort((a, b) => a - b);
            expect(contentOf(reread(next.table, [...new Set(ends)]))).toEqual(expected);
            dictionary = next;
          }
        },
      ),
      { numRuns: 300, seed: 7 },
    );
  });

  it('releases memory: chunks with only free numbers take none', () => {
    const dictionary = new Dictionary(KEY);
    for (let n = 0; n < 400_000; n++) add(dictionary.table, Buffer.from(`http://example.org/${n}`));
    const before = dictionary.table.byteLength;
    const work = new DictionaryCompaction(dictionary, dictionary.table.size);
    for (const n of [3, 200_000, 400_000]) work.mention(n);
    runAtOnce(work.close());
    runAtOnce(work.copyKept());
    const { table } = work.next;
    expect([table.size, table.living]).toEqual([400_002, 5]);
    expect(table.byteLength).toBeLessThan(before / 10);
    expect(bytesOf(table, 200_000).toString()).toBe('http://example.org/199997');
    expect(add(table, Buffer.from('new'))).toBe(400_003);
    const packed = runAtOnce(packLiving(table, 3, table.size));
    expect([...packed.ranges]).toEqual([3, 1, 200_000, 1, 400_000, 1, 400_003, 1]);
    expect(() => packTerms(table, 3, 5)).toThrow('no longer exists');
  });
});

describe('a term segment', () => {
  const TERMS = { name: 'term segment', magic: 0x54575752 };
  const table = new Dictionary(KEY).table;
  for (const text of ['one', 'two', 'three']) add(table, Buffer.from(text));
  const { metas, texts } = packTerms(table, 3, 5);

  const sealed = (version: number) => {
    const fixed = new DataView(new ArrayBuffer(16));
    fixed.setFloat64(
      0,
      texts.reduce((sum, { length }) => sum + length, 0),
      true,
    );
    fixed.setUint32(8, metas.length, true);
    const chunks = seal({ ...TERMS, version }, [new Uint8Array(fixed.buffer), new Uint8Array(metas.buffer), ...texts]);
    return new Uint8Array(Buffer.concat(runAtOnce(chunks)));
  };

  it('of version 1, which had no free numbers, is read', () => {
    const copy = new Dictionary(KEY).table;
    runAtOnce(copy.adopt([runAtOnce(decodeTerms(sealed(1), 3, 'a test'))]));
    expect(contentOf(copy)).toEqual(contentOf(table));
  });

  it('of a newer version is refused', () => {
    expect(() => runAtOnce(decodeTerms(sealed(4), 3, 'a test'))).toThrow(
      /format version 4; this library reads up to 3/,
    );
  });
});

describe('a column with free places', () => {
  it('reads as zero there, and keeps values set elsewhere', () => {
    const lengths = [0, 1, 15, 16, 17, 1000, 65_535, 65_536, 65_537, 131_072, 300_000];
    for (const before of lengths) {
      for (const hole of lengths) {
        const column = new Uint32Column();
        for (let i = 0; i < Math.min(before, 70_000); i++) column.push(i + 1);
        const start = column.length;
        column.extendTo(start + hole);
        expect(column.length).toBe(start + hole);
        column.push(7);
        expect(column.get(start + hole)).toBe(7);
        expect(column.nextNonZero(start, column.length)).toBe(start + hole);
        if (start > 0) expect(column.get(start - 1)).toBe(start);
        if (hole < 2) continue;
        const middle = start + (hole >>> 1);
        expect(column.get(middle)).toBe(0);
        column.set(middle, 9);
        expect(column.nextNonZero(start, column.length)).toBe(middle);
        const other = new Uint32Column();
        other.extendTo(200_000);
        expect(other.nextNonZero(0, 200_000)).toBe(200_000);
      }
    }
  });
});
