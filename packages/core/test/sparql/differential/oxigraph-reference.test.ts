import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { OXIGRAPH_DEVIATIONS } from './oxigraph-deviations.ts';
import { OXIGRAPH_FUNCTION_DEVIATIONS } from './oxigraph-semantics.ts';

const DOCUMENT = new URL('../../../../../docs/reference/sparql-differences.md', import.meta.url);

it('docs/reference/sparql-differences.md lists every known difference of Oxigraph with its reason, in order', () => {
  const [, section] = readFileSync(DOCUMENT, 'utf8').split('## Oxigraph');
  const rows = section.split('\n## ')[0].matchAll(/^\| ([^|]+) \| ([^|]+) \|$/gm);
  const listed = [...rows]
    .map(([, name, reason]) => [name, reason])
    .filter(([name]) => !/^-+$|^difference$/.test(name));
  const known = [...OXIGRAPH_FUNCTION_DEVIATIONS, ...OXIGRAPH_DEVIATIONS].map(({ name, reason }) => [name, reason]);
  expect(listed).toEqual(known);
});
