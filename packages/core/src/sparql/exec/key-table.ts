import type { Execution } from './execution.ts';
import type { RowStore } from './row-store.ts';

const FIRST_SLOTS = 64;

type Columns = readonly (Uint32Array | undefined)[];

/**
 * A hash index over some slots of a {@link RowStore}: open addressing for the distinct keys, a chain through the rows of each key.
 * Keys compare by id, so by term.
 */
export class KeyTable {
  private readonly store: RowStore;
  private readonly keys: readonly number[];
  private readonly execution: Execution;
  /** Row + 1 of the last row of a key, or 0. */
  private heads = new Uint32Array(FIRST_SLOTS);
  /** By row: row + 1 of the next row with the same key, or 0. */
  private chain = new Uint32Array(FIRST_SLOTS);
  private used = 0;

  constructor(store: RowStore, keys: readonly number[], execution: Execution) {
    this.store = store;
    this.keys = keys;
    this.execution = execution;
  }

  /** How many different keys there are. */
  get size(): number {
    return this.used;
  }

  /** Indexes a row of the store, and returns whether its key is new. */
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

  /** The last row of the store whose key equals that of a row elsewhere, or -1. `slots` are the other's slots for the keys, in their order. */
  find(columns: Columns, row: number): number {
    return this.heads[this.probe(columns, row)] - 1;
  }

  /** The row before this one with the same key, or -1. */
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
    let length = this.chain.length * 2;
    while (length < rows) length *= 2;
    this.execution.claimMemory((length - this.chain.length) * 4);
    const grown = new Uint32Array(length);
    grown.set(this.chain);
    this.chain = grown;
  }

  private growHeads(): void {
    const old = this.heads;
    this.execution.claimMemory(old.length * 4);
    this.heads = new Uint32Array(old.length * 2);
    for (const head of old) if (head !== 0) this.heads[this.probe(this.store.columns, head - 1)] = head;
  }
}
