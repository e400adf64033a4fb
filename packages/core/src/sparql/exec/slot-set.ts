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

  static of(slots: readonly number[]): SlotSet {
    return SlotSet.EMPTY.with(slots);
  }

  has(slot: number): boolean {
    return slot < BITS ? (this.bits & (1 << slot)) !== 0 : this.others?.has(slot) === true;
  }

  /** The slots of this set and those. */
  with(slots: readonly number[]): SlotSet {
    let { bits } = this;
    let others: Set<number> | undefined;
    for (const slot of slots) {
      if (slot < BITS) bits |= 1 << slot;
      else if (!this.others?.has(slot)) {
        others ??= new Set(this.others);
        others.add(slot);
      }
    }
    return others || bits !== this.bits ? new SlotSet(bits, others ?? this.others) : this;
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
