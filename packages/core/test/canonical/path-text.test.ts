import fc from 'fast-check';
import { expect, it } from 'vitest';
import { PathText } from '../../src/canonical/path-text.ts';

const pathOf = (pieces: readonly string[]) => {
  const path = new PathText();
  for (const piece of pieces) path.add(piece);
  return path;
};
const textOf = (path: PathText) => Array.from({ length: path.parts }, (_, i) => path.part(i)).join('');

/** Long ones differ in where their parts end. */
const piece = fc.oneof(
  fc.constantFrom('', 'a', 'b', '_:b1'),
  fc
    .tuple(fc.constantFrom('a', 'b'), fc.constantFrom(100, 5_000, 16_383, 16_384, 40_000))
    .map(([unit, n]) => unit.repeat(n)),
);

it('has the text, length and order of its pieces together', () => {
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), fc.array(piece, { maxLength: 12 }), (one, other) => {
      const [path, otherPath] = [pathOf(one), pathOf(other)];
      const [text, otherText] = [one.join(''), other.join('')];
      expect(textOf(path) === text).toBe(true);
      expect(path.length).toBe(text.length);
      expect(Math.sign(path.compare(otherPath))).toBe(text === otherText ? 0 : text < otherText ? -1 : 1);
    }),
  );
});

it('compares equal texts whose parts end at different places', () => {
  const text = 'ab'.repeat(50_000);
  const short = pathOf(text.match(/.{1,7}/g)!);
  const long = pathOf(text.match(/.{1,20001}/g)!);
  expect(short.parts).not.toBe(long.parts);
  expect(short.compare(long)).toBe(0);
  long.add('a');
  expect(short.compare(long)).toBeLessThan(0);
  expect(long.compare(short)).toBeGreaterThan(0);
});
