import { expect, it } from 'vitest';
import { progressLine } from '../src/progress-bar.ts';

it.each([
  { bytes: 0, total: 4_000_000, line: 'a.nq [........................] 0 % of 4.0 MB' },
  { bytes: 2_000_000, total: 4_000_000, line: 'a.nq [############............] 50 % of 4.0 MB' },
  // A file may grow while it is read.
  { bytes: 5_000_000, total: 4_000_000, line: 'a.nq [########################] 100 % of 4.0 MB' },
  { bytes: 1_250_000, total: undefined, line: 'a.nq 1.3 MB' },
])('shows $bytes of $total', ({ bytes, total, line }) => {
  expect(progressLine('a.nq', bytes, total)).toBe(line);
});
