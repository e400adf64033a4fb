import { dateOfDay } from '../expressions/date-time.ts';

/** Number of cached days: a power of two, and more than eleven years. */
const PLACES = 1 << 12;

/**
 * Years, months and days of the month by day number. The dates of a dataset mostly lie within some
 * years, so that few of them are computed; which days are cached does not change the result.
 */
export class DatesOfDays {
  /** By place; see {@link place}. */
  readonly years: Float64Array = new Float64Array(PLACES);
  readonly months: Uint8Array = new Uint8Array(PLACES);
  readonly days: Uint8Array = new Uint8Array(PLACES);
  /** The day number at each place. */
  private readonly numbers = new Float64Array(PLACES).fill(Number.NaN);

  /**
   * Returns the place of the date of a day, valid until the next call.
   *
   * @param day days since 1970-01-01
   */
  place(day: number): number {
    // The lowest bits of the day, whatever its size: numbers beyond 32 bits wrap around.
    const place = day & (PLACES - 1);
    if (this.numbers[place] !== day) this.compute(day, place);
    return place;
  }

  private compute(day: number, place: number): void {
    const [year, month, dayOfMonth] = dateOfDay(day);
    this.numbers[place] = day;
    this.years[place] = year;
    this.months[place] = month;
    this.days[place] = dayOfMonth;
  }
}
