import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ERROR_CODES } from '@rdf-worlds/core';
import { expect, it } from 'vitest';
import { ROOT } from './source-imports.ts';

it('docs/reference/errors.md lists every error code with its meaning, in order', () => {
  const rows = readFileSync(join(ROOT, 'docs/reference/errors.md'), 'utf8').matchAll(/^\| `([A-Z_]+)` \| ([^|]+) \|/gm);
  expect([...rows].map((row) => [row[1], row[2]!.trim()])).toEqual(Object.entries(ERROR_CODES));
});
