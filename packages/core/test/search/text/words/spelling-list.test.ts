import { SeededRandom } from '@rdf-worlds/testkit';
import { describe, expect, it } from 'vitest';
import { hashBytes } from '../../../../src/search/text/analysis/word-hash.ts';
import { completionsOf } from '../../../../src/search/text/words/completions.ts';
import { allowedMistakes, correctionsOf } from '../../../../src/search/text/words/corrections.ts';
import { KeptSpellings } from '../../../../src/search/text/words/kept-spellings.ts';
import { SpellingList } from '../../../../src/search/text/words/spelling-list.ts';
import { WordTable } from '../../../../src/search/text/words/word-table.ts';
import { naiveDistance } from '../naive-bm25.ts';

/** LONG_TESTS=1 compares more words with all others. */
const COMPARED = process.env['LONG_TESTS'] ? 40 : 15;

/** A table whose words are their own stems, and their sorted list. */
class Spellings {
  readonly table = new WordTable();
  readonly list = new SpellingList(this.table, 'forwards');
  readonly endings = new SpellingList(this.table, 'backwards');
  readonly kept = new KeptSpellings();
  readonly words = new Map<string, number>();
  /** The most words between two yields of `catchUp`. */
  steps = 0;

  add(text: string, documents = 1, space = 1): number {
    const bytes = Buffer.from(text);
    const word = this.table.add(space, bytes, bytes.length, hashBytes(bytes, 0, bytes.length));
    this.table.stemOf[word] = word;
    this.table.uses[word] = 1;
    this.table.documents[word] = documents;
    this.list.push(word);
    this.endings.push(word);
    if (space === 1) this.words.set(text, word);
    return word;
  }

  catchUp(): void {
    const steps = this.list.catchUp();
    while (!steps.next().done) this.steps++;
    for (const _ of this.endings.catchUp());
  }

  texts(): string[][] {
    return this.list.runs.map(({ words }) => Array.from(words, (word) => this.table.text(word)));
  }

  complete(prefix: string): Map<string, number> {
    this.catchUp();
    const found = completionsOf(this.table, this.list.runs, [1], Buffer.from(prefix));
    return new Map(found.map(({ term, weight }) => [this.table.text(term), weight]));
  }

  correct(word: string): string[] {
    this.catchUp();
    const { list, endings, kept } = this;
    const changes = list.changes + endings.changes;
    const spellings = { beginnings: list.runs, endings: endings.runs, changes, kept };
    return correctionsOf(this.table, spellings, word).map(({ term }) => this.table.text(term));
  }
}

const byCodePoint = (one: string, other: string) => Buffer.compare(Buffer.from(one), Buffer.from(other));

function sharedBytes(one: Buffer, other: Buffer): number {
  let length = 0;
  while (length < one.length && one[length] === other[length]) length++;
  return length;
}

const ALPHABETS = ['ab', 'abcdefgh', 'aбв', 'ab日本𐐀'];
const randomWord = (random: SeededRandom, alphabet: string, length = 1 + random.below(10)) =>
  Array.from({ length }, () => random.pick([...alphabet])).join('');

describe('a spelling list', () => {
  it.each(ALPHABETS)('is sorted, and knows what neighbours share: letters of %s', (alphabet) => {
    const random = new SeededRandom(7);
    const spellings = new Spellings();
    for (let round = 0; round < 4; round++) {
      for (let at = 0; at < 2500; at++) {
        const word = randomWord(random, alphabet, 1 + random.below(16));
        if (!spellings.words.has(word)) spellings.add(word);
      }
      spellings.catchUp();
      expect(spellings.list.isCurrent).toBe(true);
      const runs = spellings.texts();
      expect(runs.flat().sort(byCodePoint)).toEqual([...spellings.words.keys()].sort(byCodePoint));
      for (const [at, run] of runs.entries()) {
        expect(run).toEqual(run.toSorted(byCodePoint));
        const bytes = run.map((text) => Buffer.from(text));
        expect(Array.from(spellings.list.runs[at]!.shared)).toEqual(
          bytes.map((word, index) => (index === 0 ? 0 : sharedBytes(bytes[index - 1]!, word))),
        );
        expect(Array.from(spellings.list.runs[at]!.next)).toEqual(
          bytes.map((word, index) => word[spellings.list.runs[at]!.shared[index]!]),
        );
      }
    }
  });

  it.each(ALPHABETS)('is sorted from the last letter, too: letters of %s', (alphabet) => {
    const random = new SeededRandom(13);
    const spellings = new Spellings();
    for (let at = 0; at < 6000; at++) {
      const word = randomWord(random, alphabet, 1 + random.below(12));
      if (!spellings.words.has(word)) spellings.add(word);
    }
    spellings.catchUp();
    const run = spellings.endings.runs.find(({ words }) => words.length > 0);
    const read = Array.from(run!.words, (word) => Buffer.from(spellings.table.text(word)).reverse());
    expect(read).toEqual(read.toSorted(Buffer.compare));
    expect(read).toHaveLength(spellings.words.size);
    const shared = read.map((word, at) => (at === 0 ? 0 : sharedBytes(read[at - 1]!, word)));
    expect(Array.from(run!.shared)).toEqual(shared);
    expect(Array.from(run!.next)).toEqual(read.map((word, at) => word[shared[at]!]));
    for (const [at, starts] of run!.starts.entries())
      expect(Array.from(starts)).toEqual(shared.flatMap((bytes, place) => (bytes <= at ? [place] : [])));
  });

  it('sorts words of one beginning of any length without running out of stack, in steps', () => {
    const spellings = new Spellings();
    for (let length = 1; length <= 64; length++)
      for (let at = 0; at < 300; at++) spellings.add(`${'x'.repeat(length)}${at}`);
    spellings.catchUp();
    expect(spellings.texts()[0]).toHaveLength(64 * 300);
    expect(spellings.steps).toBeGreaterThan(10);
  });

  it('contains only spellings from texts: no stems, stop words or accented forms', () => {
    const spellings = new Spellings();
    const bytes = Buffer.from('happi');
    spellings.table.add(1, bytes, bytes.length, hashBytes(bytes, 0, bytes.length));
    spellings.table.leaveOut(spellings.add('the'));
    spellings.add('été', 1, 0x81);
    spellings.add('ete');
    spellings.catchUp();
    expect(spellings.texts().flat()).toEqual(['ete']);
  });

  it('releases words before their numbers are used again', () => {
    const spellings = new Spellings();
    for (let at = 0; at < 6000; at++) spellings.add(`word${at}`);
    spellings.catchUp();
    for (const [text, word] of [...spellings.words]) {
      if (word % 3 === 0) continue;
      spellings.table.uses[word] = 0;
      spellings.table.documents[word] = 0;
      spellings.words.delete(text);
    }
    const steps = spellings.table.purge(function* () {
      yield* spellings.list.purge();
      yield* spellings.endings.purge();
    });
    while (!steps.next().done);
    for (let at = 0; at < 1000; at++) spellings.add(`fresh${at}`);
    spellings.catchUp();
    expect(spellings.texts().flat().sort(byCodePoint)).toEqual([...spellings.words.keys()].sort(byCodePoint));
    const endings = spellings.endings.runs.flatMap(({ words }) => Array.from(words));
    expect(endings.sort((a, b) => a - b)).toEqual([...spellings.words.values()].sort((a, b) => a - b));
  });
});

