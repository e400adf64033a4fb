import { expect, it } from 'vitest';
import { etagOf, matchesEtag } from '../src/etag.ts';

const world = { slug: 'a', namespace: 'n', createdAt: 1000, updatedAt: 2000, revision: 7 };

it('names a state of a world, and a representation of it', () => {
  const etag = etagOf(world);
  expect(etag).toMatch(/^"[^"]+"$/);
  expect(etagOf({ ...world, revision: 8 })).not.toBe(etag);
  // A namespace that was deleted and created again counts its revisions from the start.
  expect(etagOf({ ...world, createdAt: 1001 })).not.toBe(etag);
  expect(etagOf({ ...world, slug: 'b' })).not.toBe(etag);
  // Revisions count the commits of all worlds of the namespace.
  for (const number of [7, 1000]) expect(etag).not.toMatch(new RegExp(`\\b${number}\\b`));
  expect(etagOf({ ...world })).toBe(etag);
  expect(etagOf(world, 'text/turtle')).toMatch(/^W\/"[^"]+"$/);
  expect(etagOf(world, 'text/turtle')).not.toBe(etagOf(world, 'text/n3'));
});

it.each([
  [null, false],
  ['"a"', true],
  ['W/"a"', true],
  ['"b", "a"', true],
  ['*', true],
  ['"b"', false],
  ['a', false],
  ['', false],
])('If-None-Match: %s', (header, expected) => {
  expect(matchesEtag(header, '"a"')).toBe(expected);
  expect(matchesEtag(header, 'W/"a"')).toBe(expected);
});
