import type { TermId } from './term-source.ts';

/** Of a size that the JavaScript heap holds itself. */
const FIRST_SIZE = 8;
const MAX_SIZE = 1 << 11;

/**
 * What was made of an id lately, one place for each remainder of ids. It begins tiny and grows with what is asked of it: most queries touch a few
 * terms, and should not pay for a table.
 */
export class IdCache<Value> {
  private ids = new Int32Array(FIRST_SIZE);
  private values: (Value | undefined)[] = new Array(FIRST_SIZE).fill(undefined);
  private missesLeft = FIRST_SIZE;
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
    const at = id & (this.ids.length - 1);
    this.ids[at] = id;
    this.values[at] = value;
    return value;
  }

  private grow(): void {
    const { ids, values } = this;
    const size = ids.length * 4;
    this.ids = new Int32Array(size);
    this.values = new Array(size).fill(undefined);
    this.missesLeft = size;
    for (let i = 0; i < ids.length; i++) {
      const at = ids[i] & (size - 1);
      this.ids[at] = ids[i];
      this.values[at] = values[i];
    }
  }
}
