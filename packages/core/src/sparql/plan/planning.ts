import type { Operator } from '../exec/operator.ts';

/**
 * A kernel that makes a part of a plan: it yields between steps that take a fraction of a
 * millisecond together, so that planning a long query does not hold the event loop. Short queries
 * never see a yield.
 */
export type Planning<Result> = Generator<void, Result, void>;

/** The plans of several parts, one after the other. */
export function* planAll<Part>(parts: Iterable<Part>, plan: (part: Part) => Planning<Operator>): Planning<Operator[]> {
  const operators: Operator[] = [];
  for (const part of parts) operators.push(yield* plan(part));
  return operators;
}
