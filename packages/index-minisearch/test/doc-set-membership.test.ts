import type { DocSet } from '@rdf-worlds/core/plugin';
import { describe, expect, it } from 'vitest';
import { docSetMembership } from '../src/doc-set-membership.ts';

const docs = [3, 4, 5, 31, 32, 64, 4_000_000_000];
const words = new Uint32Array(3);
for (const doc of docs.slice(0, -1)) words[doc >>> 5] |= 1 << (doc & 31);

const FORMS: readonly DocSet[] = [
  { kind: 'sorted', ids: Uint32Array.from(docs), size: 7 },
  { kind: 'ranges', ranges: Uint32Array.of(3, 6, 31, 33, 64, 65, 4_000_000_000, 4_000_000_001), size: 7 },
  { kind: 'bitset', words, size: 6 },
];

describe('docSetMembership', () => {
  it.each(FORMS)('of $kind', (set) => {
    const has = docSetMembership(set);
    for (let doc = 0; doc < 200; doc++) expect(has(doc), `${doc}`).toBe(docs.includes(doc));
    expect(has(4_000_000_000)).toBe(set.kind !== 'bitset');
    expect(has(4_000_000_001)).toBe(false);
  });

  it('of nothing', () => {
    expect(docSetMembership({ kind: 'sorted', ids: new Uint32Array(0), size: 0 })(0)).toBe(false);
    expect(docSetMembership({ kind: 'ranges', ranges: new Uint32Array(0), size: 0 })(0)).toBe(false);
    expect(docSetMembership({ kind: 'bitset', words: new Uint32Array(0), size: 0 })(0)).toBe(false);
  });
});
