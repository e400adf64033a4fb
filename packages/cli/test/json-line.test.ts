import { WorldsError } from '@rdf-worlds/core';
import { expect, it } from 'vitest';
import { jsonLine } from '../src/json-line.ts';

/** Signs by which a value could end a line, begin another entry, or command a terminal. */
const HOSTILE =
  '\n\r\u0000\u001b[2J\u007f\u0085\u009b31m\u2028\u2029\u202e\u2066\u061c\ufeff"}\n{"level":60,"msg":"forged"}';

it('is one line of visible signs, whatever the values hold, and reads as it was', () => {
  const value = { principal: HOSTILE, worlds: [HOSTILE], [HOSTILE]: 1 };
  const line = jsonLine(value);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these must not be there
  expect(line).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/);
  expect(JSON.parse(line)).toEqual(value);
});

it('shows errors with code and cause, and integers of any size', () => {
  const err = new WorldsError('TIMEOUT', 'late', { cause: new Error(HOSTILE) });
  const line = jsonLine({ err, size: 2n ** 70n });
  expect(JSON.parse(line)).toMatchObject({
    err: { type: 'WorldsError', code: 'TIMEOUT', message: 'late', cause: { type: 'Error', message: HOSTILE } },
    size: '1180591620717411303424',
  });
  expect(line).not.toContain('\n');
});
