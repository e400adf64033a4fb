import type { Slicer } from '../contracts/slicer.ts';
import type { TermScore, WordHits } from '../contracts/text-index.ts';
import type { FieldRanking, FieldScore } from './fields/field-ranking.ts';
import type { RankedDocument } from './rank-fusion.ts';
import { TopK } from './top-k.ts';

/** Documents between two checks of the clock: well below a millisecond. */
const STRIDE = 4096;

export interface JoinedRanking {
  /** Number of documents wanted. */
  readonly depth: number;
  /** Returns the best documents by text alone, best first. */
  readonly byText: (depth: number) => Promise<readonly RankedDocument[]>;
  /** Returns the words in the texts of all documents, or of the named ones only. */
  readonly textWords: () => Promise<{ readonly words: readonly WordHits[]; readonly areOfAll: boolean }>;
  readonly fields: FieldRanking;
  readonly compare: (a: number, b: number) => number;
}

/**
 * Returns the best documents by their texts and the names around them. Each query word counts once
 * per document, where it scores highest: a document that contains all words, some in its text and
 * some in its names, ranks above one that contains the same word in many places.
 *
 * Scores are added up word by word, which reads each posting of the query once. If the names match
 * few documents, only those are looked up; all others are hits only if they are by text alone, and
 * are ranked with the pruning of the text index.
 */
export async function rankWithFields(work: JoinedRanking, slicer: Slicer): Promise<RankedDocument[]> {
  const { depth, byText, textWords, fields, compare } = work;
  if (fields.isEmpty) return [...(await byText(depth))];
  const { words, areOfAll } = await textWords();
  const { docs, totals } = await fields.totals({ depth, words, areOfAll }, slicer);
  const texts = areOfAll ? [] : await byText(depth);
  for (const { doc, score } of texts) {
    if (totals.get(doc) > 0) continue;
    totals.add(doc, score);
    docs.push(doc);
  }
  const top = new TopK(Math.min(depth, docs.length));
  for (let at = 0; at < docs.length; at++) {
    top.offer(docs[at], totals.get(docs[at]));
    if (at % STRIDE === 0 && slicer.due) await slicer.pause();
  }
  // All documents of the last score, of which `compare` chooses.
  const least = top.worstScore;
  const best: RankedDocument[] = [];
  for (const doc of docs) {
    const score = totals.get(doc);
    if (score >= least) best.push({ doc, score });
  }
  return best.sort((a, b) => b.score - a.score || compare(a.doc, b.doc)).slice(0, depth);
}

/**
 * Returns the scores of a document that count: for each word those of its text, or that of a name
 * if it is higher. (A query word may match several terms of the text, whose scores add up.)
 */
export function countedScores(text: readonly TermScore[], names: readonly FieldScore[]): ReadonlySet<TermScore> {
  const words = new Map<string, { total: number; scores: TermScore[] }>();
  for (const score of text) {
    const known = words.get(score.word);
    if (known) {
      known.total += score.score;
      known.scores.push(score);
    } else words.set(score.word, { total: score.score, scores: [score] });
  }
  for (const score of names) {
    const known = words.get(score.word);
    if (!known || score.score > known.total) words.set(score.word, { total: score.score, scores: [score] });
  }
  return new Set([...words.values()].flatMap(({ scores }) => scores));
}
