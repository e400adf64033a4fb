import { deflateRawSync } from 'node:zlib';
import { SeededRandom } from '@rdf-worlds/testkit';
import { afterEach, describe, expect, it } from 'vitest';
import { runAtOnce } from '../../src/contracts/slicer.ts';
import { decodeTerms, encodeTerms } from '../../src/engine/durable/segments.ts';
import { CHUNK_BYTES, viewOf } from '../../src/quads/byte-arena.ts';
import { Dictionary, FIXED_TERMS } from '../../src/quads/dictionary.ts';
import { PackedColumn, packColumn } from '../../src/quads/packed-column.ts';
import { packLiving } from '../../src/quads/packed-terms.ts';
import { PackedMemory, StoredBlock } from '../../src/quads/packed-texts.ts';
import type { StoredTerms } from '../../src/quads/stored-terms.ts';
import type { HashKey } from '../../src/quads/term-hash.ts';
import { IRI_META, metaWith, type TermMeta } from '../../src/quads/term-meta.ts';
import { LATE_HASHING, type TermTable } from '../../src/quads/term-table.ts';

const KEY = { low: 7, high: 0xffff_fff1 };
const OTHER_KEY = { low: 3, high: 5 };
const LITERAL = metaWith(4, 2);
const { least } = LATE_HASHING;

afterEach(() => {
  LATE_HASHING.least = least;
});

function call(table: TermTable, what: 'find' | 'add', text: string, meta: TermMeta): number {
  const bytes = Buffer.from(text);
  const view = viewOf(bytes);
  return table[what](meta, view, 0, bytes.length, table.hash(view, 0, bytes.length));
}

/** Texts of all lengths, among them some that are as long as a chunk or longer. */
function textsOf(count: number, seed: number): string[] {
  const random = new SeededRandom(seed);
  const lengths = [0, 1, 126, 127, 128, 129, 16_383, 16_384];
  return [
    ...Array.from({ length: count }, (_, n) => `http://example.org/thing/${n}/${'x'.repeat(random.below(60))}`),
    ...lengths.map((length) => 'y'.repeat(length)),
    'before',
    'z'.repeat(CHUNK_BYTES - 10),
    'w'.repeat(CHUNK_BYTES + 1),
    'between',
    'v'.repeat(3 * CHUNK_BYTES + 5),
    'after',
  ];
}

function dictionaryOf(texts: readonly string[], key: HashKey = KEY): Dictionary {
  const dictionary = new Dictionary(key);
  texts.forEach((text, n) => {
    call(dictionary.table, 'add', text, n % 3 ? LITERAL : IRI_META);
  });
  return dictionary;
}

function storedBytes(table: TermTable, first = FIXED_TERMS + 1, last = table.size): Uint8Array {
  return new Uint8Array(Buffer.concat(runAtOnce(encodeTerms(runAtOnce(packLiving(table, first, last)), table.key))));
}

const decoded = (bytes: Uint8Array, first = FIXED_TERMS + 1): StoredTerms =>
  runAtOnce(decodeTerms(bytes, first, 'a test'));

const textOf = (table: TermTable, number: number): string => {
  const start = table.startOf(number);
  return table.bufferOf(number).toString('utf8', start, start + table.lengthOf(number));
};

