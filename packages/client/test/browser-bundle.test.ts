import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { browserBundle } from './browser-bundle.ts';

it('a bundle for browsers is small, and has no part of the engine', async () => {
  const bundle = await browserBundle();
  expect(gzipSync(bundle, { level: 9 }).length).toBeLessThan(30_000);
  const text = new TextDecoder().decode(bundle);
  expect(text).not.toMatch(/\b(?:import|require)\s*\(?\s*["'](?:node:|zod|n3)/);
  // Of the engine, the reader of N-Quads and zod.
  expect(text).not.toMatch(/commitStatus|LineParser|safeParse/);
});
