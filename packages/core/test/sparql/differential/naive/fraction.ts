/** An exact number: a fraction of two integers in lowest terms, with a positive denominator. */
export class Fraction {
  readonly top: bigint;
  readonly bottom: bigint;

  constructor(top: bigint, bottom = 1n) {
    const divisor = greatestCommonDivisor(top < 0n ? -top : top, bottom < 0n ? -bottom : bottom);
    const sign = bottom < 0n ? -1n : 1n;
    this.top = (sign * top) / divisor;
    this.bottom = (sign * bottom) / divisor;
  }

  /** Of digits with an optional sign and point. */
  static parse(text: string): Fraction {
    const [whole, decimals = ''] = text.replace(/^[+-]/, '').split('.');
    const size = new Fraction(BigInt(whole + decimals || '0'), 10n ** BigInt(decimals.length));
    return text.startsWith('-') ? size.negated() : size;
  }

  /** The exact value of a finite double. */
  static ofDouble(value: number): Fraction {
    let doublings = 0n;
    while (!Number.isInteger(value)) {
      value *= 2;
      doublings++;
    }
    return new Fraction(BigInt(value), 2n ** doublings);
  }

  plus(other: Fraction): Fraction {
    return new Fraction(this.top * other.bottom + other.top * this.bottom, this.bottom * other.bottom);
  }

  minus(other: Fraction): Fraction {
    return this.plus(other.negated());
  }

  times(other: Fraction): Fraction {
    return new Fraction(this.top * other.top, this.bottom * other.bottom);
  }

  over(other: Fraction): Fraction {
    return new Fraction(this.top * other.bottom, this.bottom * other.top);
  }

  negated(): Fraction {
    return new Fraction(-this.top, this.bottom);
  }

  /** Negative, zero or positive. */
  compare(other: Fraction): number {
    const difference = this.top * other.bottom - other.top * this.bottom;
    return difference < 0n ? -1 : difference > 0n ? 1 : 0;
  }

  /** The greatest integer that is not greater. */
  floor(): bigint {
    const quotient = this.top / this.bottom;
    return quotient * this.bottom > this.top ? quotient - 1n : quotient;
  }

  /** Without what is behind the point. */
  truncated(): bigint {
    return this.top / this.bottom;
  }

  /** Rounds to the given number of decimal places, ties to even. */
  roundedTo(digits: number): Fraction {
    const unit = 10n ** BigInt(digits);
    const scaled = this.times(new Fraction(unit));
    const below = scaled.floor();
    const rest = scaled.minus(new Fraction(below)).compare(new Fraction(1n, 2n));
    return new Fraction(rest > 0 || (rest === 0 && below % 2n !== 0n) ? below + 1n : below, unit);
  }

  /** As a decimal, which it must have: `-0.25`, `3`. */
  toString(): string {
    let digits = 0;
    for (let unit = 1n; unit % this.bottom !== 0n; unit *= 10n) digits++;
    const size = this.top < 0n ? -this.top : this.top;
    const text = String((size * 10n ** BigInt(digits)) / this.bottom).padStart(digits + 1, '0');
    const point = text.length - digits;
    return `${this.top < 0n ? '-' : ''}${text.slice(0, point)}${digits > 0 ? `.${text.slice(point)}` : ''}`;
  }

  /** The nearest double. */
  toDouble(): number {
    return Number(this.toString());
  }
}

function greatestCommonDivisor(one: bigint, other: bigint): bigint {
  while (other !== 0n) [one, other] = [other, one % other];
  return one;
}

export const ZERO = new Fraction(0n);
export const ONE = new Fraction(1n);
