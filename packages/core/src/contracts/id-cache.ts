import { type MemoryBudget, textBytes } from '../model/memory-budget.ts';
import type { TermId } from './term-source.ts';

/** Number of values made before the table is allocated. */
const UNCACHED = 8;
const FIRST_SIZE = 32;
const MAX_SIZE = 1 << 11;
/** Texts shorter than this are not counted: even a full table of them is small. */
const COUNTED_LENGTH = 1 << 9;
/** The table is emptied when its texts exceed this size. */
const MAX_TEXT_BYTES = 4 << 20;
/** Initial table of one empty slot, since no id is 0. Never written. */
const NO_IDS = new Int32Array(1);
const NO_VALUES: never[] = [];

/**
 * Direct-mapped cache of values made from ids, one slot per id modulo the table size. Starts
 * without a table and grows with the number of misses, because most queries touch few terms and
 * should not pay for a table.
 */
export class IdCache<Value> {
  private ids = NO_IDS;
  private values: (Value | undefined)[] = NO_VALUES;
  private missesLeft = UNCACHED;
  private textBytes = 0;
  private readonly make: (id: TermId) => Value;
  private readonly lengthOf: (value: Value) => number;
  private readonly memory: MemoryBudget | undefined;

  /**
   * @param make may be called again for an evicted id, and must return the same value
   * @param lengthOf returns the length of the text that a value holds, in UTF-16 units
   * @param memory budget that long texts are claimed from
   */
  constructor(make: (id: TermId) => Value, lengthOf: (value: Value) => number, memory?: MemoryBudget) {
    this.make = make;
    this.lengthOf = lengthOf;
    this.memory = memory;
  }

  /** @param id not NO_TERM */
  get(id: TermId): Value {
    const at = id & (this.ids.length - 1);
    if (this.ids[at] === id) return this.values[at] as Value;
    return this.miss(id);
  }

  private miss(id: TermId): Value {
    if (--this.missesLeft === 0 && this.ids.length < MAX_SIZE) this.grow();
    const value = this.make(id);
    if (this.ids === NO_IDS) return value;
    const length = this.lengthOf(value);
    if (length >= COUNTED_LENGTH) this.count(textBytes(length));
    const at = id & (this.ids.length - 1);
    this.ids[at] = id;
    this.values[at] = value;
    return value;
  }

  /** Counts the memory of a text. An evicted text stays counted until the table is emptied. */
  private count(bytes: number): void {
    if (this.textBytes + bytes > MAX_TEXT_BYTES) {
      this.ids.fill(0);
      this.values.fill(undefined);
      this.memory?.claimMemory(-this.textBytes);
      this.textBytes = 0;
    }
    this.textBytes += bytes;
    this.memory?.claimMemory(bytes);
  }

  private grow(): void {
    const { ids, values } = this;
    const size = ids === NO_IDS ? FIRST_SIZE : ids.length * 4;
    this.ids = new Int32Array(size);
    this.values = new Array(size).fill(undefined);
    this.missesLeft = size;
    if (ids === NO_IDS) return;
    for (let i = 0; i < ids.length; i++) {
      const at = ids[i] & (size - 1);
      this.ids[at] = ids[i];
      this.values[at] = values[i];
    }
  }
}
