import { expect, it } from 'vitest';
import { NodeSet } from '../../src/sparql/exec/node-set.ts';

it('has each id once, whether there are few or many, close together or far apart', () => {
  for (const spread of [1, 7, 32_768, 250_001]) {
    let claimed = 0;
    const set = new NodeSet({
      claimMemory: (bytes) => {
        claimed += bytes;
      },
    });
    const known = new Set<number>();
    for (let i = 0; i < 20_000; i++) {
      const id = 1 + ((i * 7_919 * spread) % 0x7fff_fff0);
      expect(set.add(id)).toBe(!known.has(id));
      known.add(id);
      if (i % 3 === 0) expect(set.add(id)).toBe(false);
    }
    // At least two bits for each id, and no more than a page each, with the tables before it.
    expect(claimed).toBeGreaterThan(known.size / 8);
    expect(claimed).toBeLessThan(known.size * 4096 + 131_072);
  }
});
