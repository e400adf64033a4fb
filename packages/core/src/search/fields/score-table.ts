import { IdMap } from '../id-map.ts';

/** Scores are stored in an array by id once at least one in this many ids has a score. */
const DENSE = 16;

/** Scores by id, 0 by default. Any number of reads, and few ids with a score. */
export class ScoreTable {
  /** By id, or by place. */
  private readonly scores: Float64Array;
  private readonly places: IdMap | undefined;
  private count = 0;

  /**
   * @param end ids are below this
   * @param most upper bound of the number of ids that ever get a score
   */
  constructor(end: number, most: number) {
    this.places = most * DENSE < end ? new IdMap() : undefined;
    this.scores = new Float64Array(this.places ? most : end);
  }

  get(id: number): number {
    const { places, scores } = this;
    if (!places) return scores[id];
    const place = places.get(id);
    return place < 0 ? 0 : scores[place];
  }

  add(id: number, score: number): void {
    this.scores[this.placeOf(id)] += score;
  }

  /** Sets a score unless it is greater already. */
  raise(id: number, score: number): void {
    const place = this.placeOf(id);
    if (score > this.scores[place]) this.scores[place] = score;
  }

  /** Returns a score and resets it to 0. */
  take(id: number): number {
    const { places, scores } = this;
    const place = places ? places.get(id) : id;
    if (place < 0) return 0;
    const score = scores[place];
    scores[place] = 0;
    return score;
  }

  private placeOf(id: number): number {
    const { places } = this;
    if (!places) return id;
    let place = places.get(id);
    if (place < 0) places.set(id, (place = this.count++));
    return place;
  }
}
