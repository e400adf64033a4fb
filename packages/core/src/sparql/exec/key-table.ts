import { PAUSE, type Pause } from './batch.ts';
import type { Execution } from './execution.ts';
import { copySliced, type RowStore } from './row-store.ts';

const FIRST_SLOTS = 64;
/**
 * Tables with at least this many heads are rehashed in slices. Both constants are powers of two.
 */
const MANY_HEADS = 1 << 16;
const MOVED_AT_ONCE = 1 << 13;

type Columns = readonly (Uint32Array | undefined)[];

/**
 * Hash index over the key slots of a {@link RowStore}: open addressing for the distinct keys, and a
 * chain through the rows of each key. Keys are compared by id, hence by term.
 */
export class KeyTable {
  private readonly store: RowStore;
  private readonly keys: readonly number[];
  private readonly execution: Execution;
  /** By hash position: row + 1 of the latest row with the key, or 0. */
  private heads = new Uint32Array(FIRST_SLOTS);
  /** By row: row + 1 of the previous row with the same key, or 0. */
  private chain = new Uint32Array(FIRST_SLOTS);
  private used = 0;

  constructor(store: RowStore, keys: readonly number[], execution: Execution) {
    this.store = store;
    this.keys = keys;
    this.execution = execution;
  }

  /** Number of distinct keys. */
  get size(): number {
    return this.used;
  }

  /** Indexes a row of the store and returns whether its key is new. */
  add(row: number): boolean {
    if (row >= this.chain.length) this.growChain(row + 1);
    const { heads } = this;
    const at = this.probe(this.store.columns, row);
    this.chain[row] = heads[at];
    heads[at] = row + 1;
    if (this.chain[row] !== 0) return false;
    if (++this.used * 8 > heads.length * 5) this.growHeads();
    return true;
  }

  /**
   * Grows the table for `more` rows of the store, in slices with pauses; see
   * {@link RowNumbers.reserve}.
   */
  *reserve(more: number): Generator<Pause, void, void> {
    const rows = this.store.length + more;
    if (rows > this.chain.length) {
      const grown = this.grownChain(rows);
      yield* copySliced(this.chain, grown, this.chain.length, this.execution);
      this.chain = grown;
    }
    while (this.heads.length >= MANY_HEADS && (this.used + more) * 8 > this.heads.length * 5) {
      const old = this.startGrowth();
      for (let from = 0; from < old.length; from += MOVED_AT_ONCE) {
        this.moveHeads(old, from, from + MOVED_AT_ONCE);
        if (this.execution.pauseDue) yield PAUSE;
      }
    }
  }

  /**
   * Returns the latest stored row whose key equals that of the given row, or -1. Requires `columns`
   * to have the key slots.
   */
  find(columns: Columns, row: number): number {
    return this.heads[this.probe(columns, row)] - 1;
  }

  /** Returns the previous row with the same key, or -1. */
  next(row: number): number {
    return this.chain[row] - 1;
  }

  private probe(columns: Columns, row: number): number {
    const { heads, keys, store } = this;
    const mask = heads.length - 1;
    let hash = 0;
    for (let i = 0; i < keys.length; i++) hash = Math.imul(hash ^ columns[keys[i]]![row], 0x9e3779b1) ^ (hash >>> 13);
    hash = Math.imul(hash ^ (hash >>> 15), 0x85ebca6b);
    for (let at = (hash ^ (hash >>> 13)) & mask; ; at = (at + 1) & mask) {
      const head = heads[at];
      if (head === 0) return at;
      let equal = true;
      for (let i = 0; equal && i < keys.length; i++) {
        equal = store.columns[keys[i]]![head - 1] === columns[keys[i]]![row];
      }
      if (equal) return at;
    }
  }

  private growChain(rows: number): void {
    const grown = this.grownChain(rows);
    grown.set(this.chain);
    this.chain = grown;
  }

  /** Returns an empty chain for this many rows, and claims its memory. */
  private grownChain(rows: number) {
    let length = this.chain.length * 2;
    while (length < rows) length *= 2;
    this.execution.claimMemory((length - this.chain.length) * 4);
    return new Uint32Array(length);
  }

  private growHeads(): void {
    const old = this.startGrowth();
    this.moveHeads(old, 0, old.length);
  }

  private startGrowth(): Uint32Array {
    const old = this.heads;
    this.execution.claimMemory(old.length * 4);
    this.heads = new Uint32Array(old.length * 2);
    return old;
  }

  private moveHeads(old: Uint32Array, start: number, end: number): void {
    for (let at = start; at < end; at++) {
      if (old[at] !== 0) this.heads[this.probe(this.store.columns, old[at] - 1)] = old[at];
    }
  }
}
