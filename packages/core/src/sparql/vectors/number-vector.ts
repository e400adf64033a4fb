import { VALUE } from '../../contracts/value-column.ts';
import type { MemoryBudget } from '../../model/memory-budget.ts';

const BYTES_A_ROW = 9;

/**
 * The values of an expression for the rows of a batch, unboxed: a kind and a number for each row.
 * If the kind of a row is `opaque`, the number is meaningless and the expression must be evaluated
 * for that row on its own.
 */
export class NumberVector {
  /** Kinds from {@link VALUE}; never `unread`. */
  kinds = new Uint8Array(0);
  numbers = new Float64Array(0);
  private readonly memory: MemoryBudget;

  /** @param memory budget from which the arrays are claimed */
  constructor(memory: MemoryBudget) {
    this.memory = memory;
  }

  /** Grows to at least `capacity` rows. Discards the contents if it grows. */
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
 * Returns the units of a decimal: its digits without the point, as an integer. Rounding is exact,
 * because with at most 15 digits the product is off by less than a half.
 */
export function unitsOf(number: number, scale: number): number {
  return scale === 0 ? number : Math.round(number * POWERS[scale]);
}

/** Returns the scale (number of fraction digits) of an integer or decimal kind. */
export function scaleOf(kind: number): number {
  return kind === VALUE.integer ? 0 : kind - VALUE.decimal;
}
