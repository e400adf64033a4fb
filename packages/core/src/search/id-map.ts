const INITIAL_SLOTS = 8;
/** Above this many slots an emptied map gives its memory back. */
const KEPT_SLOTS = 64;

/**
 * Spreads the bits of an id (the finalizer of MurmurHash3), so that runs of consecutive ids do not
 * cluster.
 */
export function mixId(id: number): number {
  id = Math.imul(id ^ (id >>> 16), 0x85ebca6b);
  id = Math.imul(id ^ (id >>> 13), 0xc2b2ae35);
  return (id ^ (id >>> 16)) >>> 0;
}

/**
 * A map from uint32 to uint32 in two typed arrays: open addressing, linear probing, at most 3/4
 * full. Values are below 2^32 - 1. An empty one is 64 bytes of data, so that a namespace can have
 * several.
 */
export class IdMap {
  private keys = new Uint32Array(INITIAL_SLOTS);
  /** Value + 1; 0 is a free slot. */
  private values = new Uint32Array(INITIAL_SLOTS);
  private mask = INITIAL_SLOTS - 1;
  private count = 0;
  /**
   * Where `take` goes on, so that draining a big map does not walk its emptied front again and
   * again.
   */
  private cursor = 0;

  get size(): number {
    return this.count;
  }

  get memoryBytes(): number {
    return this.keys.byteLength + this.values.byteLength;
  }

  /** The value of a key, or -1. */
  get(key: number): number {
    return this.values[this.slotOf(key)] - 1;
  }

  has(key: number): boolean {
    return this.values[this.slotOf(key)] !== 0;
  }

  set(key: number, value: number): void {
    let slot = this.slotOf(key);
    if (this.values[slot] === 0) {
      if ((this.count + 1) * 4 > (this.mask + 1) * 3) {
        this.rehash((this.mask + 1) * 2);
        slot = this.slotOf(key);
      }
      this.keys[slot] = key;
      this.count++;
    }
    this.values[slot] = value + 1;
  }

  delete(key: number): boolean {
    const { keys, values, mask } = this;
    let hole = this.slotOf(key);
    if (values[hole] === 0) return false;
    // Knuth 6.4, algorithm R: what probed past the hole moves back into it, so no tombstones are
    // needed.
    for (let slot = (hole + 1) & mask; values[slot] !== 0; slot = (slot + 1) & mask) {
      const home = mixId(keys[slot]) & mask;
      if (((slot - home) & mask) < ((slot - hole) & mask)) continue;
      keys[hole] = keys[slot];
      values[hole] = values[slot];
      hole = slot;
    }
    values[hole] = 0;
    this.count--;
    if (this.count === 0 && mask + 1 > KEPT_SLOTS) this.clear();
    return true;
  }

  clear(): void {
    this.keys = new Uint32Array(INITIAL_SLOTS);
    this.values = new Uint32Array(INITIAL_SLOTS);
    this.mask = INITIAL_SLOTS - 1;
    this.count = 0;
    this.cursor = 0;
  }

  /**
   * Up to `limit` distinct keys, in no order, without removing them. Repeated calls move round the
   * whole map.
   */
  take(limit: number): number[] {
    const taken: number[] = [];
    const wanted = Math.min(limit, this.count);
    let slot = this.cursor & this.mask;
    while (taken.length < wanted) {
      if (this.values[slot] !== 0) taken.push(this.keys[slot]);
      slot = (slot + 1) & this.mask;
    }
    this.cursor = slot;
    return taken;
  }

  /** The slot of a key, or the free slot where it would go. */
  private slotOf(key: number): number {
    const { keys, values, mask } = this;
    let slot = mixId(key) & mask;
    while (values[slot] !== 0 && keys[slot] !== key) slot = (slot + 1) & mask;
    return slot;
  }

  private rehash(slots: number): void {
    const { keys, values } = this;
    this.keys = new Uint32Array(slots);
    this.values = new Uint32Array(slots);
    this.mask = slots - 1;
    this.cursor = 0;
    for (let old = 0; old < keys.length; old++) {
      if (values[old] === 0) continue;
      const slot = this.slotOf(keys[old]);
      this.keys[slot] = keys[old];
      this.values[slot] = values[old];
    }
  }
}
