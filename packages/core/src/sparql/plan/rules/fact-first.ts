import { QuadBatch, WANT_SUBJECT } from '../../../contracts/quad-batch.ts';
import { CONSTANT, type QuadPattern } from '../../exec/quad-pattern.ts';
import { MANY_ROWS } from '../../exec/scan.ts';
import type { PatternPlanner } from '../pattern-planner.ts';
import { measuredOnce } from '../statistics.ts';
import type { Unit } from '../unit.ts';

/** Share of the rows of a pattern that must be needed, so that reading all of them pays. */
const MIN_SHARE = 0.5;
/** Rows that are read for a sample, and how many of them are looked up. */
const READ_ROWS = 1024;
const SAMPLE_ROWS = 16;

/**
 * Whether a group should begin with a pattern instead of joining it to the patterns before it: it
 * leads from few objects to most of its subjects, of which further patterns are looked up, as from
 * sensors to their measurements and the values of these. In the order of the objects, nearly all of
 * these lookups are cache misses; in the order of the subjects, only the few objects are looked up
 * at random.
 *
 * @param before the units before it, without conditions between them
 * @param rows estimated rows of the units before it
 * @param others the units that follow
 */
export function isFact(
  planner: PatternPlanner,
  unit: Unit,
  before: readonly Unit[],
  rows: number,
  others: readonly Unit[],
): boolean {
  if (!isWhole(unit)) return false;
  const { pattern } = unit;
  const count = planner.statistics.count(pattern);
  if (count < MANY_ROWS) return false;
  const [subject, , object] = pattern.slots;
  const isLookedUp = others.some((other) => other.kind === 'pattern' && other.pattern.slots[0] === subject);
  if (!isLookedUp || !before.every(isWhole)) return false;
  const source = before.find((one) => isWhole(one) && one.pattern.slots[0] === object) as PatternUnit | undefined;
  return source !== undefined && rows * matchesPerRow(planner, source.pattern, pattern) >= count * MIN_SHARE;
}

type PatternUnit = Unit & { readonly kind: 'pattern' };

/** Whether a unit is all quads of a predicate in one graph. */
function isWhole(unit: Unit): unit is PatternUnit {
  if (unit.kind !== 'pattern') return false;
  const [subject, predicate, object, graph] = unit.pattern.slots;
  return (
    subject !== CONSTANT &&
    predicate === CONSTANT &&
    object !== CONSTANT &&
    object !== subject &&
    graph === CONSTANT &&
    !unit.pattern.impossible
  );
}

/** Samples how many quads of a pattern have a subject of another pattern as their object. */
function matchesPerRow({ source }: PatternPlanner, from: QuadPattern, to: QuadPattern): number {
  return measuredOnce(source, `${from.ids.join()} to ${to.ids.join()}`, () => {
    const batch = new QuadBatch(READ_ROWS, WANT_SUBJECT);
    const cursor = source.cursor();
    cursor.seek(...from.ids);
    const read = cursor.next(batch);
    let matches = 0;
    let sampled = 0;
    for (let row = 0; row < read; row += Math.ceil(read / SAMPLE_ROWS)) {
      matches += source.estimate(to.ids[0], to.ids[1], batch.subject[row], to.ids[3]);
      sampled++;
    }
    return sampled === 0 ? 0 : matches / sampled;
  });
}
