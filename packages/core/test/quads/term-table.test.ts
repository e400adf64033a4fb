import assert from 'node:assert/strict';
import { describe, expect, it } from 'vitest';
import { runAtOnce } from '../../src/contracts/slicer.ts';
import { TERM_KIND } from '../../src/contracts/term-bytes.ts';
import { largeChunk, viewOf } from '../../src/quads/byte-arena.ts';
import { packTerms } from '../../src/quads/packed-terms.ts';
import { strongHash } from '../../src/quads/term-hash.ts';
import { IRI_META, metaWith } from '../../src/quads/term-meta.ts';
import { TermTable } from '../../src/quads/term-table.ts';

// `assert` where it is asked ten thousands of times: `expect` keeps a record of each, which takes
// longer than all that is tested.

const KEY = { low: 0x12345678, high: -0x7654321 };

function intern(table: TermTable, text: string, meta = IRI_META): number {
  const bytes = Buffer.from(text);
  const hash = table.hash(viewOf(bytes), 0, bytes.length);
  return (
    table.find(meta, viewOf(bytes), 0, bytes.length, hash) || table.add(meta, viewOf(bytes), 0, bytes.length, hash)
  );
}

function read(table: TermTable, number: number): string {
  const start = table.startOf(number);
  return table.bufferOf(number).toString('utf8', start, start + table.lengthOf(number));
}

