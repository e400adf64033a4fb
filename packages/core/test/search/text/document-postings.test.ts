import { SeededRandom } from '@rdf-worlds/testkit';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import type { DocSet } from '../../../src/contracts/doc-set.ts';
import { Slicer } from '../../../src/contracts/slicer.ts';
import { docSetHas, docSetOf } from '../../../src/search/doc-set.ts';
import { languageNumber, loadedLanguage, loadLanguage } from '../../../src/search/text/analysis/languages.ts';
import { DocumentPostings } from '../../../src/search/text/document-postings.ts';
import { SEGMENT_LIMITS, type SegmentLimits } from '../../../src/search/text/postings/segment-set.ts';
import { NaiveBm25 } from './naive-bm25.ts';

// LONG_TESTS=1 runs twice as many random programs and queries, and scopes of half a gigabyte of
// bits.
const IS_LONG = process.env['LONG_TESTS'] !== undefined;
const PROGRAMS = IS_LONG ? 80 : 40;
const CHECKED_QUERIES = IS_LONG ? 40 : 20;

const TAGS = ['en', 'de', 'es', 'xx'];
const language = (tag: string) => loadedLanguage(languageNumber(tag))!;

/**
 * The index and the definition of BM25 side by side: every search is answered by both, and must be
 * answered alike.
 */
class Pair {
  readonly index: DocumentPostings;
  /** The same, but for reading no scope as a whole. */
  readonly wide: DocumentPostings;
  readonly naive = new NaiveBm25();
  readonly held = new Map<number, { text: string; tag: string }>();

  constructor(limits: SegmentLimits = SEGMENT_LIMITS) {
    this.index = new DocumentPostings(100_000, limits);
    this.wide = new DocumentPostings(100_000, limits, 0);
  }

  add(doc: number, text: string, tag = 'en'): void {
    this.index.add(doc, text, language(tag), groupOf(doc));
    this.wide.add(doc, text, language(tag), groupOf(doc));
    this.naive.add(doc, text, language(tag));
    this.held.set(doc, { text, tag });
  }

  remove(doc: number): void {
    const { text, tag } = this.held.get(doc)!;
    expect(this.index.remove(doc, text, language(tag), groupOf(doc))).toBe(true);
    expect(this.wide.remove(doc, text, language(tag), groupOf(doc))).toBe(true);
    this.naive.remove(doc);
    this.held.delete(doc);
  }

  async compact(): Promise<void> {
    await this.index.compact(new Slicer());
    await this.wide.compact(new Slicer());
  }

  toggle(doc: number, text: string, tag?: string): void {
    if (this.held.has(doc)) this.remove(doc);
    else this.add(doc, text, tag);
  }

  /** A search that counts within some groups gives what an index of nothing else would give. */
  async compareScope(
    groups: readonly number[],
    limit: number,
    form: number,
    { part = '', anyBits = false } = {},
  ): Promise<void> {
    const alone = new NaiveBm25();
    const docs: number[] = [];
    const words = new Set<string>();
    for (const [doc, { text, tag }] of this.held) {
      if (!groups.includes(groupOf(doc))) continue;
      alone.add(doc, text, language(tag));
      docs.push(doc);
      for (const word of text.split(' ')) if (words.size < 5) words.add(word);
    }
    const query = [...words].join(' ');
    const documents = formsOf(docs, { anyBits })[form];
    const scope = { groups, documents };
    const hits = await this.index.search(query, { limit, filter: documents, prefix: false, scope, signal: undefined });
    expect(hits, `${query} in the groups ${groups}`).toEqual(alone.search(query, { limit, prefix: false }));
    await this.compareReadings(`${query} ${part}`, groups, limit, form, { anyBits });
    const [best] = hits;
    if (!best) return;
    const scores = await this.index.explain(query, best.doc, { prefix: false, scope, signal: undefined });
    expect(scores.reduce((sum, { score }) => sum + score, 0)).toBe(best.score);
  }

