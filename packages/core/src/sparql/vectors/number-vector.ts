import { COMPARABLE, hasFraction, NUMERIC, VALUE } from '../../contracts/value-column.ts';
import type { MemoryBudget } from '../../model/memory-budget.ts';
import type { Batch } from '../exec/batch.ts';

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
  /**
   * Bounds of the kinds of the rows, so that a loop over rows of one class needs no test per row.
   * Writers that do not know them keep what {@link reserve} sets.
   */
  lowest = 0;
  highest = MAX_KIND;
  private readonly memory: MemoryBudget;

  /** @param memory budget from which the arrays are claimed */
  constructor(memory: MemoryBudget) {
    this.memory = memory;
  }

  /**
   * Grows to at least `capacity` rows, and forgets the bounds of the kinds. Discards the contents
   * if it grows. Call it before each batch.
   */
  reserve(capacity: number): void {
    this.lowest = 0;
    this.highest = MAX_KIND;
    const added = capacity - this.kinds.length;
    if (added <= 0) return;
    this.memory.claimMemory(added * BYTES_A_ROW);
    this.kinds = new Uint8Array(capacity);
    this.numbers = new Float64Array(capacity);
  }

  /** Sets the bounds of vectors whose rows are all of one kind. */
  setKind(kind: number): void {
    this.lowest = kind;
    this.highest = kind;
  }

  /**
   * The class, of {@link COMPARABLE}, that all rows are known to share and in which the numbers
   * alone decide every comparison; 0 if there is none.
   */
  get comparable(): number {
    const { lowest, highest } = this;
    if (lowest >= VALUE.double) return NUMERIC;
    return lowest === highest && !hasFraction(lowest) ? COMPARABLE[lowest] : 0;
  }
}

/** Not lower than any kind. */
const MAX_KIND = 255;

/**
 * An arithmetic expression compiled for whole batches: computes the values of all rows in one call,
 * without an object per row. Rows whose value does not fit a vector (see {@link NumberVector}) are
 * evaluated one by one elsewhere. The vector has at least as many entries as the batch has rows,
 * and is valid until the next call.
 */
export type NumberProgram = (batch: Batch) => NumberVector;

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
