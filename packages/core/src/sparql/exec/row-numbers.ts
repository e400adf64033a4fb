import type { MemoryBudget } from '../../model/memory-budget.ts';
import { NO_ROWS, PAUSE, type Pause } from './batch.ts';
import type { Execution } from './execution.ts';

/** Initial number of slots; a power of two. */
const FIRST_SLOTS = 64;
/** Maximum load factor, in eighths. */
const LOAD = 4;
/**
 * Tables with at least this many entries are rehashed in slices. Both constants are powers of two.
 */
const MANY_SLOTS = 1 << 17;
const MOVED_AT_ONCE = 1 << 15;
/**
 * A table by id has at most this many entries for each row that was numbered, and at most
 * {@link MAX_SPAN} in all, so that it is filled within a few milliseconds.
 */
const SPAN_PER_ROW = 2;
const MAX_SPAN = 1 << 22;
/** Rows that are numbered before the first table by id. */
const FIRST_ROWS = 1024;

/**
 * Numbers the distinct rows of some columns 0, 1, 2, ... in order of first appearance: the basis of
 * grouping and DISTINCT. Rows are compared by id, hence by term.
 *
 * Layout: an open-addressing table of (hash, number + 1) pairs, and the rows stored contiguously,
 * so that a lookup touches two places in memory. Where the ids of a single column are close
 * together, as those of entities that were loaded together, an array by id replaces the hash.
 */
export class RowNumbers {
  /** Number of columns. */
  readonly width: number;
  private readonly memory: MemoryBudget;
  private slots = new Int32Array(FIRST_SLOTS * 2);
  private rows: Uint32Array;
  private used = 0;
  /** Number of rows that are in `slots`. All others are in `byId`. */
  private hashed = 0;
  /** Of a single column: number + 1 of the id `firstId + i`, or 0. */
  private byId: Uint32Array = NO_ROWS;
  private firstId = 0;
  /** Number of ids given to `assign`, and how many of them make another table by id worthwhile. */
  private assigned = 0;
  private enough = FIRST_ROWS;
  /** Number of the previous row, checked first because neighbouring rows are often equal. */
  private last = -1;

  constructor(width: number, memory: MemoryBudget) {
    this.width = width;
    this.memory = memory;
    this.rows = new Uint32Array(Math.max(1, (FIRST_SLOTS * LOAD * width) / 8));
  }

  /** Number of distinct rows. */
  get size(): number {
    return this.used;
  }

  /**
   * Grows the table for `more` rows, in slices with pauses. Call it before each batch: otherwise
   * `assign` rehashes in one step, which takes long with millions of rows.
   */
  *reserve(more: number, execution: Execution): Generator<Pause, void, void> {
    while (this.slots.length >= MANY_SLOTS && (this.hashed + more) * 16 > this.slots.length * LOAD) {
      const grown = this.newSlots();
      for (let from = 0; from < this.slots.length; from += MOVED_AT_ONCE) {
        moveSlots(this.slots, from, from + MOVED_AT_ONCE, grown);
        if (execution.pauseDue) yield PAUSE;
      }
      this.slots = grown;
    }
  }

  /** Writes the numbers of the rows `from .. to - 1` to the same positions of `numbers`. */
  assign(columns: readonly Uint32Array[], from: number, to: number, numbers: Uint32Array): void {
    if (this.width === 0) this.assignNone(from, to, numbers);
    else if (this.width === 1) this.assignOne(columns[0], from, to, numbers);
    else if (this.width === 2) this.assignTwo(columns[0], columns[1], from, to, numbers);
    else for (let row = from; row < to; row++) numbers[row] = this.number(columns, row);
  }

  /** Returns the number of one row. */
  number(columns: readonly Uint32Array[], row: number): number {
    const { last, width } = this;
    if (last >= 0 && this.equals(last, columns, row)) return last;
    if (width === 1) return (this.last = this.numberOfOne(columns[0][row]));
    let hash = 0;
    for (let i = 0; i < width; i++) hash = Math.imul(hash ^ columns[i][row], 0x9e3779b1) ^ (hash >>> 15);
    hash = finish(hash);
    let at = this.home(hash);
    for (const mask = this.slots.length - 1; this.slots[at + 1] !== 0; at = (at + 2) & mask) {
      const number = this.slots[at + 1] - 1;
      if (this.slots[at] === hash && this.equals(number, columns, row)) {
        this.last = number;
        return number;
      }
    }
    const number = this.put(at, hash);
    for (let i = 0; i < width; i++) this.rows[number * width + i] = columns[i][row];
    return number;
  }

  /** Copies one column of the numbered rows `from .. to - 1` to the start of `target`. */
  copyColumn(column: number, from: number, to: number, target: Uint32Array): void {
    const { rows, width } = this;
    for (let number = from, at = 0; number < to; number++) target[at++] = rows[number * width + column];
  }

  /** Without columns, all rows are equal. */
  private assignNone(from: number, to: number, numbers: Uint32Array): void {
    if (from === to) return;
    this.used = 1;
    numbers.fill(0, from, to);
  }

  private assignOne(column: Uint32Array, from: number, to: number, numbers: Uint32Array): void {
    this.assigned += to - from;
    if (this.assigned >= this.enough) {
      this.enough = this.assigned * 2;
      if (this.hashed > 0) this.tabulate();
    }
    let { last } = this;
    for (let row = from; row < to; row++) {
      const key = column[row];
      if (last < 0 || this.rows[last] !== key) last = this.numberOfOne(key);
      numbers[row] = last;
    }
    this.last = last;
  }

