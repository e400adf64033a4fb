import { mixId } from '../id-map.ts';
import { LANGUAGE_TABLE } from './analysis/language-table.ts';
import { loadedLanguage } from './analysis/languages.ts';
import { accentedStemOf, stemOf } from './analysis/text-analyzer.ts';
import { hashBytes } from './analysis/word-hash.ts';
import type { GroupCount } from './group-counts.ts';
import { PostingReader } from './postings/posting-reader.ts';
import { BLOCK, type Segment } from './postings/segment.ts';
import { readVarint, varintLength } from './postings/varint.ts';
import { ACCENTED, ONLY_STEM, STOP_WORD, type WordTable } from './words/word-table.ts';

/** One of two indexes of the same documents. It has no head: all documents are in segments. */
export interface ComparedPostings {
  readonly words: WordTable;
  readonly segments: readonly Segment[];
  readonly groups: readonly GroupCount[];
}

/** Postings or words between two yields. */
const STRIDE = 4096;

/**
 * Describes how an index differs from one that was built from the texts of the same documents. A
 * kernel. Words have different numbers in the two and are compared by their texts; their postings
 * by two sums of hashes, which do not depend on order.
 */
export function* comparePostings(stored: ComparedPostings, built: ComparedPostings): Generator<void, string[]> {
  const problems: string[] = [];
  for (const segment of stored.segments) {
    if (!(yield* isSound(segment))) problems.push('The text index has a segment whose blocks or lists are wrong.');
  }
  const mine = yield* sumsOf(stored);
  const theirs = yield* sumsOf(built);
  if (mine.documents !== theirs.documents) problems.push('The text index has other documents or lengths of texts.');
  let [wrong, used] = [0, 0];
  for (let word = 0; word < built.words.size; word++) {
    if (word % STRIDE === 0) yield;
    if (!isUsed(built.words, word)) continue;
    used++;
    const same = find(stored.words, built.words, word);
    const isSame =
      same >= 0 &&
      stored.words.uses[same] === built.words.uses[word] &&
      stored.words.documents[same] === built.words.documents[word] &&
      mine.low[same] === theirs.low[word] &&
      mine.high[same] === theirs.high[word];
    if (!isSame) wrong++;
  }
  let stems = 0;
  for (let word = 0; word < stored.words.size; word++) {
    if (word % STRIDE === 0) yield;
    if (isUsed(stored.words, word)) used--;
    if (!hasRightStem(stored.words, word)) stems++;
  }
  if (wrong > 0 || used !== 0)
    problems.push(`The text index has wrong entries for ${Math.max(wrong, Math.abs(used))} words.`);
  if (stems > 0) problems.push(`The text index has wrong stems of ${stems} words.`);
  if (countsOf(stored.groups) !== countsOf(built.groups))
    problems.push('The text index has wrong counts of documents and words by world and language.');
  return problems;
}

function isUsed({ uses, documents }: WordTable, word: number): boolean {
  return uses[word] > 0 || documents[word] > 0;
}

/** Returns the number in `table` of a word of another table, or -1. */
function find(table: WordTable, other: WordTable, word: number): number {
  const start = other.textStart(word);
  const length = other.textLength(word);
  const bytes = other.bytes.subarray(start, start + length);
  return table.find(other.spaceOf(word), bytes, length, hashBytes(bytes, 0, length));
}

/** Returns whether a word has the stem, or is the stop word, that its language says. */
function hasRightStem(table: WordTable, word: number): boolean {
  const stem = table.stemOf[word];
  if (table.isGone(word) || stem === ONLY_STEM) return true;
  const space = table.spaceOf(word);
  const language = space % ACCENTED < LANGUAGE_TABLE.length ? loadedLanguage(space % ACCENTED) : undefined;
  const text = table.text(word);
  if (!language || language.isStopWord(text) || stem === STOP_WORD)
    return language?.isStopWord(text) === true && stem === STOP_WORD;
  const right = space >= ACCENTED ? accentedStemOf(text, language) : stemOf(text, language);
  return table.spaceOf(stem) === language.number && table.text(stem) === right;
}