  /**
   * A scope that is read whole gives what one gives whose lists are searched, within a filter too.
   */
  async compareReadings(
    query: string,
    groups: readonly number[],
    limit: number,
    form: number,
    { anyBits = false } = {},
  ): Promise<void> {
    const docs = [...this.held.keys()].filter((doc) => groups.includes(groupOf(doc)));
    const documents = formsOf(docs, { anyBits })[form]!;
    const scope = { groups, documents };
    const few = formsOf(
      docs.filter((doc) => doc % 3 > 0),
      { anyBits },
    )[form]!;
    for (const filter of [documents, few]) {
      const options = { limit, filter, prefix: form === 1, scope, signal: undefined };
      const hits = await this.index.search(query, options);
      expect(hits, `${query} in the groups ${groups}, form ${form}`).toEqual(await this.wide.search(query, options));
    }
    // A test of candidates gives what a set of the same documents gives.
    const options = { limit, filter: few, prefix: form === 1, scope, signal: undefined };
    const tested = { ...options, filter: documents, accepts: (doc: number) => doc % 3 > 0 };
    await this.failingTest(query, { ...tested, filter: documents });
    for (const index of [this.index, this.wide])
      expect(await index.search(query, tested)).toEqual(await index.search(query, options));
  }

  /** A test of candidates that throws leaves no scores behind for the next search. */
  private async failingTest(query: string, options: Parameters<DocumentPostings['search']>[1]): Promise<void> {
    for (const index of [this.index, this.wide]) {
      let tests = 0;
      const accepts = () => {
        if (++tests === 3) throw new Error('The test failed.');
        return true;
      };
      await index.search(query, { ...options, accepts }).catch((error: Error) => {
        expect(error.message).toBe('The test failed.');
      });
    }
  }

  async compare(query: string, limit: number, filter?: DocSet, prefix = false): Promise<void> {
    const hits = await this.index.search(query, { limit, filter, prefix, signal: undefined });
    const allows = filter && ((doc: number) => docSetHas(filter, doc));
    // Bit for bit.
    expect(hits, `${query}, limit ${limit}, filter ${filter?.kind}, prefix ${prefix}`).toEqual(
      this.naive.search(query, { limit, prefix, ...(allows && { allows }) }),
    );
    await this.failingTest(query, { limit, filter, prefix, signal: undefined });
    const accepts = (doc: number) => doc % 2 === limit % 2;
    const tested = await this.index.search(query, { limit, filter, accepts, prefix, signal: undefined });
    expect(tested, `${query}, limit ${limit}, filter ${filter?.kind}, prefix ${prefix}, candidates tested`).toEqual(
      this.naive.search(query, { limit, prefix, allows: (doc) => accepts(doc) && (!allows || allows(doc)) }),
    );
    const [best] = hits;
    if (!best) return;
    const scores = await this.index.explain(query, best.doc, { prefix, signal: undefined });
    expect(scores.reduce((sum, { score }) => sum + score, 0)).toBe(best.score);
    expect(scores.every(({ frequency, score }) => frequency > 0 && score > 0)).toBe(true);
    // Best first, so documents neither ascend nor descend.
    const explainer = await this.index.explainer(query, { prefix, signal: undefined });
    for (const { doc, score } of hits) expect(explainer(doc).reduce((sum, one) => sum + one.score, 0)).toBe(score);
    // The words of a query on their own add up to the same scores.
    const totals = new Map<number, number>();
    for (const { docs, scores } of await this.index.wordHits(query, { filter, prefix, signal: undefined })) {
      for (const [at, doc] of Array.from(docs).entries()) totals.set(doc, (totals.get(doc) ?? 0) + scores[at]!);
    }
    const best100 = await this.index.search(query, { filter, limit: 100, prefix, signal: undefined });
    const found = Array.from(totals, ([doc, score]) => ({ doc, score }));
    expect(found.sort((a, b) => b.score - a.score || a.doc - b.doc).slice(0, 100)).toEqual(best100);
  }
}

/** Documents of every fourth pair of numbers are one group. */
const groupOf = (doc: number) => (doc >>> 1) % 4;

/**
 * Up to the largest number a set has half a gigabyte of bits, which take longer to go through than
 * all else here.
 */
const MOST_BITS = 1_000_000;

/**
 * The three forms of one set, and the one that it would be given; bits only if they are few, unless
 * `anyBits`.
 */
function formsOf(docs: readonly number[], { anyBits = false } = {}): DocSet[] {
  const sorted = [...new Set(docs)].sort((a, b) => a - b);
  const largest = sorted.at(-1) ?? 0;
  const own = docSetOf(Uint32Array.from(sorted));
  return [
    { kind: 'sorted', ids: Uint32Array.from(sorted), size: sorted.length },
    { kind: 'ranges', ranges: Uint32Array.from(sorted.flatMap((doc) => [doc, doc + 1])), size: sorted.length },
    largest < MOST_BITS || anyBits ? bitsOf(sorted, largest) : own,
    own,
  ];
}

