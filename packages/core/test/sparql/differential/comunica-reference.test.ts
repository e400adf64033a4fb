import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { COMUNICA_DEVIATIONS } from './comunica-deviations.ts';
import { FUNCTION_DEVIATIONS } from './comunica-semantics.ts';

const DOCUMENT = new URL('../../../../../docs/reference/comunica-differences.md', import.meta.url);

it('docs/reference/comunica-differences.md lists every known difference with its reason, in order', () => {
  const rows = readFileSync(DOCUMENT, 'utf8').matchAll(/^\| ([^|]+) \| ([^|]+) \|$/gm);
  const listed = [...rows]
    .map(([, name, reason]) => [name, reason])
    .filter(([name]) => !/^-+$|^difference$/.test(name));
  const known = [...FUNCTION_DEVIATIONS, ...COMUNICA_DEVIATIONS].map(({ name, reason }) => [name, reason]);
  expect(listed).toEqual(known);
});
