import { SeededRandom } from '@rdf-worlds/testkit';
import { expect, it } from 'vitest';
import { parseJsonPieces } from '../src/json-pieces.ts';

/** Returns the value, or `SyntaxError`, and the number of yields. */
function read(text: string, units?: number): { readonly value: unknown; readonly yields: number } {
  const kernel = parseJsonPieces(text, units);
  let yields = 0;
  try {
    for (;;) {
      const step = kernel.next();
      if (step.done) return { value: step.value, yields };
      yields++;
    }
  } catch (error) {
    if (error instanceof SyntaxError) return { value: SyntaxError, yields };
    throw error;
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return SyntaxError;
  }
}

function randomJson(random: SeededRandom, depth = 0): string {
  const space = () => ['', '', ' ', '\n', '\t\r '][random.below(5)];
  const items = (item: () => string) => Array.from({ length: random.below(5) }, item).join(`${space()},${space()}`);
  const string = () =>
    `"${['', 'a', '\\"', '\\\\', '[{', '}],:', '\\u0041', '__proto__', '7', 'é'][random.below(10)]}"`;
  switch (random.below(depth > 4 ? 4 : 8)) {
    case 0:
      return ['0', '-1.5e+3', '12', 'true', 'false', 'null'][random.below(6)];
    case 1:
    case 2:
      return string();
    case 3:
      return ['[]', '{}', '[ ]', '{ }'][random.below(4)];
    case 4:
    case 5:
      return `[${space()}${items(() => randomJson(random, depth + 1))}${space()}]`;
    default:
      return `{${space()}${items(() => `${string()}${space()}:${space()}${randomJson(random, depth + 1)}`)}${space()}}`;
  }
}

it('agrees with JSON.parse, also about what is malformed, whatever the length of a piece', () => {
  const random = new SeededRandom(5);
  let malformed = 0;
  for (let i = 0; i < 3000; i++) {
    let text = randomJson(random);
    if (i % 2 === 1) {
      const at = random.below(text.length + 1);
      const put = ['', ',', ']', '}', '[', '{', '"', ':', 'x', ' ', '\\', '1'][random.below(12)];
      text = text.slice(0, at) + put + text.slice(at + random.below(3));
    }
    const expected = parsed(text);
    if (expected === SyntaxError) malformed++;
    for (const units of [1, 3, 10, 1000]) {
      const { value } = read(text, units);
      // Functions have no JSON.
      if (JSON.stringify(value) !== JSON.stringify(expected)) throw new Error(`${units} units: ${text}`);
    }
  }
  expect(malformed).toBeGreaterThan(300);
});

it('gives no member a meaning', () => {
  const { value } = read('{"__proto__": {"a": 1}, "b": 2}', 1);
  expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
  expect(Object.keys(value as object)).toEqual(['__proto__', 'b']);
});

it.each([
  ['small objects', JSON.stringify(Array.from({ length: 40_000 }, (_, i) => ({ [`t${i}`]: 'urn:text' })))],
  ['members', JSON.stringify(Object.fromEntries(Array.from({ length: 40_000 }, (_, i) => [`t${i}`, i])))],
  ['arrays in a member', JSON.stringify({ a: { b: Array.from({ length: 100_000 }, () => []) } })],
  ['nested arrays', JSON.stringify([[Array.from({ length: 100_000 }, () => [0])]])],
])('parses a piece of the text at a time: %s', (_, text) => {
  const { value, yields } = read(text);
  expect(value).toEqual(JSON.parse(text));
  expect(yields).toBeGreaterThanOrEqual(Math.floor(text.length / (1 << 16)));
});
