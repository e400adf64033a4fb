import { COMPARABLE, hasFraction, isTime, VALUE, ZONED } from '../../contracts/value-column.ts';
import type { Execution } from '../exec/execution.ts';
import { StoredTexts } from '../exec/stored-texts.ts';
import { SECONDS_A_DAY } from '../expressions/date-time.ts';
import { type NumberProgram, NumberVector } from './number-vector.ts';
import { NO_ZONE, zoneAtEnd } from './parse-value.ts';

/** Second result of {@link movedTime}: the number. A shared object, to allocate nothing per row. */
export const moved: { number: number } = { number: 0 };

/** Times of larger numbers, 190 million years from now, may be out of the supported range. */
const MAX_SECONDS = 6e15;

/**
 * Adds or subtracts dates, dateTimes and dayTimeDurations (XPath F&O 10.6 to 10.8): returns the
 * kind of the result, and leaves its number in {@link moved}. Returns `opaque` for an error, and
 * for results that have a part which the numbers omit.
 */
export function movedTime(isSum: boolean, leftKind: number, left: number, rightKind: number, right: number): number {
  if (leftKind === VALUE.duration && rightKind === VALUE.duration) {
    moved.number = isSum ? left + right : left - right;
    return Number.isSafeInteger(moved.number) ? VALUE.duration : VALUE.opaque;
  }
  if (isTime(leftKind) && rightKind === VALUE.duration) return shifted(leftKind, left, isSum ? right : -right);
  if (isSum) return leftKind === VALUE.duration && isTime(rightKind) ? shifted(rightKind, right, left) : VALUE.opaque;
  const areAlike = isTime(leftKind) && COMPARABLE[leftKind] === COMPARABLE[rightKind];
  if (!areAlike || hasFraction(leftKind) || hasFraction(rightKind)) return VALUE.opaque;
  moved.number = left - right;
  return VALUE.duration;
}

function shifted(kind: number, time: number, seconds: number): number {
  // A date is cut to whole days afterwards, in its own time zone.
  if (COMPARABLE[kind] === COMPARABLE[VALUE.date] && seconds % SECONDS_A_DAY !== 0) return VALUE.opaque;
  moved.number = time + seconds;
  return Math.abs(moved.number) <= MAX_SECONDS ? kind : VALUE.opaque;
}

/**
 * Moves the times of a slot to their own time zones, so that their parts are those that YEAR, HOURS
 * and so on return: the offsets are read from the stored texts. Kinds become those in UTC.
 *
 * @param times the values of the slot
 */
export function ofLocalTime(times: NumberProgram, slot: number, execution: Execution): NumberProgram | undefined {
  const texts = StoredTexts.of(execution.source.terms);
  if (!texts) return undefined;
  const { at } = texts;
  const local = new NumberVector(execution);
  return (batch) => {
    const vector = times(batch);
    if (vector.highest < VALUE.zonedDate || vector.lowest > VALUE.zonedDateTimeFraction) return vector;
    local.reserve(batch.length);
    const column = batch.columns[slot]!;
    for (let row = 0; row < batch.length; row++) {
      const kind = vector.kinds[row];
      local.kinds[row] = kind;
      local.numbers[row] = vector.numbers[row];
      if (kind < VALUE.zonedDate || kind > VALUE.zonedDateTimeFraction) continue;
      texts.locate(column[row]);
      const offset = zoneAtEnd(at.buffer, at.start, at.end);
      const isKnown = offset !== NO_ZONE && !Number.isNaN(offset);
      local.kinds[row] = isKnown ? kind - ZONED : VALUE.opaque;
      local.numbers[row] += isKnown ? offset * 60 : 0;
    }
    return local;
  };
}
