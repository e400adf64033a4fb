import { describe, expect, it } from 'vitest';
import { isSealed, openedRevision, sealedRevision } from '../src/feed-position.ts';

describe('a sealed revision', () => {
  it('is opened with the secret, and with no other', () => {
    for (const revision of [0, 1, 2 ** 32 + 7, 2 ** 44, Number.MAX_SAFE_INTEGER]) {
      const sealed = sealedRevision(revision, 'secret');
      expect(isSealed(sealed)).toBe(true);
      expect(openedRevision(sealed, 'secret')).toBe(revision);
      expect(openedRevision(sealed, 'other')).toBeUndefined();
    }
  });

  it('cannot be changed, and is different each time', () => {
    const sealed = sealedRevision(7, 'secret');
    expect(sealedRevision(7, 'secret')).not.toBe(sealed);
    for (let i = 0; i < sealed.length; i++) {
      const changed = sealed.slice(0, i) + (sealed[i] === 'A' ? 'B' : 'A') + sealed.slice(i + 1);
      expect(openedRevision(changed, 'secret')).toBeUndefined();
    }
    expect(isSealed('A'.repeat(47))).toBe(false);
    expect(isSealed('12')).toBe(false);
    expect(openedRevision('A'.repeat(48), 'secret')).toBeUndefined();
  });
});
