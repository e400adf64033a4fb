import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runAtOnce } from '../../src/contracts/slicer.ts';
import { parseJson } from '../../src/formats/json-syntax.ts';
import type { WorldsError } from '../../src/model/worlds-error.ts';

const check = (text: string) => plain(runAtOnce(parseJson(text)));
/** Maps as objects and large integers rounded, as JSON.parse makes them. */
function plain(value: unknown): unknown {
  if (typeof value === 'bigint') return Number(value);
  if (Array.isArray(value)) return value.map(plain);
  if (!(value instanceof Map)) return value;
  return Object.fromEntries([...value].map(([name, member]) => [name, plain(member)]));
}
const thrown = (text: string): WorldsError | undefined => {
  try {
    check(text);
  } catch (error) {
    return error as WorldsError;
  }
};

describe('parseJson', () => {
  it.each([
    ['', 1, 1, /expected a value, found the end/],
    ['{', 1, 2, /expected a member name/],
    ['[1', 1, 3, /expected "," or "]", found the end/],
    ['[1,]', 1, 4, /expected a value, found "]"/],
    ['{"a":1,}', 1, 8, /expected a member name/],
    ['{"a" 1}', 1, 6, /expected ":"/],
    ['{a:1}', 1, 2, /expected a member name/],
    ["{'a':1}", 1, 2, /expected a member name/],
    ['{"a":1\n "b":2}', 2, 2, /expected "," or "}"/],
    ['[1]]', 1, 4, /expected the end/],
    ['[1}', 1, 3, /expected "," or "]"/],
    ['[01]', 1, 3, /expected "," or "]"/],
    ['[-]', 1, 3, /digit/],
    ['[1.]', 1, 3, /expected ","/],
    ['[+1]', 1, 2, /expected a value/],
    ['[NaN]', 1, 2, /expected a value/],
    ['[1e999]', 1, 2, /range of a double/],
    ['[tru]', 1, 2, /expected a value/],
    ['["a]', 1, 2, /no closing quote/],
    ['["a\nb"]', 1, 4, /must be escaped/],
    ['["\\x"]', 1, 3, /escape/],
    ['["\\u12"]', 1, 3, /escape/],
    ['["\\ud800"]', 1, 3, /surrogate/],
    ['["\\udc00\\ud800"]', 1, 3, /surrogate/],
    ['{"a":1,"a":2}', 1, 8, /twice/],
    ['{"a":1,"\\u0061":2}', 1, 8, /twice/],
    [`${'['.repeat(513)}${']'.repeat(513)}`, 1, 513, /deeper than 512/],
  ])('refuses %j at line %i, column %i', (text, line, column, message) => {
    const error = thrown(text);
    expect(error).toMatchObject({ code: 'INVALID_RDF', location: { line, column } });
    expect(error?.message).toMatch(message);
  });

  it.each(['{}', '[]', ' [ ] ', '"\\ud83d\\ude00"', '-0.5e+3', 'null', `${'['.repeat(512)}${']'.repeat(512)}`])(
    'takes %j',
    (text) => {
      expect(thrown(text)).toBeUndefined();
    },
  );

  it('agrees with JSON.parse on any JSON text', () => {
    const mangled = fc.tuple(
      fc.json(),
      fc.nat(),
      fc.constantFrom('', '"', '{', ']', ',', ':', '\\', '1', 'e', ' ', '\n', 'null'),
    );
    fc.assert(
      fc.property(mangled, ([json, position, inserted]) => {
        const at = position % (json.length + 1);
        const text = json.slice(0, at) + inserted + json.slice(at + (inserted === '' ? 1 : 0));
        let parsed: { value: unknown } | undefined;
        try {
          parsed = { value: JSON.parse(text) };
        } catch {
          parsed = undefined;
        }
        const error = thrown(text);
        // What it refuses beyond the grammar is tested above.
        if (error && /twice|surrogate|range/.test(error.message)) return;
        expect(error === undefined).toBe(parsed !== undefined);
        if (parsed) expect(check(text)).toEqual(parsed.value);
      }),
      { numRuns: 500 },
    );
  });
});
