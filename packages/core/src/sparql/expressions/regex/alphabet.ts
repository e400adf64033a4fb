import type { CodePointSet } from './code-point-set.ts';
import { contains } from './code-point-set.ts';

/** Code points below this are classified by a direct table lookup. */
const DIRECT = 256;

/**
 * Partitions the code points into classes that a pattern cannot distinguish: the coarsest partition
 * by the sets it uses. Reduces transition tables from 1,114,112 columns to a few.
 */
export class Alphabet {
  readonly size: number;
  /** Class of each code point below 256. */
  readonly direct: Uint16Array;
  /** Start of each interval of one class, ascending, and its class. */
  private readonly starts: Int32Array;
  private readonly classes: Uint16Array;
  /** A representative of each class. */
  private readonly members: Int32Array;
  private readonly sets: readonly CodePointSet[];

  /** @param newline puts U+000A into its own class, for multi-line patterns */
  constructor(sets: readonly CodePointSet[], newline: boolean) {
    this.sets = sets;
    const partition = newline ? [...sets, [10, 10]] : sets;
    const bounds = new Set([0]);
    for (const set of partition) {
      for (let i = 0; i < set.length; i += 2) {
        bounds.add(set[i]);
        if (set[i + 1] < 0x10ffff) bounds.add(set[i + 1] + 1);
      }
    }
    this.starts = Int32Array.from(bounds).sort();
    this.classes = new Uint16Array(this.starts.length);
    this.size = this.refine(partition);
    this.members = new Int32Array(this.size);
    for (let i = this.starts.length - 1; i >= 0; i--) this.members[this.classes[i]] = this.starts[i];
    this.direct = Uint16Array.from({ length: DIRECT }, (_, codePoint) => this.find(codePoint));
  }

  /** Splits classes set by set: the part of a class inside the set becomes a new class. */
  private refine(partition: readonly CodePointSet[]): number {
    let count = 1;
    const members = [this.starts.length];
    for (const set of partition) {
      const inside: number[] = [];
      const taken = new Map<number, number>();
      for (let i = 0; i < set.length; i += 2) {
        for (let at = this.intervalOf(set[i]); at < this.starts.length && this.starts[at] <= set[i + 1]; at++) {
          inside.push(at);
          taken.set(this.classes[at], (taken.get(this.classes[at]) ?? 0) + 1);
        }
      }
      const renamed = new Map<number, number>();
      for (const [old, number] of taken) {
        if (number === members[old]) continue;
        members[old] -= number;
        renamed.set(old, count);
        members[count] = number;
        count += 1;
      }
      for (const at of inside) {
        const now = renamed.get(this.classes[at]);
        if (now !== undefined) this.classes[at] = now;
      }
    }
    return count;
  }

  private intervalOf(codePoint: number): number {
    const { starts } = this;
    let low = 0;
    let high = starts.length;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (starts[middle] <= codePoint) low = middle;
      else high = middle;
    }
    return low;
  }

  private find(codePoint: number): number {
    return this.classes[this.intervalOf(codePoint)];
  }

  classOf(codePoint: number): number {
    return codePoint < DIRECT ? this.direct[codePoint] : this.find(codePoint);
  }

  /** Whether the code points of a class belong to the set with this number. */
  isIn(set: number, klass: number): boolean {
    return contains(this.sets[set], this.members[klass]);
  }
}
