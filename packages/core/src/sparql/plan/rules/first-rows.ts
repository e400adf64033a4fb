import { QuadBatch } from '../../../storage/quad-batch.ts';
import type { QuadSource } from '../../../storage/quad-source.ts';
import type { TermId } from '../../../storage/term-source.ts';
import { CONSTANT, type QuadPattern } from '../../exec/quad-pattern.ts';
import type { PatternPlanner } from '../pattern-planner.ts';
import { measuredOnce } from '../statistics.ts';
import type { Unit } from '../unit.ts';

/** From so many wanted rows on a join is planned for all. */
export const MAX_FIRST_ROWS = 256;

/** A pattern with so few rows is soon read to its end, whether they match or not. */
const FEW_ROWS = 64;

/**
 * The part to begin with when only the first rows are wanted; `first` is what the estimates would
 * take.
 */
export function beginning(planner: PatternPlanner, first: Unit, units: readonly Unit[]): Unit {
  if (first.kind !== 'pattern' || planner.statistics.count(first.pattern) <= FEW_ROWS) return first;
  const patterns = units.filter((unit) => unit.kind === 'pattern');
  if (patterns.length < units.length) return first;
  const others = patterns.filter((unit) => unit !== first).map(({ pattern }) => pattern);
  const best = bestBeginning([first.pattern, ...others], planner.source);
  return patterns.find(({ pattern }) => pattern === best) ?? first;
}

/** Rows that are looked at. */
const ROWS = 16;
/** Of so many of them a match must be found for a pattern to be a good beginning. */
const ENOUGH = ROWS / 2;
/** A query with more patterns than so many is begun as the estimates say. */
const MAX_PATTERNS = 6;

/**
 * The pattern to begin with when only the first rows of a join are wanted (LIMIT): estimates are
 * averages, and the first thousands of rows of a pattern may have no match at all, since rows come
 * in the order of their terms. So the first rows of the pattern that the estimates would begin with
 * are looked up in the others; if none has a match, the next pattern is tried whose first rows
 * have.
 *
 * @param patterns the one that the estimates begin with first
 */
function bestBeginning(patterns: readonly QuadPattern[], source: QuadSource): QuadPattern {
  const [first] = patterns;
  if (patterns.length < 2 || patterns.length > MAX_PATTERNS || matches(first, patterns, source) > 0) return first;
  return patterns.slice(1).find((one) => matches(one, patterns, source) >= ENOUGH) ?? first;
}

/**
 * How many of a pattern's first rows have a match in each of the others that share a variable with
 * it.
 */
function matches(pattern: QuadPattern, all: readonly QuadPattern[], source: QuadSource): number {
  const others = all.filter((other) => other !== pattern && other.slots.some((slot) => isShared(slot, pattern)));
  let key = `first rows ${textOf(pattern)}`;
  for (const other of others) key += textOf(other);
  return measuredOnce(source, key, () => countMatches(pattern, others, source));
}

/** A pattern by its numbers. Array.prototype.join would take longer than all the rest. */
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
  // A pattern with few rows is soon read to its end.
  return rows < ROWS ? ROWS : count;
}

function isShared(slot: number, { slots }: QuadPattern): boolean {
  return slot !== CONSTANT && slots.includes(slot);
}