describe('stored terms', () => {
  const texts = textsOf(20_000, 1);
  const source = dictionaryOf(texts).table;
  const bytes = storedBytes(source);

  it.each([1, 2 ** 30])(
    'are read, found and added to, with the key under which they were hashed (late from %i)',
    (from) => {
      LATE_HASHING.least = from;
      const { table } = new Dictionary(OTHER_KEY);
      runAtOnce(table.adopt([decoded(bytes)]));
      expect([table.size, table.isUnhashed, table.key]).toEqual([source.size, from === 1, KEY]);
      // Also those that every dictionary has.
      expect(textOf(table, 2)).toBe(textOf(source, 2));
      expect(call(table, 'find', textOf(source, 2), IRI_META)).toBe(2);
      texts.forEach((text, n) => {
        if (n % 31 && n < 20_000) return;
        expect(textOf(table, n + 3) === text).toBe(true);
        expect(call(table, 'find', text, n % 3 ? LITERAL : IRI_META)).toBe(n + 3);
        expect(call(table, 'find', text, n % 3 ? IRI_META : LITERAL)).toBe(0);
      });
      expect(table.isUnhashed).toBe(false);
      expect(call(table, 'add', 'new', IRI_META)).toBe(source.size + 1);
      expect(textOf(table, source.size + 1)).toBe('new');
      expect(Buffer.from(storedBytes(table, 3, source.size)).equals(bytes)).toBe(true);
    },
  );

  it('of several segments, some under other keys and some of earlier versions, are one table', () => {
    const middle = 9000;
    const last = source.size;
    const [first, second] = [storedBytes(source, 3, middle), storedBytes(source, middle + 1)];
    const others = dictionaryOf(texts, OTHER_KEY).table;
    const plain = (): StoredTerms => {
      const { metas, texts: pieces, ranges } = runAtOnce(packLiving(source, 3, middle));
      return { metas, texts: new Uint8Array(Buffer.concat(pieces)), ranges };
    };
    for (const from of [1, 2 ** 30]) {
      for (const parts of [
        () => [decoded(first), decoded(second, middle + 1)],
        () => [decoded(storedBytes(others, 3, middle)), decoded(second, middle + 1)],
        () => [plain(), decoded(second, middle + 1)],
      ]) {
        LATE_HASHING.least = from;
        const { table } = new Dictionary({ low: 1, high: 1 });
        runAtOnce(table.adopt(parts()));
        expect([table.size, table.key]).toEqual([last, KEY]);
        for (let number = 1; number <= last; number += 97) {
          expect(call(table, 'find', textOf(source, number), source.metaOf(number))).toBe(number);
        }
      }
    }
  });

  it('are decompressed when they are read: a few lookups by hash read no others', () => {
    LATE_HASHING.least = 1;
    const parts = decoded(bytes);
    const read: number[] = [];
    const blocks = parts.texts as readonly StoredBlock[];
    expect(blocks.length).toBeGreaterThan(5);
    blocks.forEach((block, at) => {
      const own = block.read.bind(block);
      block.read = () => {
        read.push(at);
        return own();
      };
    });
    const { table } = new Dictionary(KEY);
    runAtOnce(table.adopt([parts]));
    const before = table.byteLength;
    expect(call(table, 'find', 'missing', IRI_META)).toBe(0);
    expect(read).toEqual([]);
    expect(call(table, 'find', texts[3], IRI_META)).toBe(6);
    expect(read).toEqual([0]);
    runAtOnce(table.hashStored());
    expect(call(table, 'find', texts[4], LITERAL)).toBe(7);
    expect(read).toEqual([0]);
    for (let number = 3; number <= table.size; number++) table.bufferOf(number);
    expect(read).toEqual(blocks.map((_, at) => at));
    // The hash table came, the compressed bytes and the hashes went.
    expect(table.byteLength).toBeLessThan(before + 2 ** 20);
  });

  it('up to a number are a table that reads the same blocks', () => {
    const { table } = new Dictionary(KEY);
    runAtOnce(table.adopt([decoded(bytes)]));
    for (const text of ['one', 'two', 'three']) call(table, 'add', text, IRI_META);
    const copy = runAtOnce(table.upTo(source.size + 1));
    for (let number = 1; number <= source.size; number += 501) {
      expect(textOf(copy, number)).toBe(textOf(source, number));
      expect(copy.bufferOf(number).buffer).toBe(table.bufferOf(number).buffer);
    }
    expect(textOf(copy, source.size + 1)).toBe('one');
    expect(call(copy, 'find', 'two', IRI_META)).toBe(0);
  });

  it('are small if their texts repeat, and not much larger than these if they do not', () => {
    const rawBytes = (table: TermTable) => storedRaw(table);
    expect(bytes.length).toBeLessThan(rawBytes(source) / 2);
    const random = new SeededRandom(5);
    const noise = Array.from({ length: 3000 }, () =>
      Array.from({ length: 40 }, () => String.fromCharCode(1 + random.below(127))).join(''),
    );
    const { table } = dictionaryOf(noise);
    expect(storedBytes(table).length).toBeLessThan(rawBytes(table) + 3000 * 6);
  });

  it('that are changed or cut anywhere are CORRUPT', () => {
    const { table } = dictionaryOf(textsOf(20, 3).filter((text) => text.length < 200));
    const whole = storedBytes(table);
    for (let at = 0; at < whole.length; at++) {
      const damaged = whole.slice();
      damaged[at] ^= 0x41;
      expect(() => decoded(damaged)).toThrow(expect.objectContaining({ code: 'CORRUPT' }));
      expect(() => decoded(whole.slice(0, at))).toThrow(expect.objectContaining({ code: 'CORRUPT' }));
    }
  });
});

