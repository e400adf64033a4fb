import { NO_TERM, type TripleTermIndex } from '../../contracts/term-source.ts';
import type { Algebra, Path, TriplePattern } from '../algebra/algebra.ts';
import type { Operator } from '../exec/operator.ts';
import type { PathEnd } from '../exec/path-join.ts';
import type { PathStep } from '../exec/path-walk.ts';
import { CONSTANT, type QuadPattern } from '../exec/quad-pattern.ts';
import { Rows } from '../exec/rows.ts';
import type { SlotSet } from '../exec/slot-set.ts';
import { type ActiveGraph, UNKNOWN_GRAPH } from './active-graph.ts';
import type { PathEstimates } from './path-estimate.ts';
import type { Planning } from './planning.ts';
import type { Scope } from './scope.ts';

/** A part of a group that is joined with the others. */
export type Unit =
  | { readonly kind: 'pattern'; readonly pattern: QuadPattern; readonly slots: readonly number[] }
  | {
      readonly kind: 'path';
      readonly subject: PathEnd;
      readonly path: PathStep;
      readonly algebra: Path;
      readonly object: PathEnd;
      readonly graph: PathEnd;
      readonly estimates: PathEstimates;
      readonly slots: readonly number[];
    }
  | {
      readonly kind: 'triple';
      readonly slot: number;
      readonly parts: readonly PathEnd[];
      readonly slots: readonly number[];
      /**
       * Finds it by its subject or object, if the slot is that of a pattern: the pattern drops
       * triple terms that are not in the dataset.
       */
      readonly index: TripleTermIndex | undefined;
    }
  | {
      readonly kind: 'operator';
      readonly operator: Operator;
      readonly slots: readonly number[];
      /**
       * What the operator evaluates and the scope, if it could also run for the rows of other
       * units.
       */
      readonly part?: { readonly algebra: Algebra; readonly scope: Scope } | undefined;
    }
  /** A search whose text is bound by the rows. */
  | {
      readonly kind: 'search';
      readonly textSlot: number;
      readonly slots: readonly number[];
      readonly plan: (input: Operator) => Planning<Operator>;
    };

export type TripleUnit = Unit & { readonly kind: 'triple' };

/** One row without bindings: the identity of joins. */
export const UNIT: Operator = new Rows([], [[]]);

export function patternUnit(
  ends: readonly PathEnd[],
  graph: ActiveGraph,
  triple: TriplePattern,
): Unit & { readonly kind: 'pattern' } {
  const [s, p, o] = ends;
  const slots = [s.slot, p.slot, o.slot, graph.slot] as const;
  const variables = variablesAmong(slots);
  const pattern: QuadPattern = {
    ids: [s.id, p.id, o.id, graph.id],
    slots,
    variables,
    triple,
    impossible: graph.id === UNKNOWN_GRAPH || ends.some(({ slot, id }) => slot === CONSTANT && id === NO_TERM),
    measured: { rows: undefined, distinct: undefined },
  };
  return { kind: 'pattern', pattern, slots: variables };
}

/**
 * Returns the distinct slots without CONSTANT. Truncating an array takes less memory than growing
 * one.
 */
function variablesAmong(slots: readonly number[]): readonly number[] {
  const variables = slots.slice();
  let count = 0;
  for (let position = 0; position < slots.length; position++) {
    const slot = slots[position];
    if (slot !== CONSTANT && slots.indexOf(slot) === position) variables[count++] = slot;
  }
  variables.length = count;
  return variables;
}

/**
 * Whether a unit can run next: a triple term is destructured when it is bound, or found when its
 * parts, or one of them, are, and a search needs its text.
 */
export function isRunnable(unit: Unit, current: Operator | undefined, bound: SlotSet): boolean {
  if (unit.kind === 'triple') return bound.has(unit.slot) || hasParts(unit, current) || canLookUp(unit, current);
  if (unit.kind === 'search') return bound.has(unit.textSlot);
  // A path is evaluated within one graph, so the graph must be bound in every row.
  if (unit.kind === 'path') return unit.graph.slot === CONSTANT || (current?.certain.has(unit.graph.slot) ?? false);
  return true;
}

/** Whether every row has the parts of a triple term. */
export function hasParts({ parts }: TripleUnit, current: Operator | undefined): boolean {
  return current !== undefined && parts.every((part) => isKnown(part, current));
}

/** Whether a triple term can be found by its subject or object, which every row has. */
function canLookUp({ parts, index }: TripleUnit, current: Operator | undefined): boolean {
  return index !== undefined && (isKnown(parts[0], current) || isKnown(parts[2], current));
}

/** Whether an end is a constant, or bound in every row. */
export function isKnown({ slot }: PathEnd, rows: Operator | undefined): boolean {
  return slot === CONSTANT || (rows?.certain.has(slot) ?? false);
}

export function firstRunnable(units: readonly Unit[], current: Operator | undefined, bound: SlotSet): Unit {
  return units.find((unit) => isRunnable(unit, current, bound)) ?? units[0];
}
