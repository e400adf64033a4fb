import { WorldsError } from '../model/worlds-error.ts';
import type { Operator } from './exec/operator.ts';

/**
 * How many operators may stand on top of each other: each pulls from the one below, on a stack of
 * which Node gives about twice as much as this needs.
 */
export const MAX_PLAN_DEPTH = 1000;

export function tooDeep(): WorldsError {
  return new WorldsError(
    'LIMIT_EXCEEDED',
    `The query joins or nests more than ${MAX_PLAN_DEPTH} parts, one upon the other; split it, or put constants into VALUES or IN.`,
  );
}

/** Throws LIMIT_EXCEEDED for a plan that is too deep to run. */
export function requireShallow(plan: Operator): void {
  let level: readonly Operator[] = [plan];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MAX_PLAN_DEPTH) throw tooDeep();
    // An operator in several places is looked at once a level.
    level = level.length === 1 ? level[0].inputs : [...new Set(level.flatMap(({ inputs }) => inputs))];
  }
}

/** What JavaScript itself says when a collection, a buffer or a string cannot be larger. */
const TOO_LARGE =
  /^(Set|Map) maximum size exceeded|^Invalid (typed )?array length|^Array buffer allocation failed|^Invalid string length/;

/**
 * What to throw in place of an error: LIMIT_EXCEEDED when it is that the stack ended, of which a
 * host may have left little, or the memory.
 */
export function withoutOverflow(error: unknown): unknown {
  if (!(error instanceof RangeError)) return error;
  const { message } = error;
  if (message.includes('call stack')) {
    return new WorldsError('LIMIT_EXCEEDED', 'The query is too deep for the stack that is left; split it.', {
      cause: error,
    });
  }
  if (!TOO_LARGE.test(message)) return error;
  return new WorldsError('LIMIT_EXCEEDED', 'The query keeps more than JavaScript can hold in one piece; narrow it.', {
    cause: error,
  });
}