function bitsOf(docs: readonly number[], largest: number): DocSet {
  const words = new Uint32Array((largest >>> 5) + 1);
  for (const doc of docs) words[doc >>> 5]! |= 1 << (doc & 31);
  return { kind: 'bitset', words, size: docs.length };
}

beforeAll(async () => {
  await Promise.all(TAGS.map((tag) => loadLanguage(languageNumber(tag))));
});

/**
 * Some words of all four languages, with accents, common beginnings and neighbours by one or two
 * letters.
 */
const WORDS = [
  'lantern lanterns lanter kettle kettles settle nettle river rivers the of die und happy happiness run running',
  'häuser hauser haus educación educaciones educacion été résumé resume Straße strasse über',
  'catalogue catalog catalogues cataloging dialogue 1815 1816 été été',
]
  .join(' ')
  .split(' ');

describe('the index agrees with the definition of BM25', () => {
  const word = fc.constantFrom(...WORDS);
  const text = fc.array(word, { maxLength: 9 }).map((words) => words.join(' '));
  const doc = fc.oneof(fc.nat(60), fc.constantFrom(4_000_000_000, 4_294_967_294));
  const command = fc.oneof(
    {
      weight: 12,
      arbitrary: fc.record({ do: fc.constant('toggle' as const), doc, text, tag: fc.constantFrom(...TAGS) }),
    },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('compact' as const) }) },
    {
      weight: 2,
      arbitrary: fc.record({
        do: fc.constant('scope' as const),
        groups: fc.subarray([0, 1, 2, 3], { minLength: 1 }),
        limit: fc.constantFrom(1, 5, 1000),
        form: fc.nat(3),
        part: fc.constantFrom('', 'ketle', 'hapiness lan', 'riverss été catalo'),
      }),
    },
    {
      weight: 4,
      arbitrary: fc.record({
        do: fc.constant('search' as const),
        query: fc
          .array(
            fc.oneof(
              { weight: 5, arbitrary: word },
              fc.constantFrom('lan', 'ket', 'ketle', 'e', 'catalouge', 'hapiness'),
            ),
            { minLength: 1, maxLength: 4 },
          )
          .map((words) => words.join(' ')),
        limit: fc.constantFrom(1, 2, 5, 1000),
        filter: fc.option(fc.array(doc), { nil: undefined }),
        form: fc.nat(3),
        prefix: fc.boolean(),
      }),
    },
  );

  it.each([
    { headDocuments: 1, headPostings: 1000, fan: 2 },
    { headDocuments: 5, headPostings: 20, fan: 3 },
    { headDocuments: 4096, headPostings: 65_536, fan: 8 },
  ])(
    'whatever is added, removed and merged, sealed at $headDocuments documents',
    async (limits) => {
      await fc.assert(
        fc.asyncProperty(fc.array(command, { maxLength: 120 }), async (commands) => {
          const pair = new Pair(limits);
          for (const each of commands) {
            if (each.do === 'toggle') pair.toggle(each.doc, each.text, each.tag);
            else if (each.do === 'compact') await pair.compact();
            else if (each.do === 'scope')
              await pair.compareScope(each.groups, each.limit, each.form, { part: each.part });
            else
              await pair.compare(each.query, each.limit, each.filter && formsOf(each.filter)[each.form], each.prefix);
          }
          expect(pair.index.size).toBe(pair.held.size);
        }),
        { numRuns: PROGRAMS },
      );
    },
    240_000,
  );

  it.each([
    { headDocuments: 4096, headPostings: 65_536, fan: 8, stride: 1 },
    { headDocuments: 700, headPostings: 65_536, fan: 4, stride: 1 },
    { headDocuments: 700, headPostings: 65_536, fan: 2, stride: 3 },
  ])(
    'over many blocks, windows and merges: heads of $headDocuments, numbers in steps of $stride',
    async ({ stride, ...limits }) => {
      const random = new SeededRandom(limits.headDocuments + stride);
      const pair = new Pair(limits);
      // Word number n is in about every n-th document, some are in few.
      const vocabulary = Array.from({ length: 60 }, (_, at) => `w${'abcdefgh'[at % 8]}${at}`);
      // Each stretch of documents has lengths and favourites of its own, so that bounds differ from
      // window to window.
      const textOf = (doc: number) => {
        const stretch = Math.floor(doc / 1700);
        const words = Array.from(
          { length: 1 + random.below(2 + ((stretch * 5) % 11)) },
          () => vocabulary[(Math.floor(60 * random.next() ** 3) + stretch * 13) % 60]!,
        );
        if (random.chance(0.001)) words.push('rarity');
        if (random.chance(0.2)) words.push(words[0]!, words[0]!);
        return words.join(' ');
      };
      const tagOf = () => random.pick(['en', 'en', 'xx']);
      const documents = 9000;
      for (let doc = 0; doc < documents; doc++) pair.add(doc * stride, textOf(doc), tagOf());
      const check = async () => {
        for (let query = 0; query < CHECKED_QUERIES; query++) {
          const words = Array.from({ length: 1 + random.below(4) }, () =>
            random.chance(0.1) ? 'rarity' : vocabulary[Math.floor(60 * random.next() ** 2)]!,
          );
          const part = random.pick([0.0005, 0.01, 0.3, 0.95]);
          const chosen = [...pair.held.keys()].filter(() => random.chance(part));
          const from = random.below(documents * stride);
          const range: DocSet = { kind: 'ranges', ranges: Uint32Array.of(from, from + 500), size: 500 };
          const filter = random.pick([undefined, undefined, range, ...formsOf(chosen)]);
          await pair.compare(words.join(' '), random.pick([1, 10, 10, 300]), filter, random.chance(0.2));
          // One group is small enough to be read whole.
          if (query % 8 === 0)
            await pair.compareReadings(words.join(' '), [random.below(4)], random.pick([1, 10, 300]), random.below(4));
        }
      };
      await check();
      // Churn: documents are removed, and some of their numbers are used again.
      for (let step = 0; step < 5000; step++) {
        const doc = random.below(documents);
        pair.toggle(doc * stride, textOf(doc), tagOf());
      }
      await check();
      await pair.compact();
      expect(pair.index.statistics).toMatchObject({ segments: 2, deadDocuments: 0 });
      await check();
    },
    240_000,
  );

  it('in scopes and filters of every form that go up to the largest numbers', async () => {
    const pair = new Pair({ headDocuments: 2, headPostings: 20, fan: 2 });
    const docs = [2, 3, 31, 32, 60, 4_000_000_000, 4_294_967_293, 4_294_967_294];
    for (const [at, doc] of docs.entries()) pair.add(doc, `lantern kettle${at % 2 ? ' river' : ''} ${WORDS[at]}`);
    for (let form = 0; form < 4; form++) {
      await pair.compareScope([1, 2, 3], 5, form, { part: 'ketle', anyBits: IS_LONG });
      await pair.compare('lantern river', 5, formsOf(docs.slice(1), { anyBits: true })[form]);
    }
  });

  it('where a block that is passed by reaches into the next window', async () => {
    const pair = new Pair();
    const within = (doc: number, start: number, count: number) => doc >= start && doc < start + count;
    for (let doc = 0; doc < 9000; doc++) {
      let text = 'filler';
      // The first window, from here on, has the first block of alpha: the limit of the search is
      // reached.
      if (doc === 5) text = 'alpha';
      else if (within(doc, 10, 127)) text = 'alpha filler filler';
      // The second begins with a block that is worth a look.
      else if (doc === 4200) text = 'alpha alpha';
      else if (within(doc, 4201, 127)) text = 'alpha filler';
      // The third is not, by itself, but reaches beyond 8296, where beta is.
      else if (doc === 8309) text = 'beta filler';
      else if (doc === 8310) text = 'beta alpha';
      else if (within(doc, 8250, 100)) text = 'alpha filler';
      pair.add(doc, text);
    }
    await pair.index.compact(new Slicer());
    await pair.compare('alpha beta', 1);
    const [best] = await pair.index.search('alpha beta', {
      limit: 1,
      filter: undefined,
      prefix: false,
      signal: undefined,
    });
    expect(best!.doc).toBe(8310);
  });

  it('where documents of several segments have equal scores', async () => {
    const pair = new Pair({ headDocuments: 2, headPostings: 100, fan: 100 });
    // Sealed in pairs, the smaller numbers last; two terms for the word, since there are two
    // languages.
    for (const doc of [50, 51, 40, 41, 30, 31, 3, 4, 60]) pair.add(doc, 'lantern', doc % 2 === 0 ? 'en' : 'xx');
    for (const limit of [1, 2, 3, 5, 9])
      for (const filter of [undefined, ...formsOf([60, 51, 41, 30, 4, 3]), ...formsOf([50, 4])])
        await pair.compare('lantern', limit, filter);
  });
});
