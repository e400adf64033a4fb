import type { MemoryBudget } from '../../model/memory-budget.ts';
import { textBytes } from '../../model/memory-budget.ts';
import { DEFAULT_REQUEST_LIMITS, type RequestLimits } from '../../model/request-limits.ts';
import { XSD_INTEGER } from '../../model/vocabulary.ts';
import type { Aggregate, AggregateFunction } from '../algebra/algebra.ts';
import { add, divide } from './arithmetic.ts';
import { addDecimals, Decimal } from './decimal.ts';
import { compareForOrder } from './ordering.ts';
import { checkStringLength } from './string-limit.ts';
import {
  decimalOfValue,
  EMPTY_STRING,
  exactValue,
  integerValue,
  isNumeric,
  stringValue,
  termKey,
  type Value,
  valueBytes,
} from './value.ts';
import { KIND } from './value-kind.ts';

/** Aggregates the values of one group (section 18.5.1). */
export interface Accumulator {
  /**
   * Adds one solution's value of the aggregate's argument; undefined stands for an error or an
   * unbound variable. COUNT(*) ignores the value.
   */
  add(value: Value | undefined): void;
  /**
   * Returns the aggregate so far; undefined stands for an error, which leaves the variable unbound.
   */
  result(): Value | undefined;
}

/**
 * Creates the accumulator for one group. DISTINCT compares terms (section 18.5.1.1). For
 * `COUNT(DISTINCT *)`, which counts distinct solutions, the caller must drop duplicate rows; the
 * accumulator counts the rest. What it keeps is charged to `memory`.
 */
export function makeAccumulator(
  aggregate: Aggregate,
  memory?: MemoryBudget,
  limits: RequestLimits = DEFAULT_REQUEST_LIMITS,
): Accumulator {
  if (aggregate.argument === undefined) return new CountSolutions();
  const accumulator = ACCUMULATORS[aggregate.function](aggregate, memory, limits);
  // Duplicates affect neither the minimum, nor the maximum, nor a sample.
  const isSensitive = aggregate.function !== 'MIN' && aggregate.function !== 'MAX' && aggregate.function !== 'SAMPLE';
  return aggregate.distinct && isSensitive ? new Distinct(accumulator, memory) : accumulator;
}

const ACCUMULATORS: Readonly<
  Record<
    AggregateFunction,
    (aggregate: Aggregate, memory: MemoryBudget | undefined, limits: RequestLimits) => Accumulator
  >
> = {
  COUNT: () => new Count(),
  SUM: () => new Sum(),
  AVG: () => new Average(),
  MIN: (_, memory) => new Extreme(-1, memory),
  MAX: (_, memory) => new Extreme(1, memory),
  SAMPLE: (_, memory) => new Sample(memory),
  GROUP_CONCAT: ({ separator = ' ' }, memory, limits) => new Concatenation(separator, memory, limits),
};

class CountSolutions implements Accumulator {
  private count = 0;

  add(): void {
    this.count += 1;
  }

  result(): Value {
    return integerValue(this.count);
  }
}

/** 18.5.1.2: "remove error elements". */
class Count implements Accumulator {
  private count = 0;

  add(value: Value | undefined): void {
    if (value !== undefined) this.count += 1;
  }

  result(): Value {
    return integerValue(this.count);
  }
}

/** Approximate bytes per Set entry, without the characters of its key. */
const ENTRY_BYTES = 80;

class Distinct implements Accumulator {
  private readonly seen = new Set<string>();
  private readonly inner: Accumulator;
  private readonly memory: MemoryBudget | undefined;

  constructor(inner: Accumulator, memory: MemoryBudget | undefined) {
    this.inner = inner;
    this.memory = memory;
  }

  add(value: Value | undefined): void {
    if (value !== undefined) {
      const key = termKey(value);
      if (this.seen.has(key)) return;
      this.memory?.claimMemory(ENTRY_BYTES + key.length * 2);
      this.seen.add(key);
    }
    this.inner.add(value);
  }

  result(): Value | undefined {
    return this.inner.result();
  }
}

const ZERO = new Decimal(0, 0);

/**
 * 18.5.1.3: op:numeric-add starting from 0. Integers and decimals add up exactly, and any error
 * makes the sum an error.
 */
class Sum implements Accumulator {
  count = 0;
  private failed = false;
  /** Sum of integers while it is a safe integer. */
  private small = 0;
  /** Sum of decimals, and of integers that overflow `small`. */
  private exact: Decimal = ZERO;
  private isDecimal = false;
  /** Sum of everything, starting with the first float or double. */
  private floating: Value | undefined;

