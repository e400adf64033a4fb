import { SeededRandom } from '@rdf-worlds/testkit';
import { describe, expect, it } from 'vitest';
import type { QuadBatch } from '../../src/contracts/quad-batch.ts';
import type { QuadSource } from '../../src/contracts/quad-source.ts';
import { TypeInstances } from '../../src/engine/type-instances.ts';

const TYPE = 1;

/** A world whose classes have these instances, and what was asked of it. */
function worldOf(classes: ReadonlyMap<number, readonly number[]>) {
  const asked = { lookups: 0, listed: 0 };
  const view = {
    estimate: (_s: number, _p: number, id: number) => classes.get(id)?.length ?? 0,
    count(subject: number, _p: number, id: number) {
      asked.lookups++;
      return classes.get(id)?.includes(subject) ? 1 : 0;
    },
    cursor() {
      let left: number[] = [];
      return {
        seek: (_s: number, _p: number, id: number) => {
          left = [...(classes.get(id) ?? [])];
        },
        next(batch: QuadBatch) {
          const rows = left.splice(0, batch.capacity);
          batch.subject.set(rows);
          batch.length = rows.length;
          asked.listed += rows.length;
          return rows.length;
        },
      };
    },
  };
  return { asked, view: view as unknown as QuadSource };
}

function instancesIn(worlds: readonly { readonly view: QuadSource }[], classes: readonly number[]) {
  let claimed = 0;
  const memory = { claimMemory: (bytes: number) => (claimed += bytes), release: () => undefined };
  const viewOf = (world: number) => worlds[world]?.view;
  const instances = new TypeInstances({ viewOf, type: TYPE, classes, largestId: 50_000, memory: memory as never });
  return { instances, claimed: () => claimed };
}

describe('TypeInstances', () => {
  it('answers by class and world, whatever is asked in whatever order', () => {
    const random = new SeededRandom(1);
    for (let round = 0; round < 30; round++) {
      const contents = [0, 1, 2].map(
        () =>
          new Map([10, 11, 12].map((id) => [id, Array.from({ length: random.below(900) }, () => random.below(2000))])),
      );
      const classes = [10, 11, 12, 13].filter(() => random.chance(0.6));
      const { instances } = instancesIn(contents.map(worldOf), classes);
      for (let question = 0; question < 400; question++) {
        const [world, subject] = [random.below(4), random.below(2000)];
        const expected = classes.some((id) => contents[world]?.get(id)?.includes(subject) ?? false);
        expect(instances.has(world, subject)).toBe(expected);
      }
    }
  });

  it('looks few subjects up, and lists the instances when there are many questions', () => {
    const many = Array.from({ length: 40_000 }, (_, at) => at * 2);
    const few = worldOf(new Map([[10, many]]));
    const { instances } = instancesIn([few], [10]);
    for (let subject = 1; subject < 20; subject += 2) expect(instances.has(0, subject)).toBe(false);
    expect(few.asked.lookups).toBe(10);
    expect(few.asked.listed).toBe(10 * 128);

    const all = worldOf(new Map([[10, many]]));
    const asked = instancesIn([all], [10]);
    for (let subject = 1; subject < 20_000; subject += 2) expect(asked.instances.has(0, subject)).toBe(false);
    expect(all.asked.listed).toBe(40_000);
    expect(all.asked.lookups).toBeLessThan(400);
    expect(asked.claimed()).toBe(40_000 * 32);
  });

  it('asks nothing of a world without instances, and once about neighbours of one subject', () => {
    const empty = worldOf(new Map());
    const full = worldOf(new Map([[10, [7, 9]]]));
    const { instances } = instancesIn([empty, full], [10, 11]);
    for (let lap = 0; lap < 5; lap++) expect(instances.has(0, 7)).toBe(false);
    for (let lap = 0; lap < 5; lap++) expect(instances.has(1, 8)).toBe(false);
    expect(empty.asked).toEqual({ lookups: 0, listed: 0 });
    expect(full.asked.listed).toBe(2);
    expect(full.asked.lookups).toBeLessThanOrEqual(2);
  });
});
