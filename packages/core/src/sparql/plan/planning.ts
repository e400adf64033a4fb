import type { Operator } from '../exec/operator.ts';

/**
 * Kernel that builds part of a plan. It yields after steps that together take a fraction of a
 * millisecond, so that planning a long query does not block the event loop. Short queries never
 * yield.
 */
export type Planning<Result> = Generator<void, Result, void>;

/** Plans several parts in sequence. */
export function* planAll<Part>(parts: Iterable<Part>, plan: (part: Part) => Planning<Operator>): Planning<Operator[]> {
  const operators: Operator[] = [];
  for (const part of parts) operators.push(yield* plan(part));
  return operators;
}
