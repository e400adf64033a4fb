import type { TextHit } from '../../../storage/text-index.ts';
import { TopK } from '../../top-k.ts';
import { GRAIN } from '../postings/bm25.ts';

/** The best hits so far, and with them what a document must score to be among them. */
export class TopHits {
  /**
   * A document with this score is in only when its number is below `worstDoc`; with more it is in.
   */
  worstScore = 0;
  worstDoc = -1;
  private readonly top: TopK;

  constructor(limit: number) {
    this.top = new TopK(limit);
  }

  /** Whether a document from `firstDoc` on that scores no more than `bound` can still be a hit. */
  canEnter(bound: number, firstDoc: number): boolean {
    return bound > this.worstScore || (bound === this.worstScore && firstDoc < this.worstDoc);
  }

  /**
   * What gives up to this, and `others` besides, does not make a hit of a document from `firstDoc`
   * on. Differences of scores are exact.
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

  /** Best first. Empties it. */
  drain(): TextHit[] {
    const { keys, scores } = this.top.drain();
    return Array.from(keys, (doc, at) => ({ doc, score: scores[at] }));
  }
}
