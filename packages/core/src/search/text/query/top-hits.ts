import type { TextHit } from '../../../contracts/text-index.ts';
import { TopK } from '../../top-k.ts';
import { GRAIN } from '../postings/bm25.ts';

/** Room for hits at first. */
const FIRST_HITS = 64;
const NO_DOCS = new Uint32Array(0);
const NO_SCORES = new Float64Array(0);

/** Documents with their scores, in no particular order. */
export interface ScoredDocuments {
  readonly docs: Uint32Array;
  readonly scores: Float64Array;
}

/** The best hits so far, and the threshold for entering them; or all hits. */
export class TopHits {
  /**
   * Threshold: a document with this score enters only if its number is below `worstDoc`; a higher
   * score always enters.
   */
  worstScore = 0;
  worstDoc = -1;
  /** Undefined if all hits are kept. */
  private readonly top: TopK | undefined;
  private docs = NO_DOCS;
  private scores = NO_SCORES;
  private count = 0;

  /** @param limit the number of hits; undefined for all */
  constructor(limit: number | undefined) {
    this.top = limit === undefined ? undefined : new TopK(limit);
  }

  /**
   * Returns whether a document from `firstDoc` on with a score of at most `bound` can still be a
   * hit.
   */
  canEnter(bound: number, firstDoc: number): boolean {
    return bound > this.worstScore || (bound === this.worstScore && firstDoc < this.worstDoc);
  }

  /**
   * Returns the largest contribution that, together with `others`, still does not make a document
   * from `firstDoc` on a hit. Differences of scores are exact.
   */
  tooLittle(others: number, firstDoc: number): number {
    const equal = this.worstScore - others;
    return firstDoc > this.worstDoc ? equal : equal - GRAIN;
  }

  offer(doc: number, score: number): void {
    const { top } = this;
    if (!top) {
      const at = this.count++;
      if (at >= this.docs.length) this.grow();
      this.docs[at] = doc;
      this.scores[at] = score;
      return;
    }
    top.offer(doc, score);
    if (!top.isFull) return;
    this.worstScore = top.worstScore;
    this.worstDoc = top.worstKey;
  }

  /** Returns the hits, best first, and empties the heap. Requires a limit. */
  drain(): TextHit[] {
    const { keys, scores } = this.top!.drain();
    return Array.from(keys, (doc, at) => ({ doc, score: scores[at] }));
  }

  /** Whether all hits are kept, whatever their scores. */
  get keepsAll(): boolean {
    return !this.top;
  }

  /** Returns all hits. Requires that there is no limit. */
  get all(): ScoredDocuments {
    const { docs, scores, count } = this;
    return { docs: docs.subarray(0, count), scores: scores.subarray(0, count) };
  }

  private grow(): void {
    const size = Math.max(FIRST_HITS, this.docs.length * 2);
    const { docs, scores } = this;
    this.docs = new Uint32Array(size);
    this.docs.set(docs);
    this.scores = new Float64Array(size);
    this.scores.set(scores);
  }
}
