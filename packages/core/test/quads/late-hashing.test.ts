import assert from 'node:assert/strict';
import { SeededRandom } from '@rdf-worlds/testkit';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { runAtOnce } from '../../src/contracts/slicer.ts';
import { viewOf } from '../../src/quads/byte-arena.ts';
import { packTerms } from '../../src/quads/packed-terms.ts';
import { IRI_META, metaWith } from '../../src/quads/term-meta.ts';
import { LATE_HASHING, TermTable } from '../../src/quads/term-table.ts';

const KEY = { low: 7, high: 11 };
const LITERAL = metaWith(4, 2);
const { least } = LATE_HASHING;
// LONG_TESTS=1 makes 60 random tables.
const SEEDS = process.env['LONG_TESTS'] ? 60 : 8;

beforeEach(() => {
  LATE_HASHING.least = 1;
});
afterEach(() => {
  LATE_HASHING.least = least;
});

type Call = 'find' | 'add' | 'addNewest';

function call(table: TermTable, what: Call, text: string | Buffer, meta = IRI_META): number {
  const bytes = Buffer.from(text);
  const view = viewOf(bytes);
  const hash = table.hash(view, 0, bytes.length);
  return what === 'find'
    ? table.find(meta, view, 0, bytes.length, hash)
    : table[what](meta, view, 0, bytes.length, hash);
}

const nameOf = (n: number) => `http://example.org/${n % 3 ? 'thing' : 'a longer name for a thing'}/${n}`;

/** A table that was read from storage: IRIs, and literals with the same texts. */
function stored(count: number): TermTable {
  const source = new TermTable(KEY);
  for (let n = 0; n < count; n++) call(source, 'add', nameOf(n >>> 1), n % 2 ? LITERAL : IRI_META);
  const { metas, texts } = packTerms(source, 1, count);
  const table = new TermTable({ low: 3, high: 5 });
  runAtOnce(table.adopt([{ metas, texts: Buffer.concat(texts) }]));
  return table;
}

it('a few terms are found before the hash table is filled, and any number after', () => {
  const table = stored(3000);
  const before = table.byteLength;
  expect(table.isUnhashed).toBe(true);
  expect(call(table, 'find', nameOf(700))).toBe(1401);
  expect(call(table, 'find', nameOf(700), LITERAL)).toBe(1402);
  expect(call(table, 'find', 'http://example.org/missing')).toBe(0);
  expect(table.isUnhashed).toBe(true);
  expect(table.byteLength).toBe(before);
  for (let n = 0; n < 3000; n++) assert.equal(call(table, 'find', nameOf(n >>> 1), n % 2 ? LITERAL : IRI_META), n + 1);
  expect(table.isUnhashed).toBe(false);
  expect(call(table, 'find', 'http://example.org/missing')).toBe(0);
});

it('is the table that was hashed while it was read, under any calls between any steps of hashing', () => {
  for (let seed = 0; seed < SEEDS; seed++) {
    const random = new SeededRandom(seed);
    const count = 5000 + random.below(9000);
    const late = stored(count);
    LATE_HASHING.least = 2 ** 30;
    const hashed = stored(count);
    LATE_HASHING.least = 1;
    expect([late.isUnhashed, hashed.isUnhashed]).toEqual([true, false]);
    const kernel = late.hashStored();
    for (let step = 0; step < 40; step++) {
      if (random.chance(0.3)) kernel.next();
      const text = nameOf(random.below(count));
      const meta = random.pick([IRI_META, LITERAL]);
      const what = random.pick<Call>(['find', 'find', 'find', 'addNewest', 'add']);
      // `add` is for terms that were not found.
      const own = what === 'add' && call(hashed, 'find', text, meta) !== 0 ? 'find' : what;
      assert.equal(call(late, own, text, meta), call(hashed, own, text, meta), `seed ${seed}, step ${step}: ${own}`);
    }
    runAtOnce(kernel);
    expect(late.isUnhashed).toBe(false);
    expect([late.size, late.living]).toEqual([hashed.size, hashed.living]);
    for (let n = 0; n < count; n += 7)
      assert.equal(call(late, 'find', nameOf(n)), call(hashed, 'find', nameOf(n)), `seed ${seed}: ${n}`);
  }
});

it('a call that completes the hashing uses the hash that the table has then', () => {
  const halves = [Buffer.from([0, 0, 0, 0, 0, 0, 0, 0]), Buffer.from([0, 0, 0, 0x80, 0, 0, 1, 0x80])];
  const colliding = Array.from({ length: 1024 }, (_, i) =>
    Buffer.concat(Array.from({ length: 10 }, (_, bit) => halves[(i >> bit) & 1])),
  );
  const texts = Buffer.concat(colliding.flatMap((bytes) => [Buffer.from([80]), bytes, Buffer.alloc(3)]));
  for (const what of ['find', 'add', 'addNewest'] as const) {
    const table = new TermTable(KEY);
    runAtOnce(table.adopt([{ metas: new Uint32Array(1024).fill(IRI_META), texts }]));
    for (let lookup = 0; lookup < 6; lookup++) expect(call(table, 'find', colliding[lookup])).toBe(lookup + 1);
    expect([table.isUnhashed, table.strong]).toEqual([true, false]);
    const found = what === 'find' ? call(table, what, colliding[99]) : call(table, what, 'another');
    expect(found).toBe(what === 'find' ? 100 : 1025);
    expect([table.isUnhashed, table.strong]).toEqual([false, true]);
    if (what !== 'find') expect(call(table, 'find', 'another')).toBe(1025);
    expect(call(table, 'find', colliding[500])).toBe(501);
  }
});