describe('TermTable', () => {
  it('numbers terms in the order of their arrival and finds each again, across growth and the split into shards', () => {
    const table = new TermTable(KEY);
    const terms = Array.from(
      { length: 60_000 },
      (_, i) => `http://example.org/${i % 7 ? 'thing' : 'a much longer name for a thing'}/${i}`,
    );
    terms.forEach((term, i) => {
      assert.equal(intern(table, term), i + 1);
    });
    terms.forEach((term, i) => {
      assert.equal(intern(table, term), i + 1);
    });
    expect(table.size).toBe(60_000);
    for (const i of [0, 1, 16_383, 16_384, 59_999]) expect(read(table, i + 1)).toBe(terms[i]);
  });

  it('distinguishes terms with the same bytes by kind and datatype', () => {
    const table = new TermTable(KEY);
    const ids = [
      IRI_META,
      metaWith(TERM_KIND.literal, 2),
      metaWith(TERM_KIND.literal, 3),
      metaWith(TERM_KIND.languageLiteral, 2),
    ].map((meta) => intern(table, '1', meta));
    expect(new Set(ids).size).toBe(4);
  });

  it('shares the memory of strings longer than a chunk with the table that they come from', () => {
    const [from, to] = [new TermTable(KEY), new TermTable(KEY)];
    const texts = ['short', 'ä'.repeat(200_000), 'between', 'x'.repeat(1_000_000), 'last'];
    for (const [i, text] of texts.entries()) {
      const isLarge = text.length > 1_000;
      const { chunk, start, end } = isLarge
        ? largeChunk(text)
        : { chunk: Buffer.from(text), start: 0, end: text.length };
      for (const table of [from, to]) {
        const source = table === from ? viewOf(chunk) : from.viewOf(i + 1);
        const first = table === from ? start : from.startOf(i + 1);
        const last = first + end - start;
        assert.equal(table.add(IRI_META, source, first, last, table.hash(source, first, last)), i + 1);
        assert.equal(read(table, i + 1), text);
        assert.equal(table.bufferOf(i + 1).buffer === chunk.buffer, isLarge);
      }
    }
    expect(texts.map((text) => intern(to, text))).toEqual([1, 2, 3, 4, 5]);
    expect(to.byteLength).toBe(from.byteLength);
  });

  it('keeps strings of every length, empty and longer than a chunk of the arena too', () => {
    const table = new TermTable(KEY);
    const lengths = [
      0,
      1,
      3,
      4,
      127,
      128,
      129,
      16_383,
      16_384,
      100_000,
      2 ** 20 - 3,
      2 ** 20,
      2 ** 20 + 1,
      3 * 2 ** 20 + 17,
      5,
    ];
    const texts = lengths.map((length, i) => String.fromCharCode(97 + i).repeat(length));
    const ids = texts.map((text) => intern(table, text));
    texts.forEach((text, i) => {
      expect(read(table, ids[i])).toBe(text);
      expect(intern(table, text)).toBe(ids[i]);
    });
  });

  it('changes to the strong hash when somebody found collisions of the fast one', () => {
    const table = new TermTable(KEY);
    // A difference in the highest bit of a word passes through a multiplication unchanged, so it
    // can be cancelled in the next word.
    const halves = [Buffer.from([0, 0, 0, 0, 0, 0, 0, 0]), Buffer.from([0, 0, 0, 0x80, 0, 0, 1, 0x80])];
    const colliding = Array.from({ length: 1024 }, (_, i) =>
      Buffer.concat(Array.from({ length: 10 }, (_, bit) => halves[(i >> bit) & 1])),
    );
    const hashes = new Set(colliding.map((bytes) => table.hash(viewOf(bytes), 0, bytes.length)));
    expect(hashes.size).toBe(1);
    const ids = colliding.map((bytes) =>
      table.add(IRI_META, viewOf(bytes), 0, bytes.length, table.hash(viewOf(bytes), 0, bytes.length)),
    );
    expect(table.strong).toBe(true);
    expect(new Set(colliding.map((bytes) => table.hash(viewOf(bytes), 0, bytes.length))).size).toBeGreaterThan(1000);
    colliding.forEach((bytes, i) => {
      const hash = table.hash(viewOf(bytes), 0, bytes.length);
      expect(table.find(IRI_META, viewOf(bytes), 0, bytes.length, hash)).toBe(ids[i]);
    });
    expect(intern(table, 'http://example.org/after')).toBe(1025);
  });

  it('has a strong hash that depends on every byte, the length and the key', () => {
    const bytes = Buffer.from('http://example.org/abc');
    const all = new Set<number>([
      strongHash(viewOf(bytes), 0, bytes.length, KEY),
      strongHash(viewOf(bytes), 0, bytes.length, { low: 1, high: 2 }),
    ]);
    for (let i = 0; i < bytes.length; i++) {
      const changed = Buffer.from(bytes);
      changed[i] ^= 1;
      all.add(strongHash(viewOf(changed), 0, changed.length, KEY));
      all.add(strongHash(viewOf(bytes), 0, i, KEY));
    }
    expect(all.size).toBe(2 + 2 * bytes.length);
  });

  describe('adopts stored terms', () => {
    const texts = [
      ...Array.from(
        { length: 40_000 },
        (_, i) => `http://example.org/${i % 5 ? 'a' : 'quite a long beginning of a name'}/${i}`,
      ),
      'x'.repeat(2 ** 20 + 5),
      ...Array.from({ length: 100 }, (_, i) => `after/${i}`),
      'y'.repeat(3 * 2 ** 20 + 1),
      '',
    ];
    const source = new TermTable(KEY);
    for (const text of texts) intern(source, text);
    /** In memory of its own, at an odd place, as a segment has it. */
    const stored = (first: number, last: number) => {
      const { metas, texts: pieces } = packTerms(source, first, last);
      const joined = Buffer.concat([Buffer.alloc(3), ...pieces]);
      return { metas, texts: new Uint8Array(joined.buffer, joined.byteOffset + 3, joined.length - 3) };
    };

    it.each([[[texts.length]], [[10, texts.length]], [[16_000, 16_001, 39_990, 40_003, texts.length]]])(
      'in parts that end at %j',
      (ends) => {
        const table = new TermTable({ low: 7, high: 8 });
        runAtOnce(table.adopt(ends.map((last, i) => stored((ends[i - 1] ?? 0) + 1, last))));
        expect(table.size).toBe(texts.length);
        texts.forEach((text, i) => {
          if (i % 37 === 0 || i > 39_990) assert.equal(read(table, i + 1), text);
          assert.equal(intern(table, text), i + 1);
        });
        expect(table.size).toBe(texts.length);
        const more = Array.from({ length: 30_000 }, (_, i) => `more/${i}`);
        const before = table.byteLength;
        expect(intern(table, more[0])).toBe(texts.length + 1);
        // The chunk behind what was adopted starts small.
        expect(table.byteLength - before).toBeLessThan(2 ** 19);
        more.forEach((text, i) => {
          expect(intern(table, text)).toBe(texts.length + 1 + i);
        });
        expect(read(table, texts.length + 30_000)).toBe(more[29_999]);
        const again = packTerms(table, 1, texts.length);
        const once = packTerms(source, 1, texts.length);
        expect(again.metas).toEqual(once.metas);
        expect(Buffer.concat(again.texts).equals(Buffer.concat(once.texts))).toBe(true);
      },
    );

    it('with colliding hashes by the strong one', () => {
      const halves = [Buffer.from([0, 0, 0, 0, 0, 0, 0, 0]), Buffer.from([0, 0, 0, 0x80, 0, 0, 1, 0x80])];
      const colliding = Array.from({ length: 1024 }, (_, i) =>
        Buffer.concat(Array.from({ length: 10 }, (_, bit) => halves[(i >> bit) & 1])),
      );
      // 80 bytes each, behind a length of one byte, up to a multiple of 4.
      const stored = Buffer.concat(colliding.flatMap((bytes) => [Buffer.from([80]), bytes, Buffer.alloc(3)]));
      const table = new TermTable(KEY);
      runAtOnce(table.adopt([{ metas: new Uint32Array(1024).fill(IRI_META), texts: stored }]));
      expect(table.strong).toBe(true);
      colliding.forEach((bytes, i) => {
        const hash = table.hash(viewOf(bytes), 0, bytes.length);
        expect(table.find(IRI_META, viewOf(bytes), 0, bytes.length, hash)).toBe(i + 1);
      });
    });

    it('rejects inconsistent parts', () => {
      const { metas, texts: bytes } = stored(1, 100);
      for (const part of [
        { metas: metas.subarray(1), texts: bytes },
        { metas, texts: bytes.subarray(0, -8) },
        { metas, texts: bytes, ranges: Uint32Array.of(1, 99) },
        { metas, texts: bytes, ranges: Uint32Array.of(1, 50, 20, 50) },
        { metas, texts: bytes, ranges: Uint32Array.of(1, 101) },
      ]) {
        expect(() => runAtOnce(new TermTable(KEY).adopt([part]))).toThrow(RangeError);
      }
    });
  });
});
