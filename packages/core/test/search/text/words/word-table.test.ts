import { SeededRandom } from '@rdf-worlds/testkit';
import { describe, expect, it } from 'vitest';
import { runAtOnce } from '../../../../src/contracts/slicer.ts';
import { hashBytes } from '../../../../src/search/text/analysis/word-hash.ts';
import { ONLY_STEM, WordTable } from '../../../../src/search/text/words/word-table.ts';

const bytesOf = (text: string) => Buffer.from(text);

function find(table: WordTable, space: number, text: string): number {
  const bytes = bytesOf(text);
  return table.find(space, bytes, bytes.length, hashBytes(bytes, 0, bytes.length));
}

function add(table: WordTable, space: number, text: string): number {
  const bytes = bytesOf(text);
  const word = table.add(space, bytes, bytes.length, hashBytes(bytes, 0, bytes.length));
  table.stemOf[word] = word;
  table.uses[word] = 1;
  return word;
}

/** Runs a purge in steps, and gives how large the largest was. */
function purge(table: WordTable, between = () => {}): number {
  let most = 0;
  const steps = table.purge(function* () {});
  for (let step = steps.next(); !step.done; step = steps.next()) {
    most = Math.max(most, step.value);
    between();
  }
  return most;
}

describe('a word table', () => {
  it('finds each word in its space', () => {
    const table = new WordTable();
    expect(find(table, 1, 'lantern')).toBe(-1);
    const english = add(table, 1, 'lantern');
    const german = add(table, 2, 'lantern');
    const accented = add(table, 0x82, 'é'.repeat(64));
    expect(find(table, 1, 'lantern')).toBe(english);
    expect(find(table, 2, 'lantern')).toBe(german);
    expect(find(table, 0x82, 'é'.repeat(64))).toBe(accented);
    expect(find(table, 1, 'lanter')).toBe(-1);
    expect(find(table, 1, 'lanterns')).toBe(-1);
    expect(table.text(accented)).toBe('é'.repeat(64));
    expect([table.spaceOf(english), table.spaceOf(german)]).toEqual([1, 2]);
    expect(table.count).toBe(3);
  });

  it('takes about 35 bytes for each word', () => {
    const table = new WordTable();
    const texts = Array.from({ length: 100_000 }, (_, at) => `word${at}`);
    expect(texts.map((text, at) => add(table, at & 1, text))).toEqual(texts.map((_, at) => at));
    expect(texts.map((text, at) => find(table, at & 1, text))).toEqual(texts.map((_, at) => at));
    expect(texts.filter((text, at) => find(table, (at & 1) ^ 1, text) >= 0)).toEqual([]);
    expect(table.byteLength / table.count).toBeLessThan(48);
  });

  it('orders words by space, then by code points', () => {
    const table = new WordTable();
    const words = [
      add(table, 2, 'a'),
      add(table, 1, 'ﬀ'),
      add(table, 1, '𐐀'),
      add(table, 1, 'lan'),
      add(table, 1, 'lantern'),
    ];
    words.sort((a, b) => table.compare(a, b));
    expect(words.map((word) => table.text(word))).toEqual(['lan', 'lantern', 'ﬀ', '𐐀', 'a']);
  });

  it('removes unused words, and reuses their numbers and memory', () => {
    const random = new SeededRandom(1);
    const table = new WordTable();
    const known = new Map<string, number>();
    let fresh = 0;
    let settled = 0;
    for (let round = 0; round < 8; round++) {
      while (known.size < 20_000) {
        const text = `w${fresh++}-${'x'.repeat(random.below(20))}`;
        known.set(text, add(table, 1, text));
      }
      for (const [text, word] of [...known]) {
        if (random.chance(0.4)) continue;
        table.uses[word] = 0;
        known.delete(text);
      }
      purge(table, () => {
        const text = `between${fresh++}`;
        if (random.chance(0.5)) known.set(text, add(table, 1, text));
      });
      expect(table.count).toBe(known.size);
      expect([...known].filter(([text, word]) => find(table, 1, text) !== word || table.text(word) !== text)).toEqual(
        [],
      );
      if (round === 2) settled = table.byteLength;
    }
    expect(table.byteLength).toBeLessThanOrEqual(settled * 1.05);
    expect(table.size).toBeLessThan(30_000);
  });

  it('assigns a new number to a word that is added again while it is being removed', () => {
    const table = new WordTable();
    for (let at = 0; at < 20_000; at++) add(table, 1, `word${at}`);
    const old = find(table, 1, 'word77');
    table.uses.fill(0);
    const steps = table.purge(function* () {});
    steps.next();
    expect(find(table, 1, 'word77')).toBe(-1);
    const back = add(table, 1, 'word77');
    expect(back).not.toBe(old);
    for (let step = steps.next(); !step.done; step = steps.next());
    expect(find(table, 1, 'word77')).toBe(back);
    expect(table.count).toBe(1);
  });

  it('forgets the stem of a word that is left only as a stem of others, so that its number can be reused', () => {
    const table = new WordTable();
    const term = add(table, 3, 'river');
    const stem = add(table, 3, 'riv');
    table.stemOf[term] = stem;
    // No document has the word any more, but the term of others is spelt like it.
    table.uses[term] = table.uses[stem] = 0;
    table.documents[term] = 1;
    purge(table);
    const other = add(table, 3, 'kettle');
    expect(other).toBe(stem);
    expect(find(table, 3, 'river')).toBe(term);
    expect(table.stemOf[term]).toBe(ONLY_STEM);
  });

  it('has the same words and numbers after a round trip through its columns', () => {
    const table = new WordTable();
    for (let at = 0; at < 30_000; at++) add(table, at % 3, `word${at}`);
    for (let at = 0; at < 30_000; at += 3) table.uses[at] = 0;
    table.leaveOut(add(table, 1, 'the'));
    table.stemOf[4] = ONLY_STEM;
    const purging = table.purge(function* () {});
    purging.next();
    // In the middle of a purge.
    const restored = new WordTable();
    runAtOnce(restored.adopt(table.columns()));
    for (let step = purging.next(); !step.done; step = purging.next());
    expect(restored.count).toBe(table.count);
    expect(restored.stopWords).toBe(1);
    for (let at = 0; at < 30_000; at++)
      expect(find(restored, at % 3, `word${at}`)).toBe(find(table, at % 3, `word${at}`));
    expect([...restored.stemOf.subarray(0, 10)]).toEqual([...table.stemOf.subarray(0, 10)]);
    expect(add(restored, 1, 'another')).toBeLessThan(30_000);
    const columns = table.columns();
    for (const wrong of [
      { ...columns, textAt: columns.textAt.map((at, word) => (word === 7 ? columns.arena.length : at)) },
      { ...columns, stemOf: columns.stemOf.map((stem, word) => (word === 7 ? 40_000 : stem)) },
      { ...columns, arena: columns.arena.subarray(0, columns.arena.length - 1) },
    ])
      expect(() => runAtOnce(new WordTable().adopt(wrong))).toThrow(RangeError);
  });

  it('keeps stop words, and stems that words still have', () => {
    const table = new WordTable();
    const stop = add(table, 1, 'the');
    table.uses[stop] = 0;
    table.leaveOut(stop);
    const stem = add(table, 1, 'happi');
    table.uses[stem] = 0;
    table.documents[stem] = 1;
    const gone = add(table, 1, 'kettle');
    table.uses[gone] = 0;
    purge(table);
    expect(find(table, 1, 'the')).toBe(stop);
    expect(find(table, 1, 'happi')).toBe(stem);
    expect(find(table, 1, 'kettle')).toBe(-1);
  });

  it('purges in steps that do not grow with the table', () => {
    const table = new WordTable();
    for (let at = 0; at < 60_000; at++) add(table, 1, `word${at}`);
    table.uses.fill(0, 0, 30_000);
    // The steps over plain columns count a word for less.
    expect(purge(table)).toBeLessThanOrEqual(Math.max(16_384, 60_000 / 2));
  });
});
