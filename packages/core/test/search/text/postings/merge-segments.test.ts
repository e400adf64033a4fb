import { SeededRandom } from '@rdf-worlds/testkit';
import { describe, expect, it } from 'vitest';
import { Head } from '../../../../src/search/text/postings/head.ts';
import { mergeSegments } from '../../../../src/search/text/postings/merge-segments.ts';
import { PostingReader } from '../../../../src/search/text/postings/posting-reader.ts';
import type { Segment } from '../../../../src/search/text/postings/segment.ts';

/** Frequencies by term by document. */
type Postings = Map<number, Map<number, number>>;

/** The living postings of a segment, and that its block table tells the truth. */
function read(segment: Segment): Postings {
  const postings: Postings = new Map();
  for (let local = 0; local < segment.size; local++)
    if (!segment.isDead(local)) postings.set(segment.docAt(local), new Map());
  const reader = new PostingReader();
  for (const [at, term] of segment.terms.entries()) {
    expect(segment.listOf(term)).toBe(segment.starts[at]);
    reader.open(segment, segment.starts[at]!);
    while (reader.next())
      if (!segment.isDead(reader.local)) postings.get(segment.docAt(reader.local))!.set(term, reader.frequency);
  }
  return postings;
}

function fill(head: Head, random: SeededRandom, docs: readonly number[]): Postings {
  const held: Postings = new Map();
  for (const doc of docs) {
    const terms = Uint32Array.from({ length: 40 }, (_, term) => term).filter((term) =>
      random.chance(1 / (1 + term / 4)),
    );
    const frequencies = Uint8Array.from(terms, () => (random.chance(0.8) ? 1 : 2 + random.below(254)));
    head.add(doc, random.below(256), terms, frequencies, terms.length);
    held.set(doc, new Map(Array.from(terms, (term, at) => [term, frequencies[at]!])));
  }
  return held;
}

function merge(segments: readonly Segment[], between = () => {}): { merged: Segment | undefined; most: number } {
  const steps = mergeSegments(segments);
  let most = 0;
  for (;;) {
    const step = steps.next();
    if (step.done) return { merged: step.value, most };
    most = Math.max(most, step.value);
    between();
  }
}

const shuffled = (random: SeededRandom, docs: number[]) =>
  docs
    .map((doc) => [random.next(), doc] as const)
    .sort(([a], [b]) => a - b)
    .map(([, doc]) => doc);

describe('a head', () => {
  it('seals living documents, in document order', () => {
    const random = new SeededRandom(3);
    const head = new Head();
    const docs = shuffled(
      random,
      Array.from({ length: 2000 }, (_, at) => at * 3 + (at > 1000 ? 4_000_000_000 : 0)),
    );
    const held = fill(head, random, docs);
    for (const doc of docs.slice(0, 500)) {
      head.kill(head.find(doc));
      expect(head.find(doc)).toBe(-1);
      held.delete(doc);
    }
    const segment = head.seal()!;
    expect(Array.from({ length: segment.size }, (_, local) => segment.docAt(local))).toEqual(
      [...held.keys()].sort((a, b) => a - b),
    );
    expect(read(segment)).toEqual(new Map([...held].sort(([a], [b]) => a - b)));
  });

  it('without living documents seals to nothing', () => {
    const head = new Head();
    expect(head.seal()).toBeUndefined();
    head.add(1, 0, new Uint32Array(0), new Uint8Array(0), 0);
    head.kill(0);
    expect(head.seal()).toBeUndefined();
  });
});

describe('merged segments', () => {
  it.each([
    ['one after the other', (from: number, at: number) => from * 1500 + at],
    ['mixed', (from: number, at: number) => at * 5 + from],
    ['in reverse', (from: number, at: number) => (4 - from) * 1500 + at],
  ])('contain the postings of their inputs, documents %s', (_how, number) => {
    const random = new SeededRandom(5);
    const all: Postings = new Map();
    const segments = Array.from({ length: 5 }, (_, from) => {
      const head = new Head();
      const docs = Array.from({ length: from === 3 ? 1 : 1500 }, (__, at) => number(from, at));
      const held = fill(head, random, docs);
      const segment = head.seal()!;
      expect(segment.docs === null).toBe(docs.length === 1 || docs[1] === docs[0]! + 1);
      for (const [doc, terms] of held) {
        if (random.chance(0.2)) segment.kill(segment.find(doc));
        else all.set(doc, terms);
      }
      return segment;
    });
    const { merged, most } = merge(segments);
    expect(read(merged!)).toEqual(new Map([...all].sort(([a], [b]) => a - b)));
    expect(merged!.deadCount).toBe(0);
    // Bounded steps, however long the lists are.
    expect(most).toBeLessThan(10_000);
  });

  it('of dead documents are nothing', () => {
    const head = new Head();
    fill(head, new SeededRandom(1), [7]);
    const segment = head.seal()!;
    segment.kill(0);
    expect(merge([segment]).merged).toBeUndefined();
  });

  it('may contain documents that were deleted during the merge', () => {
    const random = new SeededRandom(2);
    const segments = [0, 1].map((from) => {
      const head = new Head();
      fill(
        head,
        random,
        Array.from({ length: 3000 }, (_, at) => at * 2 + from),
      );
      return head.seal()!;
    });
    let next = 0;
    const { merged } = merge(segments, () => {
      for (const segment of segments) segment.kill(next);
      next++;
    });
    expect(next).toBeGreaterThan(3);
    expect(merged!.size).toBeGreaterThan(6000 - 2 * next);
    for (let doc = 2 * next; doc < 6000; doc++) expect(merged!.docAt(merged!.find(doc))).toBe(doc);
  });
});

describe('the block table', () => {
  it('bounds each block', () => {
    const random = new SeededRandom(9);
    const head = new Head();
    fill(
      head,
      random,
      Array.from({ length: 4000 }, (_, at) => at * 2),
    );
    const segment = head.seal()!;
    const { last, shortest, frequent, frequentShortest } = segment.blocks;
    expect(last.length).toBeGreaterThan(50);
    const reader = new PostingReader();
    let block = 0;
    for (const start of segment.starts) {
      reader.open(segment, start);
      const list: { local: number; frequency: number; code: number }[] = [];
      while (reader.next())
        list.push({ local: reader.local, frequency: reader.frequency, code: segment.lengths[reader.local]! });
      if (list.length <= 128) continue;
      for (let at = 0; at < list.length; at += 128, block++) {
        const part = list.slice(at, at + 128);
        const once = part.filter(({ frequency }) => frequency === 1);
        const often = part.filter(({ frequency }) => frequency > 1);
        expect([last[block], shortest[block], frequent[block], frequentShortest[block]]).toEqual([
          part.at(-1)!.local,
          Math.min(255, ...once.map(({ code }) => code)),
          Math.max(0, ...often.map(({ frequency }) => frequency)),
          Math.min(255, ...often.map(({ code }) => code)),
        ]);
      }
    }
    expect(block).toBe(last.length);
  });
});
