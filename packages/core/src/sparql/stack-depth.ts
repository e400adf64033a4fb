import { WorldsError } from '../model/worlds-error.ts';
import type { Operator } from './exec/operator.ts';

/** How many operators may stand on top of each other: each pulls from the one below, on a stack of which Node gives about twice as much as this needs. */
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
    level = [...new Set(level.flatMap(({ inputs }) => inputs))];
  }
}

/** What to throw in place of an error: LIMIT_EXCEEDED when it is that the stack ended, of which a host may have left little. */
export function withoutOverflow(error: unknown): unknown {
  if (!(error instanceof RangeError) || !/call stack/.test(error.message)) return error;
  return new WorldsError('LIMIT_EXCEEDED', 'The query is too deep for the stack that is left; split it.', {
    cause: error,
  });
}
