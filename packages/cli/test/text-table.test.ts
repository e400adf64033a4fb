import { expect, it } from 'vitest';
import { textTable } from '../src/text-table.ts';

it('aligns by what a terminal draws, not by code units', () => {
  expect(
    textTable(
      ['a', 'b'],
      [
        ['日本', 'x'],
        ['e\u0301', 'y'],
        ['abcd', 'z'],
      ],
    ),
  ).toBe(['a    | b', '-----+--', '日本 | x', 'e\u0301    | y', 'abcd | z', ''].join('\n'));
});

it('lets no text control the terminal', () => {
  const table = textTable(['a'], [['\u001b[2J\u009b\n\r\t\u202e\u2028']]);
  expect(table.split('\n')[2]).toBe('\\u001B[2J\\u009B\\n\\r\\t\\u202E\\u2028');
});
