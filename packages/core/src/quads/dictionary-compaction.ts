import { TERM_KIND } from '../storage/term-bytes.ts';
import type { TermId } from '../storage/term-source.ts';
import { Dictionary, FIXED_TERMS } from './dictionary.ts';
import { SPO } from './permutation.ts';
import type { Run } from './run.ts';
import { kindOf, referenceOf, SCOPE_KIND } from './term-meta.ts';
import type { TermTable } from './term-table.ts';

/** How many rows one step of a kernel handles, and how many terms it looks at. */
const STEP = 1 << 13;
/** How many terms it copies. */
const COPY_STEP = 1 << 10;

/** How much of a dictionary something is. */
export interface TermAmount {
  readonly terms: number;
  /** Of their texts. */
  readonly bytes: number;
}

/**
 * Makes a dictionary that has, under the same ids, those terms of another one that are mentioned.
 * First everything that mentions terms is marked; then what is marked is copied, in slices, while
 * commits may add terms to the old dictionary and mention others again: these are taken over before
 * the new one takes its place.
 */
export class DictionaryCompaction {
  readonly next: Dictionary;
  private readonly old: TermTable;
  private readonly upTo: number;
  /** A bit for each number up to `upTo`. */
  private readonly marks: Uint32Array;
  /** What was left out so far. */
  readonly freed = { terms: 0, bytes: 0 };
  /** The numbers up to this one are dealt with. */
  private done = FIXED_TERMS;

  /** @param upTo terms with higher ids are kept whether something mentions them or not */
  constructor(dictionary: Dictionary, upTo: number) {
    this.old = dictionary.table;
    this.upTo = upTo;
    this.marks = new Uint32Array((upTo >>> 5) + 1);
    this.next = new Dictionary(dictionary.key, dictionary.generation + 1);
    for (let number = 1; number <= FIXED_TERMS; number++) this.marks[0] |= 1 << number;
  }

  /** Keeps a term, and with it what it refers to. */
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

  /** A kernel. */
  *mentionRun(run: Run): Generator<void, void, void> {
    for (const column of run.columns[SPO]) yield* this.mentionColumn(column);
  }

  /** A kernel. */
  *mentionColumn(column: Uint32Array): Generator<void, void, void> {
    for (let row = 0; row < column.length; row++) {
      if (row % STEP === STEP - 1) yield;
      this.mention(column[row]);
    }
  }

  /**
   * Marks what the marked terms refer to: references point backwards, so that one pass from the end
   * finds all. A kernel.
   */
  *close(): Generator<void, void, void> {
    const { old, marks } = this;
    for (let number = old.size; number > this.upTo; number--) {
      if (number % STEP === 0) yield;
      if (!old.isFree(number)) this.mentionParts(number);
    }
    for (let word = marks.length - 1; word >= 0; word--) {
      if (word % (STEP / 32) === 0) yield;
      // Marking one may mark others of the same word, with lower numbers.
      for (let bit = 31; bit >= 0 && marks[word] !== 0; bit--) {
        if (marks[word] & (1 << bit)) this.mentionParts(32 * word + bit);
      }
    }
  }

  /** What there is, and what of it is not mentioned. A kernel. */
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
   * Copies what is to be kept, up to the newest term. A kernel; called again it goes on with the
   * terms that came meanwhile.
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

  /** Of a number that is dealt with. */
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
    // In one go, so that whole chunks of free numbers take no memory.
    table.skipTo(number - 1);
    table.add(meta, view, start, end, hash);
  }
}
