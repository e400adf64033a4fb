import { textBytes } from '../../model/memory-budget.ts';
import { WorldsError } from '../../model/worlds-error.ts';
import type { Value } from './value.ts';

/**
 * Work between two checks of the clock, in UTF-16 code units that functions read or write: a
 * fraction of a millisecond.
 */
const UNITS_PER_LOOK = 1 << 14;
/** Work of one evaluation that cannot be suspended: some tens of milliseconds. */
const MAX_UNITS = 1 << 24;
/** Constant patterns of a run that are compiled before the first row. */
const MAX_EAGER_PATTERNS = 16;
/** Minimum text of a call, in UTF-16 code units, that is counted and whose result may be kept. */
const MIN_UNITS = 64;
/** Minimum text of a variable whose reading is counted: decoding it takes several milliseconds. */
const MIN_UNITS_OF_READING = 1 << 19;
/**
 * Maximum text of the arguments of a call that is evaluated when it is planned or compiled. REPLACE
 * may make the square of it.
 */
export const MAX_FOLDED_UNITS = 1 << 9;
/** Results of such calls in one run, in units of text, before further calls wait for the rows. */
const MAX_ALL_FOLDED_UNITS = 1 << 18;
/** What a call costs at least, in such units. */
const FOLD_UNITS = 32;

/**
 * Thrown by a long call when the slice is over. The operator yields PAUSE and evaluates the row
 * again, in which the calls that have already ended return what they returned.
 */
export class Suspended extends Error {}

const SUSPENDED = new Suspended('An evaluation was suspended outside an operator.');

/** Throws everything else again. */
export function requireSuspended(error: unknown): asserts error is Suspended {
  if (!(error instanceof Suspended)) throw error;
}

/** What long calls need of the run of a plan. */
export interface CallHost {
  readonly pauseDue: boolean;
  claimMemory(bytes: number): void;
}

/**
 * Lets evaluations pause that consist of many calls on long texts. A function cannot pause, but
 * the row can be evaluated again: see {@link Suspended}. Each call of an expression keeps its
 * latest result once an evaluation has been suspended.
 */
export class LongCalls {
  private readonly host: CallHost;
  private readonly maySuspend: boolean;
  private work = 0;
  private total = 0;
  private isDue = false;
  private keepsAll = false;
  private patterns = 0;
  private folded = 0;

  /** @param maySuspend whether the operator catches {@link Suspended} */
  constructor(host: CallHost, { maySuspend }: { readonly maySuspend: boolean }) {
    this.host = host;
    this.maySuspend = maySuspend;
  }

  /**
   * Whether to compile another constant pattern before the first row, which finds its mistakes
   * early. Further ones are compiled when a row needs them: an expression, which is compiled in one
   * piece, may have thousands.
   */
  mayCompile(): boolean {
    return ++this.patterns <= MAX_EAGER_PATTERNS;
  }

  /** Whether another call with constant arguments may be evaluated when it is compiled. */
  get mayFold(): boolean {
    return this.folded < MAX_ALL_FOLDED_UNITS;
  }

  /** Counts a call that was, by its result. */
  folds(result: Value | undefined): void {
    this.folded += FOLD_UNITS + unitsOf(result);
  }

  /**
   * Counts a call that has ended. Returns whether its result must be kept; call {@link look} then.
   *
   * @param units of text that it read or wrote
   * @param mayRepeat whether the same arguments give the same result
   */
  ends(units: number, mayRepeat: boolean): boolean {
    this.work += units;
    if (this.work < UNITS_PER_LOOK) return this.keepsAll && mayRepeat;
    this.total += this.work;
    this.work = 0;
    if (!this.host.pauseDue) {
      this.total = 0;
      return this.keepsAll && mayRepeat;
    }
    if (!this.maySuspend || !mayRepeat) {
      if (this.total > MAX_UNITS) throw tooMuch();
      return this.keepsAll && mayRepeat;
    }
    this.isDue = true;
    return (this.keepsAll = true);
  }

  /** Accounts for a kept result and the one that it replaces, then suspends if a pause is due. */
  look(replaced: unknown, kept: unknown): void {
    const bytes = textBytes(unitsOf(kept)) - textBytes(unitsOf(replaced));
    if (bytes !== 0) this.host.claimMemory(bytes);
    if (!this.isDue) return;
    this.isDue = false;
    this.total = 0;
    throw SUSPENDED;
  }
}

