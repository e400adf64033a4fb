import { RandomNumbers } from '../random-numbers.ts';
import type { Dataset, Entity, EntityKind } from './entity.ts';
import { dateAfter, timeAfter } from './generated-values.ts';

const building: EntityKind = { name: 'building', columns: [{ name: 'title', type: 'string' }] };
const room: EntityKind = {
  name: 'room',
  columns: [
    { name: 'title', type: 'string' },
    { name: 'building', type: 'reference', to: 'building' },
    { name: 'area', type: 'double' },
    { name: 'opensTo', type: 'reference', to: 'room', isMany: true },
  ],
};
const sensor: EntityKind = {
  name: 'sensor',
  columns: [
    { name: 'room', type: 'reference', to: 'room' },
    { name: 'measures', type: 'string' },
    { name: 'calibrated', type: 'date' },
    { name: 'drift', type: 'double' },
    { name: 'threshold', type: 'decimal' },
  ],
};
const observation: EntityKind = {
  name: 'observation',
  columns: [
    { name: 'sensor', type: 'reference', to: 'sensor' },
    { name: 'reading', type: 'decimal' },
    { name: 'observed', type: 'dateTime' },
    { name: 'quality', type: 'integer' },
  ],
};

const MEASURES = ['temperature', 'humidity', 'carbon dioxide', 'noise', 'light'];
const AT_SCALE_1 = { building: 6, room: 120, sensor: 600, observation: 200_000 };
/** A prime, so that multiples of a number below it are distinct modulo it. */
const READINGS = 10_000_019;
const STEP = 6_180_339;
const SECONDS_BETWEEN = 300;

/**
 * Buildings, rooms with doors to other rooms, sensors, and observations whose readings and times
 * are all distinct. Qualities and thresholds are optional.
 */
export function sensorsDataset({ seed, scale }: { readonly seed: number; readonly scale: number }): Dataset {
  const count = (kind: keyof typeof AT_SCALE_1) => Math.max(4, Math.round(AT_SCALE_1[kind] * scale));
  return {
    name: 'sensors',
    kinds: [building, room, sensor, observation],
    *entities(): Generator<Entity> {
      const random = new RandomNumbers(seed);
      const rooms = count('room');
      for (let number = 0; number < count('building'); number++) {
        yield { kind: building, number, values: { title: `Building ${number}` } };
      }
      for (let number = 0; number < rooms; number++) {
        const doors = [number + 1, ...(random.below(4) === 0 ? [random.below(rooms)] : [])];
        const values = {
          title: `Room ${number}`,
          building: Math.floor((number * count('building')) / rooms),
          area: `${random.between(8, 90)}.${random.below(10)}E0`,
          // Rooms are in rows of ten.
          opensTo: [...new Set(doors)].filter((door) => door < rooms && door !== number && door % 10 !== 0),
        };
        yield { kind: room, number, values };
      }
      for (let number = 0; number < count('sensor'); number++) {
        const values = {
          room: random.below(rooms),
          measures: MEASURES[number % MEASURES.length],
          calibrated: dateAfter('2023-01-01', random.below(700)),
          drift: `${random.between(1, 99)}E-3`,
          threshold: random.below(3) < 2 ? `${random.between(700, 999)}.5` : undefined,
        };
        yield { kind: sensor, number, values };
      }
      for (let number = 0; number < count('observation'); number++) {
        // The product stays below 2^53 up to scale 7,000.
        const reading = (number * STEP) % READINGS;
        const values = {
          sensor: random.below(count('sensor')),
          reading: `${Math.floor(reading / 10_000)}.${String(reading % 10_000).padStart(4, '0')}`,
          observed: timeAfter('2024-01-01', number * SECONDS_BETWEEN + random.below(SECONDS_BETWEEN)),
          quality: random.below(5) === 0 ? String(random.between(0, 3)) : undefined,
        };
        yield { kind: observation, number, values };
      }
    },
  };
}