function storedRaw(table: TermTable): number {
  return runAtOnce(packLiving(table, 3, table.size)).texts.reduce((sum, { length }) => sum + length, 0);
}

describe('a block of texts', () => {
  const raw = Buffer.concat(
    ['one', 'seven78', 'a'.repeat(300)].map((text) => {
      const prefix = text.length < 128 ? [text.length] : [(text.length & 127) | 128, text.length >>> 7];
      const bytes = Buffer.concat([Buffer.from(prefix), Buffer.from(text)]);
      return Buffer.concat([bytes, Buffer.alloc(-bytes.length & 3)]);
    }),
  );
  const block = (stored: Uint8Array, byteLength: number, lengths: readonly number[]) => {
    const column = Uint32Array.from(lengths);
    const packed = new PackedColumn(runAtOnce(packColumn(column)), 0, column.length);
    return new StoredBlock({ terms: column.length, byteLength, stored }, 0, packed, new PackedMemory(stored.length));
  };
  const LENGTHS = [3, 7, 300];

  it('has the texts that were packed', () => {
    expect(block(deflateRawSync(raw), raw.length, LENGTHS).read().equals(raw)).toBe(true);
    expect(block(raw, raw.length, LENGTHS).read().equals(raw)).toBe(true);
  });

  it.each<[string, () => StoredBlock]>([
    ['has fewer bytes', () => block(deflateRawSync(raw.subarray(0, -4)), raw.length, LENGTHS)],
    ['has more bytes', () => block(deflateRawSync(Buffer.concat([raw, raw, raw])), raw.length, LENGTHS)],
    ['has other lengths', () => block(deflateRawSync(raw), raw.length, [3, 8, 300])],
    ['has more texts', () => block(deflateRawSync(raw), raw.length, [...LENGTHS, 1])],
    ['has fewer texts', () => block(deflateRawSync(raw), raw.length, LENGTHS.slice(1))],
    ['is no deflated stream', () => block(Uint8Array.of(7, 7, 7, 7), raw.length, LENGTHS)],
    ['is cut', () => block(deflateRawSync(raw).subarray(0, -3), raw.length, LENGTHS)],
    ['is not the texts', () => block(Buffer.alloc(raw.length), raw.length, LENGTHS)],
  ])('that %s is CORRUPT when it is read, and stays so', (_, of) => {
    const damaged = of();
    for (let time = 0; time < 2; time++) {
      expect(() => damaged.read()).toThrow(expect.objectContaining({ code: 'CORRUPT' }));
    }
  });

  it('that claims to be larger than a chunk is refused unless it is stored as it is', () => {
    expect(() => block(Uint8Array.of(1, 2, 3), CHUNK_BYTES + 4, LENGTHS)).toThrow(RangeError);
    expect(() => block(Buffer.alloc(12), 8, LENGTHS)).toThrow(RangeError);
  });
});
