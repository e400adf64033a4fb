import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  addDecimals,
  ceilDecimal,
  compareDecimals,
  type Decimal,
  decimalOf,
  decimalOfNumber,
  divideDecimals,
  floorDecimal,
  MAX_DIGITS,
  multiplyDecimals,
  negateDecimal,
  parseDecimal,
  roundDecimal,
  subtractDecimals,
  truncateDecimal,
} from '../../../src/sparql/expressions/decimal.ts';

// `assert` where it is asked ten thousands of times: `expect` keeps a record of each, which takes
// longer than all that is tested.

/** The model: a fraction of two BigInts, the second one positive. */
interface Fraction {
  readonly n: bigint;
  readonly d: bigint;
}

const fraction = ({ units, scale }: Decimal): Fraction => ({ n: BigInt(units), d: 10n ** BigInt(scale) });
const sameValue = (a: Fraction, b: Fraction) => a.n * b.d === b.n * a.d;
const sign = (value: bigint) => (value < 0n ? -1 : value > 0n ? 1 : 0);
const floorOf = ({ n, d }: Fraction) => (n >= 0n ? n / d : -((-n + d - 1n) / d));

/** Small numbers, numbers about the limit of safe integers, and long ones. */
const anyDecimal = fc
  .tuple(
    fc.oneof(
      fc.integer({ min: -1000, max: 1000 }).map(BigInt),
      fc.bigInt({ min: -(2n ** 54n), max: 2n ** 54n }),
      fc.bigInt({ min: -(10n ** 40n), max: 10n ** 40n }),
    ),
    fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 6 }), fc.integer({ min: 0, max: 30 })),
  )
  .map(([units, scale]) => decimalOf(units, scale));

function expectNormal(value: Decimal): void {
  const { units, scale } = value;
  assert.equal(typeof units === 'number', BigInt(units) <= 2n ** 53n - 1n && BigInt(units) >= -(2n ** 53n - 1n));
  if (scale > 0) assert.notEqual(BigInt(units) % 10n, 0n);
  assert(!Object.is(units, -0));
}

