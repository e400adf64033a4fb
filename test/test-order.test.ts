import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { LONG } from '../vitest.order.ts';
import { ROOT } from './source-imports.ts';

it('the long test files that start first are there, each listed once', () => {
  expect(LONG.filter((file) => !existsSync(join(ROOT, file)))).toEqual([]);
  expect(new Set(LONG).size).toBe(LONG.length);
});
