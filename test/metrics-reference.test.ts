import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { METRICS, type MetricRow } from '@rdf-worlds/http/metrics';
import { expect, it } from 'vitest';
import { ROOT } from './source-imports.ts';

it('docs/reference/metrics.md lists every metric as it is, in order', () => {
  const text = readFileSync(join(ROOT, 'docs/reference/metrics.md'), 'utf8');
  const rows = [...text.matchAll(/^\| `(\w+)` \| (\w+) \| (.*?) ?\| (.+) \|$/gm)].map(([, ...cells]) => cells);
  const table = Object.entries(METRICS).map(([name, row]) => {
    const { type, labels = [], help }: MetricRow = row;
    return [name, type, labels.map((label) => `\`${label}\``).join(', '), help];
  });
  expect(rows).toEqual(table);
});