describe('decimals', () => {
  it('add, subtract, multiply and compare like fractions', () => {
    fc.assert(
      fc.property(anyDecimal, anyDecimal, (a, b) => {
        const [x, y] = [fraction(a), fraction(b)];
        const sum = addDecimals(a, b)!;
        const difference = subtractDecimals(a, b)!;
        const product = multiplyDecimals(a, b)!;
        expect(sameValue(fraction(sum), { n: x.n * y.d + y.n * x.d, d: x.d * y.d })).toBe(true);
        expect(sameValue(fraction(difference), { n: x.n * y.d - y.n * x.d, d: x.d * y.d })).toBe(true);
        expect(sameValue(fraction(product), { n: x.n * y.n, d: x.d * y.d })).toBe(true);
        expect(Math.sign(compareDecimals(a, b))).toBe(sign(x.n * y.d - y.n * x.d));
        for (const value of [a, sum, difference, product, negateDecimal(a)]) expectNormal(value);
      }),
      { numRuns: 2000 },
    );
  });

  it('divide with an error of at most half a unit of the last place, and exactly when the quotient is short', () => {
    fc.assert(
      fc.property(anyDecimal, anyDecimal, (a, b) => {
        if (b.units === 0) {
          expect(divideDecimals(a, b)).toBeUndefined();
          return;
        }
        const quotient = divideDecimals(a, b)!;
        expectNormal(quotient);
        const [x, y, q] = [fraction(a), fraction(b), fraction(quotient)];
        // |q - x/y| as a fraction
        const n = q.n * x.d * y.n - x.n * y.d * q.d;
        const d = q.d * x.d * y.n;
        const distance = { n: sign(n) * sign(d) < 0 ? -n : n, d };
        const positive = distance.d < 0n ? { n: -distance.n, d: -distance.d } : distance;
        expect((positive.n < 0n ? -positive.n : positive.n) * 2n * 10n ** 18n <= positive.d).toBe(true);
        // A quotient that ends within 18 digits is exact.
        if (a.scale <= 18) expect(divideDecimals(multiplyDecimals(a, b)!, b)).toEqual(a);
      }),
      { numRuns: 2000 },
    );
  });

  it('divide short numbers as long ones, with ties to even', () => {
    /** The quotient of big integers, after as many digits as `divideDecimals` promises. */
    const expected = (n: bigint, d: bigint, scale: number) => {
      const lengths = String(d).length - String(n < 0n ? -n : n).length + scale;
      const digits = Math.max(18, 18 + lengths);
      const [a, b] = [(n < 0n ? -n : n) * 10n ** BigInt(digits - scale), d];
      const rest = a % b;
      const down = a / b;
      const up = rest * 2n > b || (rest * 2n === b && down % 2n === 1n);
      const units = down + (up ? 1n : 0n);
      return decimalOf(n < 0n ? -units : units, digits);
    };
    fc.assert(
      fc.property(
        fc.oneof(fc.integer({ min: -5000, max: 5000 }), fc.maxSafeInteger()),
        fc.oneof(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1, max: 9_007_199 }), fc.integer({ min: 1 })),
        fc.integer({ min: 0, max: 12 }),
        (n, d, scale) => {
          const quotient = divideDecimals(decimalOf(n, scale), decimalOf(d, 0))!;
          assert.deepEqual(quotient, expected(BigInt(decimalOf(n, scale).units), BigInt(d), decimalOf(n, scale).scale));
        },
      ),
      { numRuns: 5000 },
    );
    // A tie in the last place: 1 / 2 ** 19 has 19 digits.
    assert.equal(String(divideDecimals(decimalOf(1, 0), decimalOf(2 ** 19, 0))), '0.0000019073486328125');
    assert.equal(String(divideDecimals(decimalOf(3, 0), decimalOf(2 ** 19, 0))), '0.0000057220458984375');
  });

  it('round like fractions', () => {
    fc.assert(
      fc.property(anyDecimal, (a) => {
        const x = fraction(a);
        const floor = floorOf(x);
        expect(BigInt(floorDecimal(a).units)).toBe(floor);
        expect(BigInt(ceilDecimal(a).units)).toBe(-floorOf({ n: -x.n, d: x.d }));
        expect(BigInt(truncateDecimal(a).units)).toBe(x.n / x.d);
        // Half up: floor(x + 1/2)
        expect(BigInt(roundDecimal(a).units)).toBe(floorOf({ n: 2n * x.n + x.d, d: 2n * x.d }));
        for (const value of [floorDecimal(a), ceilDecimal(a), truncateDecimal(a), roundDecimal(a)]) {
          expect(value.scale).toBe(0);
          expectNormal(value);
        }
      }),
      { numRuns: 2000 },
    );
  });

  it('survive a round trip as text', () => {
    fc.assert(
      fc.property(anyDecimal, (a) => {
        expect(parseDecimal(a.toString())).toEqual(a);
        expect(parseDecimal(`${a.units < 0 ? '-000' : '+000'}${String(a).replace('-', '')}`)).toEqual(a);
        expect(a.toNumber()).toBe(Number(a.toString()));
      }),
      { numRuns: 2000 },
    );
  });

  it('hold every finite double exactly', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (number) => {
        const decimal = decimalOfNumber(number);
        expect(decimal.toNumber()).toBe(number + 0);
        expectNormal(decimal);
      }),
    );
    expect(String(decimalOfNumber(0.1))).toBe('0.1000000000000000055511151231257827021181583404541015625');
  });

  it('have a limit of digits, not a hang', () => {
    const long = parseDecimal('9'.repeat(MAX_DIGITS))!;
    expect(parseDecimal('9'.repeat(MAX_DIGITS + 1))).toBeUndefined();
    expect(parseDecimal(`0.${'0'.repeat(MAX_DIGITS)}1`)).toBeUndefined();
    expect(multiplyDecimals(long, long)).toBeUndefined();
  });
});
