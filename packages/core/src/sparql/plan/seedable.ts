import type { Algebra, Path } from '../algebra/algebra.ts';
import { isSearchService, isSeedableSearch } from './search-service.ts';
import { certainVariablesOf, expressionVariables, mentionsExists } from './variables.ts';

/** Variables of the rows for which a pattern runs. */
export interface SeededNames {
  readonly all: NameSet;
  /** Variables that are bound in every row. */
  readonly certain: NameSet;
}

/** The part of the Set interface that is needed. */
export type NameSet = Pick<ReadonlySet<string>, 'has'>;

/**
 * How a part of the pattern is evaluated: `whole` is the pattern itself, or a branch of its unions
 * and filters; `joined` parts are looked up for the given rows; `apart` parts are computed on their
 * own and joined afterwards.
 */
type Place = 'whole' | 'joined' | 'apart';

/**
 * Returns whether running a pattern for given rows, with their bindings in place, is equivalent to
 * running it on its own and joining. True for patterns and their joins; false for parts that hide
 * variables or aggregate over several rows.
 *
 * @param seeded variables of the given rows
 * @param isExists whether the pattern belongs to an EXISTS, where bindings are substituted (SPARQL
 *   1.1 section 18.6) and therefore visible to inner filters
 */
export function isSeedable(algebra: Algebra, seeded: SeededNames, isExists: boolean, place: Place = 'whole'): boolean {
  const inner = (one: Algebra, at: Place): boolean => isSeedable(one, seeded, isExists, place === 'apart' ? place : at);
  switch (algebra.type) {
    case 'bgp':
    case 'values':
      return true;
    case 'path':
      // A value substituted by EXISTS is a term, which matches a zero-length path even if it is not
      // a node (section 18.4).
      if (!isExists || !canBeEmpty(algebra.path)) return true;
      return [algebra.subject, algebra.object].every((end) => {
        if (end.termType !== 'Variable' || !seeded.all.has(end.value)) return true;
        return place !== 'apart' && seeded.certain.has(end.value);
      });
    case 'join':
      return algebra.operands.every((operand) => inner(operand, isLookedUp(operand) ? 'joined' : 'apart'));
    case 'union':
      return algebra.operands.every((operand) => inner(operand, place === 'whole' ? 'whole' : 'apart'));
    case 'graph': {
      const { name, input } = algebra;
      // With a variable graph, anything but plain patterns is evaluated per graph.
      const isJoined = name.termType === 'Variable' ? isPlain(input) : isLookedUp(input);
      return inner(input, isJoined ? 'joined' : 'apart');
    }
    case 'service':
      return isSearchService(algebra) && isSeedableSearch(algebra, seeded.all);
    case 'filter': {
      const { input, condition } = algebra;
      const isWhole = place === 'whole';
      // A nested EXISTS sees the bindings of the rows, too: they are substituted there as well.
      if (mentionsExists(condition) && !(isExists && isWhole)) return false;
      if (
        !inner(input, isWhole && input.type === 'filter' ? 'whole' : isWhole && isLookedUp(input) ? 'joined' : 'apart')
      ) {
        return false;
      }
      if (isExists && isWhole) return true;
      // On its own, the filter would not see the bindings of the rows.
      const own = certainVariablesOf(input);
      return [...expressionVariables(condition)].every((name) => own.has(name) || !seeded.all.has(name));
    }
    default:
      return false;
  }
}

/**
 * Whether a pattern may be evaluated once for an EXISTS and joined with its rows: for each row,
 * this finds what the pattern with the bindings of the row substituted would match (SPARQL 1.1
 * section 18.6). False for inner filters, which see more of the row than the shared variables, and
 * for paths of length zero, which match a substituted term even if it is not a node.
 */
export function isIndependent(algebra: Algebra): boolean {
  switch (algebra.type) {
    case 'bgp':
    case 'values':
      return true;
    case 'path':
      return !canBeEmpty(algebra.path);
    case 'join':
    case 'union':
      return algebra.operands.every(isIndependent);
    case 'graph':
      return isIndependent(algebra.input);
    default:
      return false;
  }
}

/** Whether the planner splits it into units that are joined one by one. */
function isLookedUp({ type }: Algebra): boolean {
  return type === 'bgp' || type === 'path' || type === 'join' || type === 'graph';
}

/**
 * Whether it consists only of patterns and joins, so that a variable graph can be looked up pattern
 * by pattern.
 */
export function isPlain(algebra: Algebra): boolean {
  if (algebra.type === 'join') return algebra.operands.every(isPlain);
  return algebra.type === 'bgp' || algebra.type === 'path';
}

/** Whether every solution requires a matching triple. */
export function needsTriples(algebra: Algebra): boolean {
  if (algebra.type === 'join') return algebra.operands.some(needsTriples);
  return algebra.type === 'bgp' && algebra.patterns.length > 0;
}

/** Returns whether a path has zero-length matches. */
export function canBeEmpty(path: Path): boolean {
  switch (path.type) {
    case 'zeroOrMore':
    case 'zeroOrOne':
      return true;
    case 'sequence':
      return path.paths.every(canBeEmpty);
    case 'alternative':
      return path.paths.some(canBeEmpty);
    case 'inverse':
    case 'oneOrMore':
      return canBeEmpty(path.path);
    default:
      return false;
  }
}
