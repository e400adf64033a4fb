/**
 * Sums up rows regardless of their order, so that answers of different products can be compared:
 * values are normalised, because products write numbers and times differently.
 */
export class RowChecksum {
  private count = 0;
  private first = 0;
  private second = 0;

  /** Adds a row; the order of the cells is of no matter, and unbound ones count as absent. */
  add(names: readonly string[], values: readonly (string | null | undefined)[]): void {
    let [first, second] = [0, 0];
    for (let at = 0; at < names.length; at++) {
      const value = values[at];
      if (value === undefined || value === null) continue;
      const cell = `${names[at]}=${normalised(value)}`;
      first = (first + hash(cell, 0x811c_9dc5)) | 0;
      second = (second + hash(cell, 0x2545_f491)) | 0;
    }
    this.count++;
    // Multiplied by itself, so that cells that change rows change the sum.
    this.first = (this.first + Math.imul(first | 1, second | 1)) | 0;
    this.second = (this.second + Math.imul(second ^ (first >>> 7), 0x9e37_79b1)) | 0;
  }

  get rows(): number {
    return this.count;
  }

  /** Equal for the same rows, and with near certainty for them only. */
  toString(): string {
    return `${this.count} rows, ${hex(this.first)}${hex(this.second)}`;
  }
}

/** The names of the cells of a triple. */
export const TRIPLE = ['subject', 'predicate', 'object'];

/** Doubles of sums differ by the order of the addends, and averages by their precision. */
const DIGITS = 10;
/**
 * Rounded to these first: what is halfway between two numbers of fewer digits then is so in all.
 */
const MORE_DIGITS = 14;
const NUMBER = /^[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?$/;
const TIME = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d)(?:\.0+)?(?:Z|\+00(?::00)?)?$/;

/** Returns the value in the spelling that equal numbers and times share. */
export function normalised(value: string): string {
  if (NUMBER.test(value)) {
    return String(Number(Number(Number(value).toPrecision(MORE_DIGITS)).toPrecision(DIGITS)));
  }
  const time = TIME.exec(value);
  return time ? `${time[1]}T${time[2]}` : value;
}

function hash(text: string, seed: number): number {
  let bits = seed;
  for (let at = 0; at < text.length; at++) bits = Math.imul(bits ^ text.charCodeAt(at), 0x0100_0193);
  bits = Math.imul(bits ^ (bits >>> 15), 0x85eb_ca6b);
  return bits ^ (bits >>> 13);
}

function hex(bits: number): string {
  return (bits >>> 0).toString(16).padStart(8, '0');
}
