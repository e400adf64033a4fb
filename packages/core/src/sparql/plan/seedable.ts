import type { Algebra, Path } from '../algebra/algebra.ts';
import { isSearchService, isSeedableSearch } from './search-service.ts';
import { certainVariablesOf, expressionVariables, mentionsExists } from './variables.ts';

/** The variables of the rows that a pattern is to be run for. */
export interface SeededNames {
  readonly all: NameSet;
  /** Those that are bound in every row. */
  readonly certain: NameSet;
}

/** As much of a set as is asked. */
export type NameSet = Pick<ReadonlySet<string>, 'has'>;

/**
 * How the rows meet a part of the pattern: `whole` is the pattern itself or a branch of its unions
 * and filters; a part that is `joined` is looked up for them; one that is `apart` is computed
 * without them and joined afterwards.
 */
type Place = 'whole' | 'joined' | 'apart';

/**
 * Whether a pattern gives the same matches when it is run for given rows, with their bindings in
 * place, as when it is run alone and joined with them. Patterns and their joins do; what hides
 * variables or looks at more than one row does not.
 *
 * @param seeded the variables that the rows bind
 * @param isExists for EXISTS the bindings are substituted (SPARQL 1.1 section 18.6), so that
 *   filters inside see them
 */
export function isSeedable(algebra: Algebra, seeded: SeededNames, isExists: boolean, place: Place = 'whole'): boolean {
  const inner = (one: Algebra, at: Place): boolean => isSeedable(one, seeded, isExists, place === 'apart' ? place : at);
  switch (algebra.type) {
    case 'bgp':
    case 'values':
      return true;
    case 'path':
      // A value that EXISTS puts in is a term, which a path of length zero matches also where it is
      // no node (section 18.4).
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
      // A variable graph around more than patterns is evaluated for each graph by itself.
      const isJoined = name.termType === 'Variable' ? isPlain(input) : isLookedUp(input);
      return inner(input, isJoined ? 'joined' : 'apart');
    }
    case 'service':
      return isSearchService(algebra) && isSeedableSearch(algebra, seeded.all);
    case 'filter': {
      const { input, condition } = algebra;
      const isWhole = place === 'whole';
      // A nested EXISTS sees the rows' bindings as well: they are substituted in it too.
      if (mentionsExists(condition) && !(isExists && isWhole)) return false;
      if (
        !inner(input, isWhole && input.type === 'filter' ? 'whole' : isWhole && isLookedUp(input) ? 'joined' : 'apart')
      ) {
        return false;
      }
      if (isExists && isWhole) return true;
      // Alone, the filter would not see what the rows bind.
      const own = certainVariablesOf(input);
      return [...expressionVariables(condition)].every((name) => own.has(name) || !seeded.all.has(name));
    }
    default:
      return false;
  }
}

/** What the planner takes apart into patterns that it joins one by one. */
function isLookedUp({ type }: Algebra): boolean {
  return type === 'bgp' || type === 'path' || type === 'join' || type === 'graph';
}

/** Patterns and joins alone: for these a variable graph can be looked up pattern by pattern. */
export function isPlain(algebra: Algebra): boolean {
  if (algebra.type === 'join') return algebra.operands.every(isPlain);
  return algebra.type === 'bgp' || algebra.type === 'path';
}

/** Whether a path has matches of length zero. */
function canBeEmpty(path: Path): boolean {
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
