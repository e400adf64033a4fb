import { VALUE } from '../../contracts/value-column.ts';
import type { MemoryBudget } from '../../model/memory-budget.ts';

const BYTES_A_ROW = 9;

/**
 * The values of an expression for the rows of a batch, unboxed. A row whose kind is `opaque` has no
 * number: evaluate the expression for that row by itself.
 */
export class NumberVector {
  /** From {@link VALUE}; never `unread`. */
  kinds = new Uint8Array(0);
  numbers = new Float64Array(0);
  private readonly memory: MemoryBudget;

  /** @param memory budget that its bytes are claimed from */
  constructor(memory: MemoryBudget) {
    this.memory = memory;
  }

  /** Makes room for a batch. The contents are lost. */
  reserve(capacity: number): void {
    const added = capacity - this.kinds.length;
    if (added <= 0) return;
    this.memory.claimMemory(added * BYTES_A_ROW);
    this.kinds = new Uint8Array(capacity);
    this.numbers = new Float64Array(capacity);
  }
}

const POWERS = Float64Array.from({ length: 23 }, (_, exponent) => 10 ** exponent);

/** Returns 10 to the power of an exponent from 0 to 22, an exact double. */
export function powerOfTen(exponent: number): number {
  return POWERS[exponent];
}

/**
 * Returns the integer that a decimal's digits spell, without its point. The nearest double times a
 * power of ten is off by less than a half, since there are at most 15 digits.
 */
export function unitsOf(number: number, scale: number): number {
  return scale === 0 ? number : Math.round(number * POWERS[scale]);
}

/** The scale of an integer or decimal kind. */
export function scaleOf(kind: number): number {
  return kind === VALUE.integer ? 0 : kind - VALUE.decimal;
}
