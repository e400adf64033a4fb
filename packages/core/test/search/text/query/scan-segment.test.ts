import { SeededRandom } from '@rdf-worlds/testkit';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import type { DocSet } from '../../../../src/contracts/doc-set.ts';
import { Slicer } from '../../../../src/contracts/slicer.ts';
import { loadedLanguage, loadLanguage } from '../../../../src/search/text/analysis/languages.ts';
import { DocumentPostings } from '../../../../src/search/text/document-postings.ts';
import { SegmentSet } from '../../../../src/search/text/postings/segment-set.ts';
import { PostingCursor } from '../../../../src/search/text/query/posting-cursor.ts';

const DOCUMENTS = 60_000;
const index = new DocumentPostings(1000);

/**
 * `common` is in every other document, `frequent` in one of ten, `rare` in twenty; a few short
 * texts come early.
 */
function textOf(doc: number, random: SeededRandom): string {
  const words = Array.from({ length: 4 + random.below(8) }, () => `filler${random.below(400)}`);
  if (doc % 2 === 0) words.push('common');
  if (doc % 10 === 0) words.push('frequent');
  if (doc % 3000 === 0) words.push('rare');
  return (doc % 500 === 0 && doc < 10_000 ? words.slice(-3) : words).join(' ');
}

/** How many blocks a search decodes: the work that grows with the posting lists. */
async function decodedBlocks(query: string, limit: number, filter?: DocSet): Promise<number> {
  let count = 0;
  const { decode } = PostingCursor.prototype;
  vi.spyOn(PostingCursor.prototype, 'decode').mockImplementation(function (this: PostingCursor) {
    if (Reflect.get(this, 'decoded') !== this.block) count++;
    decode.call(this);
  });
  await index.search(query, { limit, filter, prefix: false, signal: undefined });
  vi.restoreAllMocks();
  return count;
}

afterEach(() => void vi.restoreAllMocks());

beforeAll(async () => {
  const english = await loadLanguage(1);
  const random = new SeededRandom(1);
  for (let doc = 0; doc < DOCUMENTS; doc++) index.add(doc, textOf(doc, random), english);
  await index.compact(new Slicer());
  expect(index.statistics).toMatchObject({ segments: 2, documents: DOCUMENTS });
});

describe('a search', () => {
  it('passes by the blocks that hold no hit', async () => {
    // 235 and 47 blocks.
    expect(await decodedBlocks('common', 10)).toBeLessThan(60);
    expect(await decodedBlocks('frequent', 10)).toBeLessThan(25);
    expect(await decodedBlocks('frequent', DOCUMENTS)).toBe(47);
  });

  it('looks common words up for the documents that have the rare one', async () => {
    expect(await decodedBlocks('common rare', 10)).toBeLessThan(70);
  });

  it('is the faster, the fewer documents are allowed', async () => {
    const all = await decodedBlocks('common frequent', DOCUMENTS);
    expect(all).toBeGreaterThan(250);
    const ids = (count: number) =>
      Uint32Array.from({ length: count }, (_, at) => 17 + at * Math.floor(DOCUMENTS / count));
    const world: DocSet = { kind: 'ranges', ranges: Uint32Array.of(30_000, 30_200), size: 200 };
    expect(await decodedBlocks('common frequent', DOCUMENTS, world)).toBeLessThan(10);
    const few: DocSet = { kind: 'sorted', ids: ids(20), size: 20 };
    expect(await decodedBlocks('common frequent', DOCUMENTS, few)).toBeLessThan(60);
    const words = new Uint32Array(DOCUMENTS / 32);
    words.fill(0xffff_ffff, 900, 910);
    expect(await decodedBlocks('common frequent', DOCUMENTS, { kind: 'bitset', words, size: 320 })).toBeLessThan(50);
  });

  it('lets the event loop run', async () => {
    const pause = vi.spyOn(Slicer.prototype, 'pause');
    vi.spyOn(Slicer.prototype, 'due', 'get').mockReturnValue(true);
    await index.search('common filler1 filler2 filler3 frequent', {
      limit: DOCUMENTS,
      filter: undefined,
      prefix: false,
      signal: undefined,
    });
    expect(pause).not.toHaveBeenCalled();
    const many = Array.from({ length: 60 }, (_, at) => `filler${at}`).join(' ');
    await index.search(`common ${many}`, { limit: DOCUMENTS, filter: undefined, prefix: false, signal: undefined });
    expect(pause).toHaveBeenCalled();
  });

  it('ends when its signal fires in the middle', async () => {
    const controller = new AbortController();
    vi.spyOn(Slicer.prototype, 'due', 'get').mockReturnValue(true);
    const many = Array.from({ length: 60 }, (_, at) => `filler${at}`).join(' ');
    const searching = index.search(many, {
      limit: DOCUMENTS,
      filter: undefined,
      prefix: false,
      signal: controller.signal,
    });
    controller.abort();
    await expect(searching).rejects.toMatchObject({ code: 'ABORTED' });
    vi.restoreAllMocks();
    // What it left behind disturbs nobody.
    const hits = await index.search('rare', { limit: 100, filter: undefined, prefix: false, signal: undefined });
    expect(hits.map(({ doc }) => doc).sort((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, at) => at * 3000));
  });
});

describe('a change', () => {
  it('does a small piece of the merges that are due', () => {
    const english = loadedLanguage(1)!;
    const fresh = new DocumentPostings(1000);
    let most = 0;
    let sum = 0;
    const step = SegmentSet.prototype.step;
    vi.spyOn(SegmentSet.prototype, 'step').mockImplementation(function (this: SegmentSet) {
      const work = step.call(this);
      sum += work;
      return work;
    });
    const random = new SeededRandom(2);
    for (let doc = 0; doc < 50_000; doc++) {
      sum = 0;
      fresh.add(doc, textOf(doc, random), english);
      most = Math.max(most, sum);
    }
    // In documents and postings; a text has some ten.
    expect(most).toBeLessThan(10_000);
    // And yet the segments stay few.
    expect(fresh.statistics.segments).toBeLessThan(16);
  });
});
