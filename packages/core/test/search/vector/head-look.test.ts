import { describe, expect, it } from 'vitest';
import { HeadLook } from '../../../src/search/vector/head-look.ts';

/** Returns for each piece whether heads were looked at, which leaves `left` of 100 blocks. */
function looks(left: number, pieces: number): boolean[] {
  const look = new HeadLook();
  return Array.from({ length: pieces }, () => {
    const { pays } = look;
    look.tell(pays ? 100 : 0, pays ? left : 0);
    return pays;
  });
}

describe('a look at heads', () => {
  it('is taken at every piece while it leaves few blocks', () => {
    expect(looks(2, 50)).not.toContain(false);
    expect(looks(70, 50)).not.toContain(false);
  });

  it('is tried a few times where it does not pay', () => {
    const places = looks(95, 1000).flatMap((looked, piece) => (looked ? [piece] : []));
    expect(places).toEqual([0, 2, 5, 10, 19, 36, 69, 134, 263, 520]);
  });
});
