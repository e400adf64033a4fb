import { runAtOnce } from '../../../contracts/slicer.ts';
import type { Algebra } from '../../algebra/algebra.ts';
import { CONSTANT, type QuadPattern } from '../../exec/quad-pattern.ts';
import { addUnits } from '../add-units.ts';
import type { PatternPlanner } from '../pattern-planner.ts';
import type { Scope } from '../scope.ts';
import type { Unit } from '../unit.ts';

/**
 * Returns the only triple pattern of a group, possibly inside GRAPH, if no variable occurs twice in
 * it; otherwise undefined.
 */
export function onePattern(planner: PatternPlanner, input: Algebra, scope: Scope): QuadPattern | undefined {
  const group = input.type === 'graph' ? input.input : input;
  if (group.type !== 'bgp' || group.patterns.length !== 1) return undefined;
  const units: Unit[] = [];
  runAtOnce(addUnits(planner, input, scope, units));
  const [unit] = units;
  if (units.length !== 1 || unit.kind !== 'pattern') return undefined;
  const slots = unit.pattern.slots.filter((slot) => slot !== CONSTANT);
  return new Set(slots).size === slots.length ? unit.pattern : undefined;
}
