/** Slots below this are bits. */
const BITS = 31;

/** A set of slots. Immutable. Plans make many and ask them much, and most queries have few slots: those are the bits of a number. */
export class SlotSet {
  static readonly EMPTY: SlotSet = new SlotSet(0, undefined);

  private readonly bits: number;
  /** The slots that are no bits. */
  private readonly others: ReadonlySet<number> | undefined;

  private constructor(bits: number, others: ReadonlySet<number> | undefined) {
    this.bits = bits;
    this.others = others;
  }

  /** @param isMember which of the slots; all when not given */
  static of(slots: readonly number[], isMember?: (slot: number) => boolean): SlotSet {
    return SlotSet.EMPTY.with(slots, isMember);
  }

  has(slot: number): boolean {
    return slot < BITS ? (this.bits & (1 << slot)) !== 0 : this.others?.has(slot) === true;
  }

  /** The slots of this set and those. */
  with(slots: readonly number[], isMember?: (slot: number) => boolean): SlotSet {
    let { bits } = this;
    let others: Set<number> | undefined;
    for (const slot of slots) {
      if (isMember && !isMember(slot)) continue;
      if (slot < BITS) bits |= 1 << slot;
      else if (!this.others?.has(slot)) {
        others ??= new Set(this.others);
        others.add(slot);
      }
    }
    return others || bits !== this.bits ? new SlotSet(bits, others ?? this.others) : this;
  }

  /** The slots of a list that are in this set; the list itself when all are. */
  among(slots: readonly number[]): readonly number[] {
    for (const slot of slots) if (!this.has(slot)) return slots.filter((one) => this.has(one));
    return slots;
  }

  /** The slots of a list that are not in this set; the list itself when none is. */
  outside(slots: readonly number[]): readonly number[] {
    for (const slot of slots) if (this.has(slot)) return slots.filter((one) => !this.has(one));
    return slots;
  }

  union(set: SlotSet): SlotSet {
    const others = set.others ? (this.others ? new Set([...this.others, ...set.others]) : set.others) : this.others;
    return new SlotSet(this.bits | set.bits, others);
  }

  without(slot: number): SlotSet {
    if (!this.has(slot)) return this;
    if (slot < BITS) return new SlotSet(this.bits & ~(1 << slot), this.others);
    const others = new Set(this.others);
    others.delete(slot);
    return new SlotSet(this.bits, others);
  }
}

/** Lists of fewer slots are compared pair by pair: quicker than a table for the few that most queries have. */
const FEW_SLOTS = 16;

/** The slots of a list, each once, in the order of their first appearance. */
export function distinctSlots(slots: readonly number[]): readonly number[] {
  if (slots.length >= FEW_SLOTS) return [...new Set(slots)];
  for (let at = 1; at < slots.length; at++) {
    if (slots.indexOf(slots[at]) < at) return slots.filter((slot, one) => slots.indexOf(slot) === one);
  }
  return slots;
}
