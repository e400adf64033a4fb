import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Operator } from '../../src/sparql/exec/operator.ts';
import { SlotSet } from '../../src/sparql/exec/slot-set.ts';
import { JoinOrder, type JoinRows } from '../../src/sparql/plan/join-order.ts';

interface Part {
  readonly name: string;
  readonly slots: readonly number[];
  readonly rows: number;
  readonly isFixed: boolean;
  /** Must be bound before. */
  readonly needs?: number;
}

const operator = (slots: readonly number[], estimate: number) => ({ slots, estimate }) as Operator;

/** Fewer rows for each slot that is bound. */
function rowsOf({ slots, rows, isFixed }: Part, current: Operator | undefined): JoinRows {
  const shared = slots.filter((slot) => current?.slots.includes(slot)).length;
  if (isFixed && (!current || shared > 0)) return { perRow: 0, fixed: rows };
  return { perRow: rows / 10 ** shared, fixed: 0 };
}

const isRunnable = ({ needs }: Part, current: Operator | undefined) =>
  needs === undefined || (current?.slots.includes(needs) ?? false);

/** Joins all parts in the order that `take` gives. */
function ordered(
  parts: readonly Part[],
  take: (current: Operator | undefined, bound: SlotSet, added: readonly number[]) => Part | undefined,
): string[] {
  const names: string[] = [];
  let current: Operator | undefined;
  let before = SlotSet.EMPTY;
  const next = () => {
    const slots = current?.slots ?? [];
    const added = before.outside(slots);
    before = before.with(slots);
    return take(current, before, added);
  };
  for (let part = next(); part; part = next()) {
    names.push(part.name);
    const { perRow, fixed } = rowsOf(part, current);
    const estimate = (current ? Math.max(1, current.estimate) : 1) * perRow + fixed;
    current = operator([...new Set([...(current?.slots ?? []), ...part.slots])], estimate);
  }
  expect(names).toHaveLength(parts.length);
  return names;
}

/** The naive algorithm: examines every remaining part at every step. */
function naive(parts: readonly Part[]): (current: Operator | undefined) => Part | undefined {
  const rest = [...parts];
  return (current) => {
    let best: Part | undefined;
    let bestCost = Number.POSITIVE_INFINITY;
    for (const part of rest) {
      if (!isRunnable(part, current)) continue;
      const isConnected =
        !current?.slots.length || part.slots.length === 0 || part.slots.some((slot) => current.slots.includes(slot));
      const { perRow, fixed } = rowsOf(part, current);
      const cost = ((current ? Math.max(1, current.estimate) : 1) * perRow + fixed) * (isConnected ? 1 : 1e6);
      if (best === undefined || cost < bestCost) [best, bestCost] = [part, cost];
    }
    best ??= rest[0];
    if (best) rest.splice(rest.indexOf(best), 1);
    return best;
  };
}

const parts = fc
  .array(
    fc.record({
      slots: fc.uniqueArray(fc.nat(6), { maxLength: 3 }),
      rows: fc.constantFrom(0, 0.5, 1, 3, 20, 1000, Number.POSITIVE_INFINITY),
      isFixed: fc.boolean(),
      needs: fc.option(fc.nat(6), { nil: undefined, freq: 4 }),
    }),
    { maxLength: 9 },
  )
  .map((list) => list.map((part, i): Part => ({ ...part, name: `${i}` })));

describe('the order of joins', () => {
  it('is that of looking at every part at every step', () =>
    fc.assert(
      fc.property(parts, (list) => {
        const order = new JoinOrder(list, rowsOf, isRunnable);
        expect(ordered(list, (...bound) => order.take(...bound))).toEqual(ordered(list, naive(list)));
      }),
      { numRuns: 2000 },
    ));

  it('estimates again only patterns that share a variable with newly bound ones', () => {
    let looks = 0;
    const length = 500;
    const chain = Array.from(
      { length },
      (_, i): Part => ({ name: `${i}`, slots: [i, i + 1], rows: 100 + ((i * 7) % 50), isFixed: false }),
    );
    const counted = (part: Part, current: Operator | undefined) => {
      looks++;
      return rowsOf(part, current);
    };
    const order = new JoinOrder(chain, counted, isRunnable);
    ordered(chain, (...bound) => order.take(...bound));
    // At the beginning, when the first one was bound, and for each of its two variables.
    expect(looks).toBeLessThanOrEqual(4 * length);
  });
});
