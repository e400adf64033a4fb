import { expect, it } from 'vitest';
import { SeededRandom } from '../../../testkit/src/seeded-random.ts';
import { dateOfDay } from '../../src/sparql/expressions/date-time.ts';
import { DatesOfDays } from '../../src/sparql/vectors/dates-of-days.ts';

it('cached dates are those of their days, whichever days share a place', () => {
  const random = new SeededRandom(1);
  const dates = new DatesOfDays();
  const edges = [0, -1, 1, -719_528, -719_529, 2_932_896, 2_932_897, -800_000_000, 4_294_967_296, 9_000_000_000];
  for (let i = 0; i < 20_000; i++) {
    // Days 4,096 and 2^32 apart share a place.
    const day = random.pick(edges) + random.below(3) * 4096 + random.below(40) - 20;
    const place = dates.place(day);
    expect([dates.years[place], dates.months[place], dates.days[place]], String(day)).toEqual([...dateOfDay(day)]);
  }
});
