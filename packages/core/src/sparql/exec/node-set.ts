import type { TermId } from '../../contracts/term-source.ts';
import type { MemoryBudget } from '../../model/memory-budget.ts';

const FIRST_SLOTS = 64;
/** Up to this many slots, a hash table is small enough to be copied when it grows. */
const MOST_SLOTS = 1 << 13;
/** Number of ids of a page, as a power of two: 4 KiB. */
const PAGE_BITS = 15;

/**
 * A set of ids that only grows: a hash table for a few, then a bitmap in pages, which is never
 * copied. The ids of one kind of node tend to be close together.
 */
export class NodeSet {
  private readonly memory: MemoryBudget;
  /** A free slot is 0, which is no id. Half of the slots at most are used. */
  private slots: Uint32Array = new Uint32Array(FIRST_SLOTS);
  private used = 0;
  private pages: (Uint32Array | undefined)[] | undefined;

  constructor(memory: MemoryBudget) {
    this.memory = memory;
  }

  /** Adds an id. Returns false if the set has it. */
  add(id: TermId): boolean {
    if (this.pages) return this.addToPage(this.pages, id);
    const { slots } = this;
    const at = slotOf(slots, id);
    if (slots[at] === id) return false;
    slots[at] = id;
    if (++this.used * 2 > slots.length) this.grow();
    return true;
  }

  private addToPage(pages: (Uint32Array | undefined)[], id: TermId): boolean {
    const page = (pages[id >>> PAGE_BITS] ??= this.newSlots(1 << (PAGE_BITS - 5)));
    const word = (id >>> 5) & (page.length - 1);
    const bit = 1 << (id & 31);
    if (page[word] & bit) return false;
    page[word] |= bit;
    return true;
  }

  private grow(): void {
    const { slots } = this;
    if (slots.length < MOST_SLOTS) {
      this.slots = this.newSlots(slots.length * 4);
      for (const id of slots) if (id !== 0) this.slots[slotOf(this.slots, id)] = id;
    } else {
      this.pages = [];
      for (const id of slots) if (id !== 0) this.addToPage(this.pages, id);
      this.slots = new Uint32Array(0);
    }
  }

  private newSlots(length: number): Uint32Array {
    const slots = new Uint32Array(length);
    this.memory.claimMemory(slots.byteLength);
    return slots;
  }
}

/** Returns the slot of an id, or the free one where it belongs. */
function slotOf(slots: Uint32Array, id: TermId): number {
  const mask = slots.length - 1;
  const hash = Math.imul(id, 0x9e3779b1);
  let at = (hash ^ (hash >>> 15)) & mask;
  while (slots[at] !== 0 && slots[at] !== id) at = (at + 1) & mask;
  return at;
}
