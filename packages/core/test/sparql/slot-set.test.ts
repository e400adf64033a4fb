import fc from 'fast-check';
import { expect, it } from 'vitest';
import { distinctSlots, SlotSet } from '../../src/sparql/exec/slot-set.ts';

const slots = fc.array(fc.nat(70), { maxLength: 20 });
const SLOTS = Array.from({ length: 72 }, (_, slot) => slot);

function members(set: { has(slot: number): boolean }): number[] {
  return SLOTS.filter((slot) => set.has(slot));
}

it('is a set, whatever the numbers of its slots', () => {
  fc.assert(
    fc.property(slots, slots, fc.nat(70), (one, other, gone) => {
      const set = SlotSet.of(one);
      expect(members(set)).toEqual(members(new Set(one)));
      expect(members(set.with(other))).toEqual(members(new Set([...one, ...other])));
      expect(members(set.union(SlotSet.of(other)))).toEqual(members(new Set([...one, ...other])));
      const common = set.intersection(SlotSet.of(other));
      expect(members(common)).toEqual(members(new Set(one.filter((slot) => other.includes(slot)))));
      expect(members(set.without(gone))).toEqual(members(new Set(one.filter((slot) => slot !== gone))));
      const isOdd = (slot: number) => slot % 2 === 1;
      expect(members(SlotSet.of(one, isOdd))).toEqual(members(new Set(one.filter(isOdd))));
      expect(set.among(other)).toEqual(other.filter((slot) => one.includes(slot)));
      expect(set.outside(other)).toEqual(other.filter((slot) => !one.includes(slot)));
      // What was made of it has not changed it.
      expect(members(set)).toEqual(members(new Set(one)));
    }),
  );
});

it('is itself with slots that it has', () => {
  const set = SlotSet.of([1, 30, 31, 60]);
  expect(set.with([60, 1])).toBe(set);
  expect(set.without(2)).toBe(set);
});

it('gives a list itself where nothing is taken out of it', () => {
  const list = [1, 30, 31, 60];
  expect(SlotSet.of([0, ...list]).among(list)).toBe(list);
  expect(SlotSet.of([0, 2]).outside(list)).toBe(list);
  expect(distinctSlots(list)).toBe(list);
});

it('finds the different slots of a short list and of a long one', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(20), { maxLength: 40 }), (list) => {
      expect(distinctSlots(list)).toEqual([...new Set(list)]);
    }),
  );
});
