import { expect, it } from 'vitest';
import { displayWidth, fitted } from '../src/display-width.ts';
import { cutWidths, textTable } from '../src/text-table.ts';

it('aligns by display width, not by code units', () => {
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

it.each([
  { widths: [5, 5], room: 10, cut: [5, 5] },
  { widths: [5, 50], room: 30, cut: [5, 25] },
  { widths: [50, 5, 40], room: 45, cut: [20, 5, 20] },
  // Below this nothing could be read: lines become longer than the terminal.
  { widths: [50, 50, 50], room: 10, cut: [8, 8, 8] },
  { widths: [], room: 10, cut: [] },
])('cuts columns of $widths to $cut for $room', ({ widths, room, cut }) => {
  expect(cutWidths(widths, room)).toEqual(cut);
});

it.each([
  ['short', 10, 'short'],
  ['a text that is long', 10, 'a text th…'],
  ['<http://example.org/item/12>', 14, '<http:/…em/12>'],
  ['日本語日本語', 8, '日本語…'],
  ['e\u0301e\u0301e\u0301e\u0301', 3, 'e\u0301e\u0301…'],
])('fits %j into %d columns', (text, columns, expected) => {
  expect(fitted(text, columns)).toBe(expected);
  expect(displayWidth(expected)).toBeLessThanOrEqual(columns);
});

it('is as wide as the terminal, unless it must be wider to be read', () => {
  const row = ['x'.repeat(100), 'y'.repeat(10), 'z'.repeat(70)];
  for (const line of textTable(['a', 'b', 'c'], [row], { width: 80 }).trimEnd().split('\n')) {
    expect(displayWidth(line)).toBeLessThanOrEqual(80);
  }
  expect(textTable(['a', 'b', 'c'], [row])).toContain(row.join(' | '));
});
