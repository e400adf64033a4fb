import { flat } from './flat-text.ts';

/** UTF-16 units of a part, or a little more. */
const PART_UNITS = 1 << 14;

/**
 * A text that grows by short pieces to megabytes, kept in parts: joining, comparing and hashing it
 * in one go would take too long without a pause.
 */
export class PathText {
  private readonly filled: string[] = [];
  private last = '';
  private filledUnits = 0;

  /** In UTF-16 units. */
  get length(): number {
    return this.filledUnits + this.last.length;
  }

  /** Number of parts, one at least. */
  get parts(): number {
    return this.filled.length + 1;
  }

  part(index: number): string {
    return this.filled[index] ?? this.last;
  }

  add(piece: string): void {
    this.last += piece;
    if (this.last.length < PART_UNITS) return;
    this.filled.push(flat(this.last));
    this.filledUnits += this.last.length;
    this.last = '';
  }

  /** Returns a negative number if this text comes first in code unit order, 0 for equal texts. */
  compare(other: PathText): number {
    let [index, otherIndex, at, otherAt] = [0, 0, 0, 0];
    for (;;) {
      const part = this.part(index);
      const otherPart = other.part(otherIndex);
      const units = Math.min(part.length - at, otherPart.length - otherAt);
      const text = part.slice(at, at + units);
      const otherText = otherPart.slice(otherAt, otherAt + units);
      if (text !== otherText) return text < otherText ? -1 : 1;
      at += units;
      otherAt += units;
      // The shorter text, if there is one, is the beginning of the longer.
      if (
        (at === part.length && index === this.filled.length) ||
        (otherAt === otherPart.length && otherIndex === other.filled.length)
      )
        return this.length - other.length;
      if (at === part.length) [index, at] = [index + 1, 0];
      if (otherAt === otherPart.length) [otherIndex, otherAt] = [otherIndex + 1, 0];
    }
  }
}
