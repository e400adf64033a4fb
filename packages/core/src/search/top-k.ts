/**
 * Top-k heap: keeps the best `capacity` entries of a stream of (key, score) in typed arrays, with
 * the worst one at its root. Higher scores are better; of equal scores, the smaller key.
 */
export class TopK {
  private readonly keys: Uint32Array;
  private readonly scores: Float64Array;
  private readonly capacity: number;
  private length = 0;

  constructor(capacity: number) {
    this.capacity = capacity;
    this.keys = new Uint32Array(capacity);
    this.scores = new Float64Array(capacity);
  }

  /** Smallest score that can still enter; -Infinity while there is room. */
  get floor(): number {
    return this.length < this.capacity ? -Infinity : this.capacity === 0 ? Infinity : this.scores[0];
  }

  get isFull(): boolean {
    return this.length === this.capacity;
  }

  /**
   * Score of the worst entry; of equal scores, the one with the largest key. Meaningless while the
   * heap is empty.
   */
  get worstScore(): number {
    return this.scores[0];
  }

  get worstKey(): number {
    return this.keys[0];
  }

  offer(key: number, score: number): void {
    if (this.length < this.capacity) {
      this.siftUp(this.length++, key, score);
      return;
    }
    if (this.capacity === 0 || score < this.scores[0]) return;
    if (score === this.scores[0] && key > this.keys[0]) return;
    this.siftDown(key, score);
  }

  /** Returns the entries, best first, and empties the heap. */
  drain(): { keys: Uint32Array; scores: Float64Array } {
    const keys = new Uint32Array(this.length);
    const scores = new Float64Array(this.length);
    while (this.length > 0) {
      this.length--;
      keys[this.length] = this.keys[0];
      scores[this.length] = this.scores[0];
      this.siftDown(this.keys[this.length], this.scores[this.length]);
    }
    return { keys, scores };
  }

  private siftUp(at: number, key: number, score: number): void {
    const { keys, scores } = this;
    while (at > 0) {
      const parent = (at - 1) >>> 1;
      if (!isWorse(key, score, keys[parent], scores[parent])) break;
      keys[at] = keys[parent];
      scores[at] = scores[parent];
      at = parent;
    }
    keys[at] = key;
    scores[at] = score;
  }

  /** Replaces the root. */
  private siftDown(key: number, score: number): void {
    const { keys, scores, length } = this;
    let at = 0;
    for (;;) {
      let child = at * 2 + 1;
      if (child >= length) break;
      if (child + 1 < length && isWorse(keys[child + 1], scores[child + 1], keys[child], scores[child])) child++;
      if (!isWorse(keys[child], scores[child], key, score)) break;
      keys[at] = keys[child];
      scores[at] = scores[child];
      at = child;
    }
    keys[at] = key;
    scores[at] = score;
  }
}

function isWorse(key: number, score: number, otherKey: number, otherScore: number): boolean {
  return score < otherScore || (score === otherScore && key > otherKey);
}
