import type { TextHit } from '../../../contracts/text-index.ts';
import { TopK } from '../../top-k.ts';
import { GRAIN } from '../postings/bm25.ts';

/** The best hits so far, and the threshold for entering them. */
export class TopHits {
  /**
   * Threshold: a document with this score enters only if its number is below `worstDoc`; a higher
   * score always enters.
   */
  worstScore = 0;
  worstDoc = -1;
  private readonly top: TopK;

  constructor(limit: number) {
    this.top = new TopK(limit);
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
    this.top.offer(doc, score);
    if (!this.top.isFull) return;
    this.worstScore = this.top.worstScore;
    this.worstDoc = this.top.worstKey;
  }

  /** Returns the hits, best first, and empties the heap. */
  drain(): TextHit[] {
    const { keys, scores } = this.top.drain();
    return Array.from(keys, (doc, at) => ({ doc, score: scores[at] }));
  }
}
