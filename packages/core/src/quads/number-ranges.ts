/** Iterates over the numbers of stored terms. */
export class NumberRanges {
  private readonly ranges: Uint32Array;
  private at = 0;
  private number = 0;
  private left = 0;

  /** @param ranges as in `LivingTerms`; by default `count` numbers from `first` on */
  constructor(
    first: number,
    count: number,
    ranges: Uint32Array = count > 0 ? Uint32Array.of(first, count) : new Uint32Array(0),
  ) {
    this.ranges = ranges;
    this.number = first - 1;
  }

  next(): number {
    if (this.left > 0) {
      this.left--;
      return ++this.number;
    }
    const first = this.ranges[this.at];
    if (!(first > this.number && this.ranges[this.at + 1] > 0))
      throw new RangeError('Stored terms are not in the order of their numbers.');
    this.left = this.ranges[this.at + 1] - 1;
    this.at += 2;
    this.number = first;
    return first;
  }

  /** Returns the next consecutive numbers, at most `most`, as the first one and their count. */
  take(most: number): [first: number, count: number] {
    const first = this.next();
    const count = Math.min(most, this.left + 1);
    this.left -= count - 1;
    this.number += count - 1;
    return [first, count];
  }

  end(): void {
    if (this.left > 0 || this.at !== this.ranges.length)
      throw new RangeError('Stored terms have more numbers than terms.');
  }
}
