import { TERM_KIND } from '../contracts/term-bytes.ts';
import type { TermId } from '../contracts/term-source.ts';
import { Dictionary, FIXED_TERMS } from './dictionary.ts';
import { SPO } from './permutation.ts';
import type { Run } from './run.ts';
import { kindOf, referenceOf, SCOPE_KIND } from './term-meta.ts';
import type { TermTable } from './term-table.ts';

/** Number of rows scanned, or terms inspected, per step of a kernel. */
const STEP = 1 << 13;
/** Number of terms copied per step. */
const COPY_STEP = 1 << 10;

/** A share of a dictionary. */
export interface TermAmount {
  readonly terms: number;
  /** Bytes of their texts. */
  readonly bytes: number;
}

/**
 * Builds a dictionary that contains only the mentioned terms of another one, under the same ids.
 * First marks everything that mentions terms, then copies the marked terms in slices. Meanwhile
 * commits may add terms to the old dictionary and mention unmarked ones again; those are copied too
 * before the new dictionary replaces the old one.
 */
export class DictionaryCompaction {
  readonly next: Dictionary;
  /** The dictionary whose terms are copied. */
  readonly dictionary: Dictionary;
  private readonly old: TermTable;
  private readonly upTo: number;
  /** One bit per number up to `upTo`. */
  private readonly marks: Uint32Array;
  /** The terms dropped so far. */
  readonly freed = { terms: 0, bytes: 0 };
  /** High-water mark: numbers up to this one have been processed. */
  private done = FIXED_TERMS;

  /** @param upTo terms with higher ids are kept unconditionally */
  constructor(dictionary: Dictionary, upTo: number) {
    this.dictionary = dictionary;
    this.old = dictionary.table;
    this.upTo = upTo;
    this.marks = new Uint32Array((upTo >>> 5) + 1);
    this.next = new Dictionary(dictionary.key, dictionary.generation + 1);
    for (let number = 1; number <= FIXED_TERMS; number++) this.marks[0] |= 1 << number;
  }

  /** Keeps a term and everything it refers to. */
  mention(id: TermId): void {
    if (id > this.done) {
      if (id <= this.upTo) this.marks[id >>> 5] |= 1 << (id & 31);
    } else if (!this.hasCopied(id)) {
      this.mentionParts(id);
      this.copy(id);
      this.freed.terms--;
      this.freed.bytes -= this.old.lengthOf(id);
    }
  }

  mentionAll(ids: Iterable<TermId>): void {
    for (const id of ids) this.mention(id);
  }

  /** Keeps the terms of a run. A kernel. */
  *mentionRun(run: Run): Generator<void, void, void> {
    for (const column of run.columnsOf(SPO)) yield* this.mentionColumn(column);
  }

  /** Keeps the terms of a column. A kernel. */
  *mentionColumn(column: Uint32Array): Generator<void, void, void> {
    for (let row = 0; row < column.length; row++) {
      if (row % STEP === STEP - 1) yield;
      this.mention(column[row]);
    }
  }

  /**
   * Marks the terms that marked terms refer to. References point backwards, so one pass from the
   * end suffices. A kernel.
   */
  *close(): Generator<void, void, void> {
    const { old, marks } = this;
    for (let number = old.size; number > this.upTo; number--) {
      if (number % STEP === 0) yield;
      if (!old.isFree(number)) this.mentionParts(number);
    }
    for (let word = marks.length - 1; word >= 0; word--) {
      if (word % (STEP / 32) === 0) yield;
      // Marking a term may mark others with lower numbers in the same word.
      for (let bit = 31; bit >= 0 && marks[word] !== 0; bit--) {
        if (marks[word] & (1 << bit)) this.mentionParts(32 * word + bit);
      }
    }
  }

  /** Measures all terms and the unmentioned ones. A kernel. */
  *measure(): Generator<void, { readonly all: TermAmount; readonly dead: TermAmount }, void> {
    const { old } = this;
    const all = { terms: 0, bytes: 0 };
    const dead = { terms: 0, bytes: 0 };
    for (let number = old.nextLiving(1, old.size); number <= old.size; number = old.nextLiving(number + 1, old.size)) {
      if (all.terms % STEP === STEP - 1) yield;
      const bytes = old.lengthOf(number);
      all.terms++;
      all.bytes += bytes;
      if (this.isKept(number)) continue;
      dead.terms++;
      dead.bytes += bytes;
    }
    return { all, dead };
  }

  /**
   * Copies the terms to keep, up to the newest one. A kernel. Calling it again continues with terms
   * added meanwhile.
   */
  *copyKept(): Generator<void, void, void> {
    const { old, next } = this;
    let steps = 0;
    while (this.done < old.size) {
      const number = old.nextLiving(this.done + 1, old.size);
      if (number > old.size) {
        this.done = old.size;
      } else {
        if (this.isKept(number)) {
          this.mentionParts(number);
          this.copy(number);
        } else {
          this.freed.terms++;
          this.freed.bytes += old.lengthOf(number);
        }
        this.done = number;
      }
      if (++steps % COPY_STEP === 0) yield;
    }
    next.table.skipTo(this.done);
  }

  /** Requires a number that has been processed. */
  private hasCopied(number: number): boolean {
    const { table } = this.next;
    return number <= table.size && (number <= FIXED_TERMS || !table.isFree(number));
  }

  private isKept(number: number): boolean {
    return number > this.upTo || (this.marks[number >>> 5] & (1 << (number & 31))) !== 0;
  }

  private mentionParts(number: number): void {
    const meta = this.old.metaOf(number);
    const kind = kindOf(meta);
    if (kind === TERM_KIND.triple) {
      const view = this.old.viewOf(number);
      const start = this.old.startOf(number);
      for (let at = 0; at < 12; at += 4) this.mention(view.getUint32(start + at, true));
    } else if (kind !== SCOPE_KIND) {
      this.mention(referenceOf(meta));
    }
  }

  private copy(number: number): void {
    const { old } = this;
    const { table } = this.next;
    const meta = old.metaOf(number);
    const view = old.viewOf(number);
    const start = old.startOf(number);
    const end = start + old.lengthOf(number);
    const hash = table.hash(view, start, end);
    if (number <= table.size) {
      table.addAt(number, meta, view, start, end, hash);
      return;
    }
    // Skips all free numbers in one call, so that whole chunks of them take no memory.
    table.skipTo(number - 1);
    table.add(meta, view, start, end, hash);
  }
}
