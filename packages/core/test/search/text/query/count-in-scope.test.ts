import { SeededRandom } from '@rdf-worlds/testkit';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import type { DocSet } from '../../../../src/contracts/doc-set.ts';
import { Slicer } from '../../../../src/contracts/slicer.ts';
import { docSetHas, docSetOf } from '../../../../src/search/doc-set.ts';
import { languageNumber, loadedLanguage, loadLanguage } from '../../../../src/search/text/analysis/languages.ts';
import { DocumentPostings } from '../../../../src/search/text/document-postings.ts';
import { PostingCursor } from '../../../../src/search/text/query/posting-cursor.ts';

const DOCUMENTS = 20_000;
/** Every third document holds the word. */
const holds = (doc: number) => doc % 3 === 0;
const english = () => loadedLanguage(languageNumber('en'))!;

describe('the documents of a scope that hold a word', () => {
  beforeAll(() => loadLanguage(languageNumber('en')));

  async function index(): Promise<DocumentPostings> {
    const postings = new DocumentPostings(1000);
    for (let doc = 0; doc < DOCUMENTS; doc++) {
      postings.add(doc, holds(doc) ? 'lantern' : 'kettle', english(), Math.floor(doc / 100));
    }
    await postings.compact(new Slicer());
    return postings;
  }

  const rangeOf = (start: number, end: number): DocSet => ({
    kind: 'ranges',
    ranges: Uint32Array.of(start, end),
    size: end - start,
  });

  async function idfOf(postings: DocumentPostings, documents: DocSet, groups: readonly number[]): Promise<number> {
    const hits = await postings.search('lantern', {
      limit: 1,
      filter: documents,
      prefix: false,
      scope: { groups, documents },
      signal: undefined,
    });
    return hits[0]?.score ?? 0;
  }

  /** Every text is of one word, so the saturation is 1: the score is the weight of the word. */
  const expected = (documents: number, holding: number) =>
    holding === 0 ? 0 : Math.log(1 + (documents - holding + 0.5) / (holding + 0.5));

  it('are counted exactly, in any form of set, with and without removed documents', async () => {
    const postings = await index();
    const random = new SeededRandom(7);
    const removed = new Set<number>();
    for (const round of [0, 1]) {
      for (let i = 0; i < 40; i++) {
        const groups = Array.from({ length: 1 + random.below(60) }, () => random.below(DOCUMENTS / 100));
        const distinct = [...new Set(groups)].sort((a, b) => a - b);
        const docs = distinct.flatMap((group) =>
          Array.from({ length: 100 }, (_, at) => group * 100 + at).filter((doc) => !removed.has(doc)),
        );
        const documents = docSetOf(Uint32Array.from(docs));
        const found = await idfOf(postings, documents, distinct);
        expect(found).toBeCloseTo(expected(docs.length, docs.filter(holds).length), 8);
        expect(docs.every((doc) => docSetHas(documents, doc))).toBe(true);
      }
      if (round === 0) {
        for (let doc = 0; doc < DOCUMENTS; doc += 7) {
          removed.add(doc);
          postings.remove(doc, holds(doc) ? 'lantern' : 'kettle', english(), Math.floor(doc / 100));
        }
      }
    }
  });

  it('cost blocks, not postings: a long range is counted without decoding it', async () => {
    const postings = await index();
    const decoded = vi.spyOn(PostingCursor.prototype, 'decode');
    const groups = Array.from({ length: 180 }, (_, group) => group + 10);
    await idfOf(postings, rangeOf(1000, 19_000), groups);
    // 6,000 postings are 47 blocks: those at the ends are decoded, and what the search itself looks
    // at.
    expect(decoded.mock.calls.length).toBeLessThan(20);
    decoded.mockRestore();
  });
});