interface Sums {
  /** Two sums of hashes of the postings of each word. */
  readonly low: Uint32Array;
  readonly high: Uint32Array;
  /** Sums of hashes of the living documents with the codes of their lengths. */
  readonly documents: string;
}

function* sumsOf({ words, segments }: ComparedPostings): Generator<void, Sums> {
  const low = new Uint32Array(words.size);
  const high = new Uint32Array(words.size);
  let [ofDocuments, ofLengths, work] = [0, 0, 0];
  const reader = new PostingReader();
  for (const segment of segments) {
    for (let local = 0; local < segment.size; local++) {
      if (++work % STRIDE === 0) yield;
      if (segment.isDead(local)) continue;
      const doc = mixId(segment.docAt(local));
      ofDocuments = (ofDocuments + doc) >>> 0;
      ofLengths = (ofLengths + mixId(doc ^ segment.lengths[local])) >>> 0;
    }
    for (let at = 0; at < segment.terms.length; at++) {
      const term = segment.terms[at];
      reader.open(segment, segment.starts[at]);
      while (reader.next()) {
        if (++work % STRIDE === 0) yield;
        // The list is longer than its segment.
        if (reader.local >= segment.size) break;
        if (segment.isDead(reader.local)) continue;
        const posting = mixId(mixId(segment.docAt(reader.local)) ^ reader.frequency);
        low[term] += posting;
        high[term] += mixId(posting ^ 0x9e3779b9);
      }
    }
  }
  return { low, high, documents: `${ofDocuments} ${ofLengths}` };
}

function countsOf(groups: readonly GroupCount[]): string {
  const lines = groups.map(({ group, language, documents, length }) => [group, language, documents, length].join(' '));
  return lines.sort().join('\n');
}

/**
 * Returns whether the bounds of a segment's blocks and lists, which searches skip by, are right and
 * the lists follow each other. A kernel.
 */
function* isSound({ terms, starts, bytes, blocks, lengths, size, postings }: Segment): Generator<void, boolean> {
  let [block, at, count] = [0, 0, 0];
  for (let list = 0; list < terms.length; list++) {
    if (starts[list] !== at) return false;
    const length = readVarint(bytes, at);
    at += varintLength(length);
    const isLong = length > BLOCK;
    const whole = { shortest: 255, frequent: 0, frequentShortest: 255 };
    let boundsAt = at;
    if (isLong) {
      if (readVarint(bytes, at) !== block) return false;
      boundsAt = at + varintLength(block);
      at = boundsAt + 3;
    }
    let local = -1;
    for (let left = length; left > 0; ) {
      if (isLong && blocks.start[block] !== at) return false;
      const bounds = { shortest: 255, frequent: 0, frequentShortest: 255 };
      const here = Math.min(BLOCK, left);
      for (let posting = 0; posting < here; posting++) {
        if (++count % STRIDE === 0) yield;
        const value = readVarint(bytes, at);
        at += varintLength(value);
        local += (value >>> 1) + 1;
        if (!(local < size && at <= bytes.length)) return false;
        const code = lengths[local];
        if ((value & 1) === 0) bounds.shortest = Math.min(bounds.shortest, code);
        else {
          bounds.frequent = Math.max(bounds.frequent, bytes[at++]);
          bounds.frequentShortest = Math.min(bounds.frequentShortest, code);
        }
      }
      left -= here;
      if (!isLong) continue;
      const isRight =
        blocks.last[block] === local &&
        blocks.shortest[block] === bounds.shortest &&
        blocks.frequent[block] === bounds.frequent &&
        blocks.frequentShortest[block] === bounds.frequentShortest;
      if (!isRight) return false;
      whole.shortest = Math.min(whole.shortest, bounds.shortest);
      whole.frequent = Math.max(whole.frequent, bounds.frequent);
      whole.frequentShortest = Math.min(whole.frequentShortest, bounds.frequentShortest);
      block++;
    }
    const isRight =
      !isLong ||
      (bytes[boundsAt] === whole.shortest &&
        bytes[boundsAt + 1] === whole.frequent &&
        bytes[boundsAt + 2] === whole.frequentShortest);
    if (!isRight) return false;
  }
  return at === bytes.length && block === blocks.last.length && count === postings;
}
