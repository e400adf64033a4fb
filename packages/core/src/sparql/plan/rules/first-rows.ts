import { QuadBatch } from '../../../contracts/quad-batch.ts';
import type { QuadSource } from '../../../contracts/quad-source.ts';
import type { TermId } from '../../../contracts/term-source.ts';
import { CONSTANT, type QuadPattern } from '../../exec/quad-pattern.ts';
import type { PatternPlanner } from '../pattern-planner.ts';
import { measuredOnce } from '../statistics.ts';
import type { Unit } from '../unit.ts';

/**
 * Largest row limit for which a join is planned to find its first rows quickly; above it, the join
 * is planned for all rows.
 */
export const MAX_FIRST_ROWS = 256;

/** Patterns with at most this many rows are cheap to read to the end, whether or not they match. */
const FEW_ROWS = 64;

/**
 * Chooses the unit to start a join with when only the first rows are needed.
 *
 * @param first the unit that the estimates favour
 */
export function beginning(planner: PatternPlanner, first: Unit, units: readonly Unit[]): Unit {
  if (first.kind !== 'pattern' || planner.statistics.count(first.pattern) <= FEW_ROWS) return first;
  const patterns = units.filter((unit) => unit.kind === 'pattern');
  if (patterns.length < units.length) return first;
  const others = patterns.filter((unit) => unit !== first).map(({ pattern }) => pattern);
  const best = bestBeginning([first.pattern, ...others], planner.source);
  return patterns.find(({ pattern }) => pattern === best) ?? first;
}

/** Number of sampled rows. */
const ROWS = 16;
/** Number of sampled rows that must match to make a pattern a good start. */
const ENOUGH = ROWS / 2;
/** Queries with more patterns than this keep the order of the estimates. */
const MAX_PATTERNS = 6;

/**
 * Chooses the pattern to start a join with when only its first rows are needed (LIMIT). Estimates
 * are averages, and rows come in term order, so the first thousands of rows of a pattern may have
 * no match at all. The first rows of the estimated best pattern are therefore looked up in the
 * other patterns; if no row matches, the next pattern whose first rows do match is taken.
 *
 * @param patterns candidates, with the estimated best first
 */
function bestBeginning(patterns: readonly QuadPattern[], source: QuadSource): QuadPattern {
  const [first] = patterns;
  if (patterns.length < 2 || patterns.length > MAX_PATTERNS || matches(first, patterns, source) > 0) return first;
  return patterns.slice(1).find((one) => matches(one, patterns, source) >= ENOUGH) ?? first;
}

/**
 * Counts how many of a pattern's first rows match all other patterns that share a variable with it.
 */
function matches(pattern: QuadPattern, all: readonly QuadPattern[], source: QuadSource): number {
  const others = all.filter((other) => other !== pattern && other.slots.some((slot) => isShared(slot, pattern)));
  let key = `first rows ${textOf(pattern)}`;
  for (const other of others) key += textOf(other);
  return measuredOnce(source, key, () => countMatches(pattern, others, source));
}

/**
 * Cache key of a pattern. Concatenated by hand, because Array.prototype.join dominated the run
 * time.
 */
function textOf({ ids, slots }: QuadPattern): string {
  return `${ids[0]},${ids[1]},${ids[2]},${ids[3]}/${slots[0]},${slots[1]},${slots[2]},${slots[3]} `;
}

function countMatches(pattern: QuadPattern, others: readonly QuadPattern[], source: QuadSource): number {
  const cursor = source.cursor();
  const batch = new QuadBatch(ROWS);
  cursor.seek(...pattern.ids);
  const rows = cursor.next(batch);
  const columns = [batch.subject, batch.predicate, batch.object, batch.graph];
  const hasMatch = (other: QuadPattern, row: number): boolean => {
    const ids = other.ids.map((id, position): TermId => {
      const at = pattern.slots.indexOf(other.slots[position]);
      return at >= 0 && other.slots[position] !== CONSTANT ? columns[at][row] : id;
    });
    return source.estimate(ids[0], ids[1], ids[2], ids[3]) > 0;
  };
  let count = 0;
  for (let row = 0; row < rows; row++) if (others.every((other) => hasMatch(other, row))) count++;
  // A pattern with few rows is cheap to read to the end.
  return rows < ROWS ? ROWS : count;
}

function isShared(slot: number, { slots }: QuadPattern): boolean {
  return slot !== CONSTANT && slots.includes(slot);
}
