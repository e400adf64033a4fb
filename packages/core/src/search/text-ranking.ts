import type { DocSet } from '../contracts/doc-set.ts';
import type { Slicer } from '../contracts/slicer.ts';
import type { TermScore } from '../contracts/text-index.ts';
import { docSetOf } from './doc-set.ts';
import type { FieldRanking, FieldScore } from './fields/field-index.ts';
import type { RankedDocument } from './rank-fusion.ts';
import { TopK } from './top-k.ts';

/** Documents between two checks of the clock: well below a millisecond. */
const STRIDE = 64;

/** Factor by which the depth grows each round. */
const DEEPER = 4;

export interface JoinedRanking {
  /** Number of documents wanted. */
  readonly depth: number;
  /** Returns the best documents by text alone, best first, within a filter. */
  readonly byText: (depth: number, filter: DocSet | undefined) => Promise<readonly RankedDocument[]>;
  /**
   * Returns the scores of a document's matching text terms; undefined if the index cannot explain.
   */
  readonly textScores: ((doc: number) => readonly TermScore[]) | undefined;
  readonly fields: FieldRanking;
  readonly compare: (a: number, b: number) => number;
}

/**
 * Returns the best documents by their texts and the names around them. Each query word counts once
 * per document, where it scores highest: a document that contains all words, some in its text and
 * some in its names, ranks above one that contains the same word in many places.
 *
 * Exact without scoring every document (the threshold algorithm; Fagin, Lotem, Naor, PODS 2001): a
 * document that is in neither list down to some depth scores at most the sum of both lists' scores
 * at that depth.
 */
export async function rankWithFields(work: JoinedRanking, slicer: Slicer): Promise<RankedDocument[]> {
  const { depth, byText, fields, compare } = work;
  if (fields.docs.length === 0) return [...(await byText(depth, undefined))];
  const best = new BestDocuments(depth, compare);
  const seen = new Set<number>();
  for (let deep = depth; ; deep *= DEEPER) {
    const texts = await byText(deep, undefined);
    const named = bestOf(fields, deep);
    // Deeper lists start with the documents of shallower ones.
    const fresh = new Map<number, number>();
    for (const { doc, score } of texts) if (!seen.has(doc)) fresh.set(doc, score);
    const unranked = named.filter(({ doc }) => !seen.has(doc) && !fresh.has(doc)).map(({ doc }) => doc);
    for (const doc of unranked) fresh.set(doc, 0);
    // Documents below the depth of the text list may still have a text score.
    if (texts.length >= deep && unranked.length > 0) {
      const only = docSetOf(Uint32Array.from(unranked));
      for (const { doc, score } of await byText(unranked.length, only)) fresh.set(doc, score);
    }
    // In the order of documents, in which posting lists are read forwards.
    let visited = 0;
    for (const doc of Uint32Array.from(fresh.keys()).sort()) {
      seen.add(doc);
      best.offer(doc, totalOf(doc, fresh.get(doc)!, work));
      if (++visited % STRIDE === 0 && slicer.due) await slicer.pause();
    }
    const bound = boundOf(texts, deep) + boundOf(named, deep);
    const ranked = best.list();
    if (bound === 0 || (ranked.length >= depth && ranked[depth - 1].score >= bound)) return [...ranked];
  }
}

/** Documents collected between two sorts. */
const MIN_PENDING = 256;

/** The best documents so far. */
class BestDocuments {
  private ranked: RankedDocument[] = [];
  private readonly pending: RankedDocument[] = [];
  private readonly limit: number;
  private readonly compare: (a: number, b: number) => number;

  /** @param compare order of documents with equal scores */
  constructor(limit: number, compare: (a: number, b: number) => number) {
    this.limit = limit;
    this.compare = compare;
  }

  offer(doc: number, score: number): void {
    const { ranked, pending, limit } = this;
    const worst = ranked.length === limit ? ranked[limit - 1] : undefined;
    if (worst && (score < worst.score || (score === worst.score && this.compare(doc, worst.doc) > 0))) return;
    pending.push({ doc, score });
    if (pending.length >= Math.max(limit, MIN_PENDING)) this.list();
  }

  /** Returns the best of the offered documents, best first. */
  list(): readonly RankedDocument[] {
    const { pending, limit, compare } = this;
    if (pending.length > 0) {
      const all = this.ranked.concat(pending.splice(0));
      all.sort((a, b) => b.score - a.score || compare(a.doc, b.doc));
      this.ranked = all.slice(0, limit);
    }
    return this.ranked;
  }
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

function totalOf(doc: number, text: number, { textScores, fields }: JoinedRanking): number {
  const names = fields.scoresOf(doc);
  if (names.length === 0) return text;
  // Without per-term scores, text words cannot be matched with name words.
  if (!textScores) return text + names.reduce((sum, { score }) => sum + score, 0);
  let total = 0;
  for (const { score } of countedScores(textScores(doc), names)) total += score;
  return total;
}

/** Returns an upper bound of the scores beyond the depth at which a list was cut. */
function boundOf(list: readonly RankedDocument[], depth: number): number {
  return list.length < depth ? 0 : list[list.length - 1].score;
}

function bestOf({ docs, scores }: FieldRanking, depth: number): RankedDocument[] {
  const top = new TopK(Math.min(depth, docs.length));
  for (let at = 0; at < docs.length; at++) top.offer(docs[at], scores[at]);
  const best = top.drain();
  return Array.from(best.keys, (doc, at) => ({ doc, score: best.scores[at] }));
}
