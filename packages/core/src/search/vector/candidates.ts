/** Candidate rows with an upper bound of their similarity, waiting for exact re-ranking. */
export class Candidates {
  length = 0;
  readonly rows: Uint32Array;
  readonly bounds: Float32Array;
  private readonly keyOf: (row: number) => number;

  constructor(capacity: number, keyOf: (row: number) => number) {
    this.rows = new Uint32Array(capacity);
    this.bounds = new Float32Array(capacity);
    this.keyOf = keyOf;
  }

  get room(): number {
    return this.rows.length - this.length;
  }

  /** Adds a candidate. Requires room. */
  push(row: number, bound: number): void {
    this.rows[this.length] = row;
    this.bounds[this.length++] = bound;
  }

  /** Drops candidates whose bound is below the threshold. */
  keepFrom(threshold: number): void {
    const { rows, bounds } = this;
    let kept = 0;
    for (let at = 0; at < this.length; at++) {
      if (bounds[at] < threshold) continue;
      rows[kept] = rows[at];
      bounds[kept++] = bounds[at];
    }
    this.length = kept;
  }

  /**
   * Moves the `count` best candidates from `start` on to the end, unordered, by partitioning
   * (Hoare's selection). Of equal bounds the smaller key is better, so the choice does not depend
   * on row positions. Returns the position of the first of them.
   */
  bestToEnd(start: number, count: number): number {
    const wanted = this.length - count;
    if (wanted <= start) return start;
    let low = start;
    let high = this.length - 1;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.isWorse(middle, low)) this.swap(middle, low);
      if (this.isWorse(high, low)) this.swap(high, low);
      if (this.isWorse(high, middle)) this.swap(high, middle);
      if (high - low < 3) break;
      // The pivot is the median of three, stored next to the end.
      this.swap(middle, high - 1);
      let left = low;
      let right = high - 1;
      for (;;) {
        while (this.isWorse(++left, high - 1));
        while (this.isWorse(high - 1, --right));
        if (left >= right) break;
        this.swap(left, right);
      }
      this.swap(left, high - 1);
      if (left === wanted) break;
      if (left < wanted) low = left + 1;
      else high = left - 1;
    }
    return wanted;
  }

  private isWorse(one: number, other: number): boolean {
    const { bounds, rows } = this;
    if (bounds[one] !== bounds[other]) return bounds[one] < bounds[other];
    return one !== other && this.keyOf(rows[one]) > this.keyOf(rows[other]);
  }

  private swap(one: number, other: number): void {
    const { rows, bounds } = this;
    const row = rows[one];
    const bound = bounds[one];
    rows[one] = rows[other];
    bounds[one] = bounds[other];
    rows[other] = row;
    bounds[other] = bound;
  }
}
