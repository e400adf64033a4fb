import { expect, it } from 'vitest';
import { pooledRandomBytes } from '../../src/engine/random-bytes.ts';

it('gives as many bytes as asked for, and never the same ones again, across many refills', () => {
  const random = pooledRandomBytes();
  const seen = new Set<string>();
  for (let i = 0; i < 2_000; i++) {
    const bytes = random(16 + (i % 5));
    expect(bytes.byteLength).toBe(16 + (i % 5));
    seen.add(Buffer.from(bytes.subarray(0, 16)).toString('hex'));
  }
  expect(seen.size).toBe(2_000);
});

it('does not overwrite returned bytes when it refills', () => {
  const random = pooledRandomBytes();
  const first = random(16);
  const copy = Uint8Array.from(first);
  for (let i = 0; i < 600; i++) random(16);
  expect(first).toEqual(copy);
});

it('gives more than its pool holds', () => {
  expect(new Set(pooledRandomBytes()(8_192)).size).toBeGreaterThan(200);
});
