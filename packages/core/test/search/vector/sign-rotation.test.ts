import { SeededRandom } from '@rdf-worlds/testkit';
import { describe, expect, it } from 'vitest';
import { SignRotation } from '../../../src/search/vector/sign-rotation.ts';

const dot = (a: Float64Array, b: Float64Array, start = 0, end = a.length) => {
  let sum = 0;
  for (let at = start; at < end; at++) sum += a[at] * b[at];
  return sum;
};

describe('SignRotation', () => {
  it.each([
    [1, 32, 16],
    [32, 32, 16],
    [100, 128, 4],
    [384, 512, 2],
    [1536, 2048, 2],
    [4096, 4096, 2],
    [4097, 8192, 1],
    [8192, 8192, 1],
  ])('of %i dimensions has a width of %i and %i rotations', (dimensions, width, rotations) => {
    const rotation = new SignRotation(dimensions);
    expect([rotation.width, rotation.rotations, rotation.bits]).toEqual([width, rotations, width * rotations]);
    expect(rotation.halfBits).toBe(rotations === 1 ? width : (width * rotations) / 2);
    expect(rotation.bits).toBeGreaterThanOrEqual(Math.min(2 * dimensions, 8192));
    expect(SignRotation.supports(dimensions)).toBe(true);
  });

  it('leaves vectors of more than 8,192 dimensions alone', () => {
    expect(SignRotation.supports(8193)).toBe(false);
  });

  it.each([1, 3, 96, 384, 5000])('keeps products of vectors, in each rotation (%i dimensions)', (dimensions) => {
    const random = new SeededRandom(dimensions);
    const rotation = new SignRotation(dimensions);
    const vector = () => Float64Array.from({ length: dimensions }, () => random.next() * 2 - 1);
    const [a, b] = [vector(), vector()];
    const rotatedA = new Float64Array(rotation.bits).fill(99);
    const rotatedB = new Float64Array(rotation.bits).fill(99);
    rotation.rotate(a, rotatedA);
    rotation.rotate(b, rotatedB);
    for (let start = 0; start < rotation.bits; start += rotation.width) {
      const end = start + rotation.width;
      expect(dot(rotatedA, rotatedB, start, end)).toBeCloseTo(dot(a, b), 8);
      expect(dot(rotatedA, rotatedA, start, end)).toBeCloseTo(dot(a, a), 8);
    }
  });

  it('spreads a vector of one component over many sizes', () => {
    const rotation = new SignRotation(384);
    const unit = new Float64Array(384);
    unit[17] = 1;
    const rotated = new Float64Array(rotation.bits);
    rotation.rotate(unit, rotated);
    expect(new Set(Array.from(rotated, (component) => Math.abs(component).toFixed(9))).size).toBeGreaterThan(10);
    expect(Math.max(...rotated.map(Math.abs))).toBeLessThan(0.3);
  });

  it('is the same always: codes may be stored', () => {
    const rotation = new SignRotation(5);
    const rotated = new Float64Array(rotation.bits);
    rotation.rotate(Float64Array.of(1, 2, 3, 4, 5), rotated);
    const signs = Array.from(rotated.subarray(0, 32), (component) => (component >= 0 ? '+' : '-')).join('');
    expect(signs).toMatchInlineSnapshot(`"+--++-+-----+--+---++--+-++-+++-"`);
  });
});
