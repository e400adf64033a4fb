import { copyRows } from './copy-rows.ts';
import { Run, type TripleColumns } from './run.ts';

/** Number of rows per step of a kernel. */
const STEP = 1 << 12;

/**
 * Renames terms of a run to ids that are greater than all others in it, and in the order of the old
 * ones. The rows need not be sorted again: those with a renamed term move behind their siblings.
 * Returns a new run. A kernel.
 *
 * @param renaming new ids by old id; 0 for terms that stay
 */
export function* renameToNewest(run: Run, renaming: Uint32Array): Generator<void, Run, void> {
  const columns: TripleColumns[] = [];
  for (const each of run.columns) {
    const moved = new MovedRows(each, renaming);
    for (let entry = 0; entry < run.contexts.length; entry++) {
      yield* moved.moveFirst(run.starts[entry], run.starts[entry + 1]);
    }
    columns.push(moved.target);
  }
  return new Run(run.contexts, run.starts, columns);
}

/** The columns of one permutation, filled row by row. */
class MovedRows {
  readonly target: TripleColumns;
  private readonly source: TripleColumns;
  private readonly renaming: Uint32Array;
  /** Number of rows in `target`. */
  private length = 0;
  /** Number of rows looked at since the last yield. */
  private looked = 0;

  constructor(source: TripleColumns, renaming: Uint32Array) {
    const { length } = source[0];
    this.source = source;
    this.renaming = renaming;
    this.target = [new Uint32Array(length), new Uint32Array(length), new Uint32Array(length)];
  }

  /** Moves the rows of one context: first those whose first term stays, then the others. */
  *moveFirst(start: number, end: number): Generator<void, void, void> {
    const { renaming } = this;
    const [first] = this.source;
    let hasRenamed = false;
    // Rows from here on stay as they are, so that they can be copied as a block.
    let plain = start;
    for (let from = start; from < end; ) {
      const to = endOfGroup(first, from, end);
      const isRenamed = renaming[first[from]] !== 0;
      if (isRenamed || this.hasRenamed(from, to)) {
        this.copy(plain, from);
        plain = to;
        if (isRenamed) hasRenamed = true;
        else yield* this.moveSecond(from, to);
      }
      if (this.isDue(to - from)) yield;
      from = to;
    }
    this.copy(plain, end);
    if (!hasRenamed) return;
    for (let from = start; from < end; ) {
      const to = endOfGroup(first, from, end);
      if (renaming[first[from]] !== 0) yield* this.moveSecond(from, to);
      if (this.isDue(to - from)) yield;
      from = to;
    }
  }

  /** Moves rows with the same first term, sorted by the second, then the third. */
  private *moveSecond(start: number, end: number): Generator<void, void, void> {
    const { renaming } = this;
    const [, second] = this.source;
    let hasRenamed = false;
    for (let from = start; from < end; ) {
      const to = endOfGroup(second, from, end);
      if (renaming[second[from]] !== 0) hasRenamed = true;
      else if (to - from <= STEP) this.moveThird(from, to);
      else yield* this.moveLongThird(from, to);
      if (this.isDue(to - from)) yield;
      from = to;
    }
    if (!hasRenamed) return;
    for (let from = start; from < end; ) {
      const to = endOfGroup(second, from, end);
      if (renaming[second[from]] !== 0) {
        if (to - from <= STEP) this.moveThird(from, to);
        else yield* this.moveLongThird(from, to);
      }
      if (this.isDue(to - from)) yield;
      from = to;
    }
  }

  /** Moves rows with the same first and second term. */
  private moveThird(start: number, end: number): void {
    if (this.pushStaying(start, end)) this.pushRenamed(start, end);
  }

  /** Like {@link moveThird}, in steps: the rows may be all those of a class. */
  private *moveLongThird(start: number, end: number): Generator<void, void, void> {
    let hasRenamed = false;
    for (let from = start; from < end; from += STEP) {
      if (this.pushStaying(from, Math.min(from + STEP, end))) hasRenamed = true;
      yield;
    }
    if (!hasRenamed) return;
    for (let from = start; from < end; from += STEP) {
      this.pushRenamed(from, Math.min(from + STEP, end));
      yield;
    }
  }

  /** Moves the rows whose third term stays. Returns whether there are others. */
  private pushStaying(start: number, end: number): boolean {
    const { renaming } = this;
    const [, , third] = this.source;
    let hasRenamed = false;
    for (let row = start; row < end; row++) {
      if (renaming[third[row]] !== 0) hasRenamed = true;
      else this.push(row);
    }
    return hasRenamed;
  }

  private pushRenamed(start: number, end: number): void {
    const { renaming } = this;
    const [, , third] = this.source;
    for (let row = start; row < end; row++) if (renaming[third[row]] !== 0) this.push(row);
  }

  /** Whether a second or third term is renamed. */
  private hasRenamed(start: number, end: number): boolean {
    const { renaming } = this;
    const [, second, third] = this.source;
    for (let row = start; row < end; row++) if (renaming[second[row]] !== 0 || renaming[third[row]] !== 0) return true;
    return false;
  }

  private push(row: number): void {
    const { source, target, renaming } = this;
    const at = this.length++;
    for (let i = 0; i < 3; i++) {
      const id = source[i][row];
      target[i][at] = renaming[id] || id;
    }
  }

  private copy(start: number, end: number): void {
    if (start === end) return;
    for (let i = 0; i < 3; i++) copyRows(this.source[i], start, this.target[i], this.length, end - start);
    this.length += end - start;
  }

  /** Rows that were only looked at count too: a first pass may move none of them. */
  private isDue(rows: number): boolean {
    this.looked += rows;
    if (this.looked < STEP) return false;
    this.looked = 0;
    return true;
  }
}

function endOfGroup(keys: Uint32Array, from: number, end: number): number {
  const key = keys[from];
  let to = from + 1;
  while (to < end && keys[to] === key) to++;
  return to;
}
