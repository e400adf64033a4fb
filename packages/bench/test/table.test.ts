import { expect, it } from 'vitest';
import { formatReport } from '../src/report.ts';
import { formatTable, markdownTable } from '../src/table.ts';

it('aligns names left and figures right', () => {
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

it('escapes the cell separator in Markdown', () => {
  expect(markdownTable({ title: 'Speed', columns: ['', 'ms'], rows: [['a|b', '9.5']] })).toBe(
    ['Speed', '', '|  | ms |', '|---|---|', '| a\\|b | 9.5 |'].join('\n'),
  );
});

it('prints the machine and the settings before the tables', () => {
  const report = {
    settings: ['1 round'],
    tables: [{ columns: ['', 'n'], rows: [['x', '1']] }],
    notes: ['Read it so.'],
  };
  expect(formatReport('load', 'Node 20', report)).toBe(
    '=== load\n\nNode 20\n1 round\n\n   n\n-  -\nx  1\n\n- Read it so.',
  );
});
