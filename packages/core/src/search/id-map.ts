const INITIAL_SLOTS = 8;
/** A map with more slots than this frees its memory when it is emptied. */
const KEPT_SLOTS = 64;

/**
 * Mixes the bits of an id (the finalizer of MurmurHash3), so that consecutive ids do not cluster.
 */
export function mixId(id: number): number {
  id = Math.imul(id ^ (id >>> 16), 0x85ebca6b);
  id = Math.imul(id ^ (id >>> 13), 0xc2b2ae35);
  return (id ^ (id >>> 16)) >>> 0;
}

/**
 * Map from uint32 to uint32 in two typed arrays: open addressing, linear probing, at most 3/4 full.
 * Values must be below 2^32 - 1. An empty map holds 64 bytes of data, so that a namespace can
 * afford several.
 */
export class IdMap {
  private keys = new Uint32Array(INITIAL_SLOTS);
  /** Value + 1; 0 is a free slot. */
  private values = new Uint32Array(INITIAL_SLOTS);
  private mask = INITIAL_SLOTS - 1;
  private count = 0;
  /**
   * Position where the next `take` starts, so that draining a large map does not rescan its emptied
   * front.
   */
  private cursor = 0;

  get size(): number {
    return this.count;
  }

  get memoryBytes(): number {
    return this.keys.byteLength + this.values.byteLength;
  }

  /** Returns the value of a key, or -1. */
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
    // Knuth 6.4, algorithm R: entries that probed past the hole move back into it, so no tombstones
    // are needed.
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
   * Returns up to `limit` distinct keys, unordered, without removing them. Repeated calls cycle
   * through the whole map.
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

  /** Returns the slot of a key, or the free slot where it belongs. */
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
