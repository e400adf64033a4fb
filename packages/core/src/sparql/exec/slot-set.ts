/** Slots below this number are stored in one integer. */
const BITS = 31;

/**
 * An immutable set of slots. Plans create and query many sets, and most queries have few slots,
 * which fit into one integer. Larger slots use an array of words: copying the bits of a thousand
 * slots takes as long as a hash table takes for a dozen.
 */
export class SlotSet {
  static readonly EMPTY: SlotSet = new SlotSet(0, undefined);

  private readonly bits: number;
  /** Bitmap of the slots that do not fit into `bits`, 32 per word. */
  private readonly words: readonly number[] | undefined;

  private constructor(bits: number, words: readonly number[] | undefined) {
    this.bits = bits;
    this.words = words;
  }

  /** @param isMember selects the slots to include; all if omitted */
  static of(slots: readonly number[], isMember?: (slot: number) => boolean): SlotSet {
    return SlotSet.EMPTY.with(slots, isMember);
  }

  has(slot: number): boolean {
    return slot < BITS ? (this.bits & (1 << slot)) !== 0 : this.words !== undefined && hasBit(this.words, slot);
  }

  hasAny(slots: readonly number[]): boolean {
    for (const slot of slots) if (this.has(slot)) return true;
    return false;
  }

  /** Returns the union with a list of slots. */
  with(slots: readonly number[], isMember?: (slot: number) => boolean): SlotSet {
    let { bits } = this;
    let words: number[] | undefined;
    for (const slot of slots) {
      if (isMember && !isMember(slot)) continue;
      if (slot < BITS) bits |= 1 << slot;
      else if (words !== undefined) addBit(words, slot);
      else if (!this.has(slot)) {
        words = this.words ? this.words.slice() : [];
        addBit(words, slot);
      }
    }
    return words || bits !== this.bits ? new SlotSet(bits, words ?? this.words) : this;
  }

  /** Returns the listed slots that are in this set, or the list itself if all are. */
  among(slots: readonly number[]): readonly number[] {
    for (const slot of slots) if (!this.has(slot)) return slots.filter((one) => this.has(one));
    return slots;
  }

  /** Returns the listed slots that are not in this set, or the list itself if none is. */
  outside(slots: readonly number[]): readonly number[] {
    for (const slot of slots) if (this.has(slot)) return slots.filter((one) => !this.has(one));
    return slots;
  }

  union(set: SlotSet): SlotSet {
    const { words } = set;
    if (!words) return new SlotSet(this.bits | set.bits, this.words);
    const all = this.words ? this.words.slice() : [];
    for (let at = 0; at < words.length; at++) all[at] = (all[at] ?? 0) | words[at];
    return new SlotSet(this.bits | set.bits, all);
  }

  intersection(set: SlotSet): SlotSet {
    const { words } = set;
    const bits = this.bits & set.bits;
    return new SlotSet(bits, words && this.words?.slice(0, words.length).map((word, at) => word & words[at]));
  }

  without(slot: number): SlotSet {
    if (!this.has(slot)) return this;
    if (slot < BITS) return new SlotSet(this.bits & ~(1 << slot), this.words);
    const words = this.words!.slice();
    words[slot >>> 5] &= ~(1 << (slot & 31));
    return new SlotSet(this.bits, words);
  }
}

function hasBit(words: readonly number[], slot: number): boolean {
  const at = slot >>> 5;
  return at < words.length && (words[at] & (1 << (slot & 31))) !== 0;
}

function addBit(words: number[], slot: number): void {
  const at = slot >>> 5;
  while (words.length <= at) words.push(0);
  words[at] |= 1 << (slot & 31);
}

/**
 * Shorter lists are compared pairwise, which is faster than a hash table for the few slots of most
 * queries.
 */
const FEW_SLOTS = 16;

/** Removes duplicates and keeps the order of first appearance. */
export function distinctSlots(slots: readonly number[]): readonly number[] {
  if (slots.length >= FEW_SLOTS) return [...new Set(slots)];
  for (let at = 1; at < slots.length; at++) {
    if (slots.indexOf(slots[at]) < at) return slots.filter((slot, one) => slots.indexOf(slot) === one);
  }
  return slots;
}

/** Returns the first list followed by the slots of the second that it lacks. */
export function unionOf(one: readonly number[], other: readonly number[]): readonly number[] {
  const added = distinctSlots(SlotSet.of(one).outside(other));
  return added.length === 0 ? one : one.concat(added);
}
