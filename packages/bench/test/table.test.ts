import { expect, it } from 'vitest';
import { formatReport } from '../src/report.ts';
import { formatTable, markdownTable } from '../src/table.ts';

it('a table is aligned: names to the left, figures to the right', () => {
  const table = {
    title: 'Speed',
    columns: ['', 'ms'],
    rows: [
      ['engine', '9.5'],
      ['a peer', '1,204.0'],
    ],
  };
  expect(formatTable(table)).toBe(
    ['Speed', '', '             ms', '------  -------', 'engine      9.5', 'a peer  1,204.0'].join('\n'),
  );
});

it('a table in Markdown keeps its cells apart', () => {
  expect(markdownTable({ title: 'Speed', columns: ['', 'ms'], rows: [['a|b', '9.5']] })).toBe(
    ['Speed', '', '|  | ms |', '|---|---|', '| a\\|b | 9.5 |'].join('\n'),
  );
});

it('a report names the machine and the settings before the figures', () => {
  const report = {
    settings: ['1 round'],
    tables: [{ columns: ['', 'n'], rows: [['x', '1']] }],
    notes: ['Read it so.'],
  };
  expect(formatReport('load', 'Node 20', report)).toBe(
    '=== load\n\nNode 20\n1 round\n\n   n\n-  -\nx  1\n\n- Read it so.',
  );
});
