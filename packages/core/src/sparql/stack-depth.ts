import { WorldsError } from '../model/worlds-error.ts';
import type { Operator } from './exec/operator.ts';

/**
 * Maximum depth of nested operators. Each pulls from the one below on the call stack; Node's
 * default stack is about twice as large as this needs.
 */
export const MAX_PLAN_DEPTH = 1000;

export function tooDeep(): WorldsError {
  return new WorldsError(
    'LIMIT_EXCEEDED',
    `The query joins or nests more than ${MAX_PLAN_DEPTH} parts; split it, or put constants into VALUES or IN.`,
  );
}

/** Throws LIMIT_EXCEEDED if a plan is too deep to run. */
export function requireShallow(plan: Operator): void {
  let level: readonly Operator[] = [plan];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MAX_PLAN_DEPTH) throw tooDeep();
    // Deduplicates operators that occur in several places, once per level.
    level = level.length === 1 ? level[0].inputs : [...new Set(level.flatMap(({ inputs }) => inputs))];
  }
}

/**
 * Messages of JavaScript engines when a collection, buffer or string would exceed its maximum size.
 */
const TOO_LARGE =
  /^(Set|Map) maximum size exceeded|^Invalid (typed )?array length|^Array buffer allocation failed|^Invalid string length/;

export function isStackOverflow(error: unknown): boolean {
  return error instanceof RangeError && error.message.includes('call stack');
}

/**
 * Converts stack overflows and exceeded size limits of JavaScript to LIMIT_EXCEEDED; returns any
 * other error unchanged. The host may leave less stack than the plan limit assumes.
 */
export function withoutOverflow(error: unknown): unknown {
  if (!(error instanceof RangeError)) return error;
  const { message } = error;
  if (isStackOverflow(error)) {
    return new WorldsError('LIMIT_EXCEEDED', 'The query is nested too deeply for the remaining stack; split it.', {
      cause: error,
    });
  }
  if (!TOO_LARGE.test(message)) return error;
  return new WorldsError('LIMIT_EXCEEDED', 'The query needs a larger collection than JavaScript allows; narrow it.', {
    cause: error,
  });
}