describe('completions', () => {
  it('are the words that begin so, weighted by how much is written', () => {
    const spellings = new Spellings();
    for (const word of ['lan', 'land', 'lantern', 'la', 'lbn', 'länd', '東京', '東京都', 'lano😀'.slice(0, 4)])
      spellings.add(word);
    spellings.add('lanthanum', 1, 2);
    expect(spellings.complete('lan')).toEqual(
      new Map([
        ['land', 3 / 4],
        ['lano', 3 / 4],
        ['lantern', 3 / 7],
      ]),
    );
    expect(spellings.complete('東')).toEqual(
      new Map([
        ['東京', 1 / 2],
        ['東京都', 1 / 3],
      ]),
    );
    expect(spellings.complete('東京都')).toEqual(new Map());
    expect(spellings.complete('zebra')).toEqual(new Map());
  });

  it('are the 32 in the most documents, of equals the first', () => {
    const spellings = new Spellings();
    for (let at = 0; at < 200; at++) spellings.add(`lan${String(at).padStart(3, '0')}`, at === 150 ? 9 : 1 + (at % 2));
    const found = [...spellings.complete('lan').keys()];
    expect(found).toHaveLength(32);
    expect(found[0]).toBe('lan150');
    expect(found.slice(1)).toEqual(Array.from({ length: 31 }, (_, at) => `lan${String(at * 2 + 1).padStart(3, '0')}`));
  });

  it('omit words that no document contains any more', () => {
    const spellings = new Spellings();
    const word = spellings.add('lantern');
    spellings.table.uses[word] = 0;
    expect(spellings.complete('lan')).toEqual(new Map());
    spellings.table.uses[word] = 2;
    expect([...spellings.complete('lan').keys()]).toEqual(['lantern']);
  });
});

describe('corrections', () => {
  it.each<[word: string, mistakes: number]>([
    ['cat', 0],
    ['lamp', 1],
    ['lantern', 1],
    ['lanterns', 2],
    ['фона', 1],
    ['1815', 0],
    ['covid19', 0],
    ['東京都庁舎前', 0],
    ['한국어사전', 0],
  ])('of %s: at most %i', (word, mistakes) => {
    expect(allowedMistakes(word)).toBe(mistakes);
  });

  it('forgive a letter too many, too few, wrong, or swapped', () => {
    const spellings = new Spellings();
    for (const word of ['lantern', 'kettle', 'фонарь', 'mountain']) spellings.add(word);
    for (const word of ['lanternn', 'lanern', 'lantirn', 'lantren', 'ulantern', 'antern'])
      expect(spellings.correct(word)).toEqual(['lantern']);
    for (const word of ['фанарь', 'фнарь', 'фонрь', 'фноарь']) expect(spellings.correct(word)).toEqual(['фонарь']);
    expect(spellings.correct('muontian')).toEqual(['mountain']);
    expect(spellings.correct('lantrin')).toEqual([]);
    expect(spellings.correct('zebra')).toEqual([]);
  });

  it.each(ALPHABETS)('are the nearest of all words, by the table of distances: letters of %s', (alphabet) => {
    const random = new SeededRandom(11);
    const spellings = new Spellings();
    for (let round = 0; round < 3; round++) {
      for (let at = 0; at < 400; at++) {
        const word = randomWord(random, alphabet, 2 + random.below(9));
        if (!spellings.words.has(word)) spellings.add(word);
      }
      for (let query = 0; query < COMPARED; query++) {
        const word = randomWord(random, alphabet.replace(/[日本]/g, 'c'), 4 + random.below(7));
        const limit = allowedMistakes(word);
        const distances = new Map(
          Array.from(spellings.words.keys(), (each) => [each, naiveDistance([...word], [...each])] as const),
        );
        const nearest = Math.min(...distances.values());
        const expected =
          nearest > limit
            ? []
            : [...distances]
                .filter(([, distance]) => distance === nearest)
                .map(([each]) => each)
                .sort(byCodePoint)
                .slice(0, 16);
        expect(spellings.correct(word), word).toEqual(expected);
      }
    }
  });
});
