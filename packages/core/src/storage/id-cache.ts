import type { TermId } from './term-source.ts';

/** So many are made before there is a table. */
const UNCACHED = 8;
const FIRST_SIZE = 32;
const MAX_SIZE = 1 << 11;
/** Of one place, where nothing is: no id is 0. Nobody writes to it. */
const NO_IDS = new Int32Array(1);
const NO_VALUES: never[] = [];

/**
 * What was made of an id lately, one place for each remainder of ids. It begins with none and grows with what is asked of it: most queries touch a few
 * terms, and should not pay for a table.
 */
export class IdCache<Value> {
  private ids = NO_IDS;
  private values: (Value | undefined)[] = NO_VALUES;
  private missesLeft = UNCACHED;
  private readonly make: (id: TermId) => Value;

  /** @param make may be called again for an id that was pushed out, and must give the same then */
  constructor(make: (id: TermId) => Value) {
    this.make = make;
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
    const at = id & (this.ids.length - 1);
    this.ids[at] = id;
    this.values[at] = value;
    return value;
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