  private numberOfOne(key: number): number {
    // Also for smaller ids, which wrap around.
    const place = (key - this.firstId) >>> 0;
    if (place < this.byId.length) {
      if (this.byId[place] > 0) return this.byId[place] - 1;
      const number = this.next();
      this.rows[number] = key;
      this.byId[place] = number + 1;
      return number;
    }
    if (this.hashed === 0 && this.byId.length > 0 && this.widen(key)) return this.numberOfOne(key);
    const { slots } = this;
    const hash = finish(Math.imul(key, 0x9e3779b1));
    let at = this.home(hash);
    for (const mask = slots.length - 1; slots[at + 1] !== 0; at = (at + 2) & mask) {
      if (slots[at] === hash && this.rows[slots[at + 1] - 1] === key) return slots[at + 1] - 1;
    }
    const number = this.put(at, hash);
    this.rows[number] = key;
    return number;
  }

  /** Moves all ids to a table by id, unless they are too far apart. */
  private tabulate(): void {
    const { rows, used } = this;
    let lowest = rows[0];
    let highest = rows[0];
    for (let number = 1; number < used; number++) {
      if (rows[number] < lowest) lowest = rows[number];
      if (rows[number] > highest) highest = rows[number];
    }
    const span = highest - lowest + 1;
    if (span > this.maxSpan) return;
    this.memory.claimMemory(span * Uint32Array.BYTES_PER_ELEMENT);
    this.firstId = lowest;
    this.byId = new Uint32Array(span);
    for (let number = 0; number < used; number++) this.byId[rows[number] - lowest] = number + 1;
    this.slots = new Int32Array(FIRST_SLOTS * 2);
    this.hashed = 0;
  }

  /** Extends the table by id to another id. Returns false if that is too far away. */
  private widen(key: number): boolean {
    const { byId, firstId } = this;
    const end = firstId + byId.length;
    const needed = key < firstId ? end - key : key + 1 - firstId;
    if (needed > this.maxSpan) return false;
    // Ids mostly ascend or descend, so that the next ones are on the same side.
    const span = Math.min(Math.max(needed, byId.length * 2), this.maxSpan);
    const first = key < firstId ? Math.max(0, end - span) : firstId;
    this.memory.claimMemory((span - byId.length) * Uint32Array.BYTES_PER_ELEMENT);
    this.byId = new Uint32Array(span);
    this.byId.set(byId, firstId - first);
    this.firstId = first;
    return true;
  }

  private get maxSpan(): number {
    return Math.min(this.assigned * SPAN_PER_ROW, MAX_SPAN);
  }

  private assignTwo(one: Uint32Array, two: Uint32Array, from: number, to: number, numbers: Uint32Array): void {
    let { last } = this;
    for (let row = from; row < to; row++) {
      const a = one[row];
      const b = two[row];
      if (last < 0 || this.rows[last * 2 + 1] !== b || this.rows[last * 2] !== a) last = this.numberOfTwo(a, b);
      numbers[row] = last;
    }
    this.last = last;
  }

  /** Returns the number of a two-column row. */
  numberOfTwo(a: number, b: number): number {
    const { slots } = this;
    const first = Math.imul(a, 0x9e3779b1);
    const hash = finish(Math.imul(first ^ (first >>> 15) ^ b, 0x85ebca6b));
    let at = this.home(hash);
    for (const mask = slots.length - 1; slots[at + 1] !== 0; at = (at + 2) & mask) {
      if (slots[at] !== hash) continue;
      const number = slots[at + 1] - 1;
      if (this.rows[number * 2] === a && this.rows[number * 2 + 1] === b) return number;
    }
    const number = this.put(at, hash);
    this.rows[number * 2] = a;
    this.rows[number * 2 + 1] = b;
    return number;
  }

  private equals(number: number, columns: readonly Uint32Array[], row: number): boolean {
    const { rows, width } = this;
    for (let i = 0, at = number * width; i < width; i++) if (rows[at + i] !== columns[i][row]) return false;
    return true;
  }

  private home(hash: number): number {
    return (hash << 1) & (this.slots.length - 1);
  }

  /** Assigns the next number to a free table slot. The caller must write its row. */
  private put(at: number, hash: number): number {
    const number = this.next();
    this.slots[at] = hash;
    this.slots[at + 1] = number + 1;
    this.hashed++;
    if (this.hashed * 16 > this.slots.length * LOAD) this.growSlots();
    return number;
  }

  /** Returns the next number, with room for its row. */
  private next(): number {
    const number = this.used++;
    this.last = number;
    if ((this.used + 1) * this.width > this.rows.length) {
      this.memory.claimMemory(this.rows.byteLength);
      const grown = new Uint32Array(this.rows.length * 2);
      grown.set(this.rows);
      this.rows = grown;
    }
    return number;
  }

  private growSlots(): void {
    const grown = this.newSlots();
    moveSlots(this.slots, 0, this.slots.length, grown);
    this.slots = grown;
  }

  private newSlots(): Int32Array<ArrayBuffer> {
    this.memory.claimMemory(this.slots.byteLength);
    return new Int32Array(this.slots.length * 2);
  }
}

function moveSlots(old: Int32Array, start: number, end: number, grown: Int32Array): void {
  const mask = grown.length - 1;
  for (let from = start; from < end; from += 2) {
    if (old[from + 1] === 0) continue;
    let at = (old[from] << 1) & mask;
    while (grown[at + 1] !== 0) at = (at + 2) & mask;
    grown[at] = old[from];
    grown[at + 1] = old[from + 1];
  }
}

function finish(hash: number): number {
  const mixed = Math.imul(hash ^ (hash >>> 15), 0x85ebca6b);
  return mixed ^ (mixed >>> 13);
}
