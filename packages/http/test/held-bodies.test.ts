import { describe, expect, it } from 'vitest';
import { HeldBodies } from '../src/held-bodies.ts';

const FREE = 64 * 1024;
const REFUSED = expect.objectContaining({ status: 503, headers: { 'retry-after': '5' } });

describe('HeldBodies', () => {
  it('counts what is beyond the beginning of each body, until it is released', () => {
    const held = new HeldBodies();
    const claims = Array.from({ length: 100 }, () => held.open('a', 1000));
    for (const claim of claims) claim.grow(FREE);
    expect(held.bytes).toBe(0);
    claims[0].grow(300);
    claims[1].grow(100);
    expect(held.bytes).toBe(400);
    claims[0].release();
    claims[0].release();
    expect(held.bytes).toBe(100);
    claims[1].release();
    expect(held.bytes).toBe(0);
  });

  it('gives one caller half, and all callers no more than there is', () => {
    const held = new HeldBodies();
    const [a, b, c] = ['a', 'b', 'c'].map((caller) => held.open(caller, 1000));
    a.grow(FREE + 500);
    expect(() => held.open('a', 1000).grow(FREE + 1)).toThrow(REFUSED);
    b.grow(FREE + 500);
    expect(() => c.grow(FREE + 1)).toThrow(REFUSED);
    expect(held.bytes).toBe(1000);
    a.release();
    c.grow(FREE + 10);
    expect(held.bytes).toBe(510);
  });

  it('refuses a body by its declared length, without counting it', () => {
    const held = new HeldBodies();
    expect(() => held.open('a', 1000).expect(FREE + 501)).toThrow(REFUSED);
    held.open('a', 1000).expect(FREE + 500);
    expect(held.bytes).toBe(0);
  });
});
