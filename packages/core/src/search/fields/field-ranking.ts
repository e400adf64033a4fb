import type { DocSet } from '../../contracts/doc-set.ts';
import type { Slicer } from '../../contracts/slicer.ts';
import type { TermScore, WordHits } from '../../contracts/text-index.ts';
import { docSetOf } from '../doc-set.ts';
import type { SearchField } from './field-weights.ts';
import type { NameWords } from './name-words.ts';
import { ScoreTable } from './score-table.ts';

/**
 * Looking up a document costs as much as reading this many postings, so that word lists are
 * filtered only by sets of fewer than one in this number of all documents.
 */
const LOOK_UP_COST = 32;

/** Score of a query word in one field of a document. */
export interface FieldScore extends TermScore {
  /** Where the word occurs. */
  readonly field: SearchField;
}

/** The names that match a query, and how documents are found by them. */
export interface MatchedNames {
  readonly words: NameWords;
  /** Number of documents, and an upper bound of their numbers. */
  readonly size: number;
  readonly end: number;
  /** The rows of each document's subject and predicate. */
  readonly subjectRows: Uint32Array;
  readonly predicateRows: Uint32Array;
  /** Number of documents of a row. */
  readonly usesOf: (row: number) => number;
  /** Adds the allowed documents of a subject's row. */
  readonly addDocuments: (row: number, to: number[]) => void;
  /** Returns the allowed documents of which a name matches. */
  readonly scan: () => Promise<number[]>;
  readonly explainer: () => Promise<(doc: number) => readonly FieldScore[]>;
}

/** The words of a query in texts. */
export interface TextWords {
  /** Number of documents wanted. */
  readonly depth: number;
  readonly words: readonly WordHits[];
  /** Whether they are of all allowed documents, not only of the named ones. */
  readonly areOfAll: boolean;
}

export interface ScoredDocuments {
  /** Without duplicates, in no order. */
  readonly docs: number[];
  /** By document. */
  readonly totals: ScoreTable;
}

/**
 * Scores of the documents around whose texts there are names that match a query. Valid until a
 * document is added or removed.
 */
export class FieldRanking {
  /** Returns a function that explains the names of a document. */
  readonly explainer: () => Promise<(doc: number) => readonly FieldScore[]>;
  private readonly names: MatchedNames;

  constructor(names: MatchedNames) {
    this.names = names;
    this.explainer = names.explainer;
  }

  /** Whether no name matches. */
  get isEmpty(): boolean {
    return this.names.words.rows.length === 0;
  }

  /** Whether so few documents are named that looking them up costs less than reading word lists. */
  get isSelective(): boolean {
    const { words, size, usesOf } = this.names;
    let left = size / LOOK_UP_COST;
    for (const row of words.rows) if ((left -= usesOf(row)) < 0) return false;
    return true;
  }

  /** Returns the allowed documents of which a name matches. */
  async documents(): Promise<DocSet> {
    return docSetOf(Uint32Array.from(await this.all()));
  }

  /**
   * Returns the documents that may be among the best `depth`, with their scores: for each word of
   * the query, that of the document's text, or that of a name around it if it is greater. All
   * documents with one of `words`, unless those are of named documents only.
   */
  async totals({ depth, words: texts, areOfAll }: TextWords, slicer: Slicer): Promise<ScoredDocuments> {
    const { words, end, subjectRows, predicateRows } = this.names;
    const { sums, hasPredicates } = words;
    const docs = hasPredicates ? await this.all() : this.best(depth);
    const hits = texts.reduce((sum, word) => sum + word.docs.length, docs.length);
    // Room for as many hits by text alone.
    const totals = new ScoreTable(end, hits + depth);
    /** Documents of which both the subject and the predicate match. */
    const twice: number[] = [];
    for (const doc of docs) {
      const ofSubject = sums.get(subjectRows[doc]);
      const ofPredicate = hasPredicates ? sums.get(predicateRows[doc]) : 0;
      totals.add(doc, ofSubject + ofPredicate);
      if (ofSubject > 0 && ofPredicate > 0) twice.push(doc);
    }
    const textWords = new Map<string, WordHits[]>();
    for (const word of texts) textWords.set(word.word, [...(textWords.get(word.word) ?? []), word]);
    for (const word of new Set([...(twice.length > 0 ? words.words : []), ...textWords.keys()])) {
      const names = words.load(word);
      if (names) {
        for (const doc of twice) totals.add(doc, -Math.min(names.get(subjectRows[doc]), names.get(predicateRows[doc])));
      }
      const { docs: found, scores } = summed(textWords.get(word) ?? [], end);
      for (let at = 0; at < found.length; at++) {
        const doc = found[at];
        const row = subjectRows[doc];
        if (totals.get(doc) === 0) {
          const sum = sums.get(row);
          if (sum === 0 && !areOfAll) continue;
          totals.add(doc, sum);
          docs.push(doc);
        }
        let known = 0;
        if (names) known = hasPredicates ? Math.max(names.get(row), names.get(predicateRows[doc])) : names.get(row);
        if (scores[at] > known) totals.add(doc, scores[at] - known);
      }
      if (names) words.unload(word);
      if (slicer.due) await slicer.pause();
    }
    return { docs, totals };
  }

  private async all(): Promise<number[]> {
    const { words, scan, addDocuments } = this.names;
    if (words.hasPredicates) return scan();
    const docs: number[] = [];
    for (const row of words.rows) addDocuments(row, docs);
    return docs;
  }

  /** Returns the best documents by the names of their subjects, with all of equal score. */
  private best(depth: number): number[] {
    const { words, addDocuments } = this.names;
    const best: number[] = [];
    let least = 0;
    for (const row of words.bestRows(depth)) {
      addDocuments(row, best);
      if (best.length < depth) continue;
      least = words.sums.get(row);
      break;
    }
    const docs: number[] = [];
    for (const row of words.rows) if (words.sums.get(row) >= least) addDocuments(row, docs);
    return docs;
  }
}

/** Returns the hits of one word; a word may be searched in several ways, whose scores add up. */
function summed(ways: readonly WordHits[], end: number): Pick<WordHits, 'docs' | 'scores'> {
  if (ways.length === 1) return ways[0];
  const most = ways.reduce((sum, { docs }) => sum + docs.length, 0);
  const sums = new ScoreTable(end, most);
  for (const { docs, scores } of ways) for (let at = 0; at < docs.length; at++) sums.add(docs[at], scores[at]);
  const docs: number[] = [];
  const scores: number[] = [];
  for (const way of ways) {
    for (let at = 0; at < way.docs.length; at++) {
      const score = sums.take(way.docs[at]);
      if (score === 0) continue;
      docs.push(way.docs[at]);
      scores.push(score);
    }
  }
  return { docs, scores };
}