  add(value: Value | undefined): void {
    this.count += 1;
    if (this.failed) return;
    if (value === undefined || !isNumeric(value)) {
      this.failed = true;
      return;
    }
    if (this.floating !== undefined || value.kind > KIND.decimal) {
      const before = this.floating ?? this.exactSum();
      this.floating = before && add(before, value);
      this.failed = this.floating === undefined;
      return;
    }
    if (value.kind === KIND.integer && value.exact === undefined) {
      const sum = this.small + value.number;
      if (Number.isSafeInteger(sum)) {
        this.small = sum;
        return;
      }
    }
    if (value.kind === KIND.decimal) this.isDecimal = true;
    const sum = addDecimals(this.exact, decimalOfValue(value));
    if (sum === undefined) this.failed = true;
    else this.exact = sum;
  }

  result(): Value | undefined {
    if (this.failed) return undefined;
    return this.floating ?? this.exactSum();
  }

  private exactSum(): Value | undefined {
    if (this.exact === ZERO && !this.isDecimal) return integerValue(this.small);
    const sum = addDecimals(this.exact, new Decimal(this.small, 0));
    if (sum === undefined) return undefined;
    return this.isDecimal ? exactValue(sum) : exactValue(sum, KIND.integer, XSD_INTEGER);
  }
}

/** 18.5.1.4: "Avg(M) = 0, where Count(M) = 0", otherwise the sum divided by the count. */
class Average implements Accumulator {
  private readonly sum = new Sum();

  add(value: Value | undefined): void {
    this.sum.add(value);
  }

  result(): Value | undefined {
    if (this.sum.count === 0) return integerValue(0);
    const sum = this.sum.result();
    return sum && divide(sum, integerValue(this.sum.count));
  }
}

/**
 * 18.5.1.5 and 18.5.1.6: the first or last value in ORDER BY order. An error sorts lowest, so a
 * group with an error has no MIN, and its MAX is that of the other values.
 */
class Extreme implements Accumulator {
  private readonly sign: -1 | 1;
  private isEmpty = true;
  private best: Value | undefined;
  private readonly memory: MemoryBudget | undefined;

  constructor(sign: -1 | 1, memory: MemoryBudget | undefined) {
    this.sign = sign;
    this.memory = memory;
  }

  add(value: Value | undefined): void {
    if (!this.isEmpty && compareForOrder(value, this.best) * this.sign <= 0) return;
    this.memory?.claimMemory(valueBytes(value) - (this.isEmpty ? 0 : valueBytes(this.best)));
    this.isEmpty = false;
    this.best = value;
  }

  result(): Value | undefined {
    return this.best;
  }
}

/** 18.5.1.8: an arbitrary value; here the first one that is not an error. */
class Sample implements Accumulator {
  private value: Value | undefined;
  private readonly memory: MemoryBudget | undefined;

  constructor(memory: MemoryBudget | undefined) {
    this.memory = memory;
  }

  add(value: Value | undefined): void {
    if (this.value !== undefined || value === undefined) return;
    this.memory?.claimMemory(valueBytes(value));
    this.value = value;
  }

  result(): Value | undefined {
    return this.value;
  }
}

/**
 * V8's overhead for one string concatenation, doubled because the characters are copied when the
 * result is flattened.
 */
const PIECE_BYTES = 96;

/**
 * 18.5.1.7: concatenates STR of the values. Any unbound variable, blank node or triple term makes
 * the result an error.
 */
class Concatenation implements Accumulator {
  private readonly separator: string;
  private readonly memory: MemoryBudget | undefined;
  private readonly limits: RequestLimits;
  private text: string | undefined;
  private failed = false;

  constructor(separator: string, memory: MemoryBudget | undefined, limits: RequestLimits) {
    this.separator = separator;
    this.memory = memory;
    this.limits = limits;
  }

  add(value: Value | undefined): void {
    if (value === undefined || value.kind === KIND.blank || value.kind === KIND.triple) this.failed = true;
    if (this.failed) return;
    const added = this.separator.length + value!.lexical.length;
    checkStringLength((this.text?.length ?? -this.separator.length) + added, this.limits);
    this.memory?.claimMemory(PIECE_BYTES + textBytes(added));
    this.text = this.text === undefined ? value!.lexical : this.text + this.separator + value!.lexical;
  }

  result(): Value | undefined {
    if (this.failed) return undefined;
    return this.text === undefined ? EMPTY_STRING : stringValue(this.text);
  }
}