function unitsOf(result: unknown): number {
  return typeof result === 'object' && result !== null ? (result as Value).textLength : 0;
}

function tooMuch(): WorldsError {
  return new WorldsError(
    'LIMIT_EXCEEDED',
    'A condition or a random value takes too long for one row. Compute parts of it with BIND, or use shorter texts.',
  );
}

/** Whether calls with these constant arguments are evaluated when the expression is compiled. */
export function isFoldable(
  parts: readonly { readonly constant?: { readonly value: Value | undefined } | undefined }[],
): boolean {
  let units = 0;
  for (const { constant } of parts) units += constant?.value?.textLength ?? 0;
  return units <= MAX_FOLDED_UNITS;
}

/** Whether two values are the same for every function. */
export function isSame(one: Value, other: Value): boolean {
  return (
    one === other ||
    (one.kind === other.kind &&
      one.lexical === other.lexical &&
      one.datatype === other.datatype &&
      one.language === other.language &&
      one.direction === other.direction)
  );
}

/**
 * Counts the reading of a variable: a long text that the row has not been asked for yet is decoded.
 */
export function countedRead<Row>(
  read: (row: Row) => Value | undefined,
  calls: LongCalls | undefined,
): (row: Row) => Value | undefined {
  if (calls === undefined) return read;
  let last: Value | undefined;
  return (row) => {
    const value = read(row);
    if (value === undefined || value.textLength < MIN_UNITS_OF_READING) return value;
    if (last !== undefined && isSame(last, value)) return value;
    if (calls.ends(value.textLength, true)) {
      const replaced = last;
      last = value;
      calls.look(replaced, value);
    }
    return value;
  };
}

/** Counts the calls of a function of one argument. */
export function counted1<Result>(
  apply: (a: Value) => Result,
  calls: LongCalls | undefined,
  mayRepeat: boolean,
): (a: Value) => Result {
  if (calls === undefined) return apply;
  let last: { readonly a: Value; readonly result: Result } | undefined;
  return (a) => {
    const units = a.textLength;
    if (units < MIN_UNITS) return apply(a);
    if (last !== undefined && isSame(last.a, a)) return last.result;
    const result = apply(a);
    if (calls.ends(units + unitsOf(result), mayRepeat)) {
      const replaced = last;
      last = { a, result };
      calls.look(replaced?.result, result);
    }
    return result;
  };
}

/** Counts the calls of a function of two arguments. */
export function counted2<Result>(
  apply: (a: Value, b: Value) => Result,
  calls: LongCalls | undefined,
  mayRepeat: boolean,
): (a: Value, b: Value) => Result {
  if (calls === undefined) return apply;
  let last: { readonly a: Value; readonly b: Value; readonly result: Result } | undefined;
  return (a, b) => {
    const units = a.textLength + b.textLength;
    if (units < MIN_UNITS) return apply(a, b);
    if (last !== undefined && isSame(last.a, a) && isSame(last.b, b)) return last.result;
    const result = apply(a, b);
    if (calls.ends(units + unitsOf(result), mayRepeat)) {
      const replaced = last;
      last = { a, b, result };
      calls.look(replaced?.result, result);
    }
    return result;
  };
}

/** Counts the calls of a function of any number of arguments. */
export function countedAll<Result>(
  apply: (values: readonly Value[]) => Result,
  calls: LongCalls | undefined,
  mayRepeat: boolean,
): (values: readonly Value[]) => Result {
  if (calls === undefined) return apply;
  let last: { readonly values: readonly Value[]; readonly result: Result } | undefined;
  return (values) => {
    let units = 0;
    for (const { textLength } of values) units += textLength;
    if (units < MIN_UNITS) return apply(values);
    if (last !== undefined && areSame(last.values, values)) return last.result;
    const result = apply(values);
    if (calls.ends(units + unitsOf(result), mayRepeat)) {
      const replaced = last;
      last = { values, result };
      calls.look(replaced?.result, result);
    }
    return result;
  };
}

function areSame(some: readonly Value[], others: readonly Value[]): boolean {
  if (some.length !== others.length) return false;
  for (let i = 0; i < some.length; i++) if (!isSame(some[i], others[i])) return false;
  return true;
}
