import { describe, expect, it } from 'vitest';
import { resolveIri } from '../src/iri-reference.ts';

/** RFC 3986 sections 5.4.1 and 5.4.2, at http://a/b/c/d;p?q. */
const EXAMPLES: Readonly<Record<string, string>> = {
  'g:h': 'g:h',
  g: 'http://a/b/c/g',
  './g': 'http://a/b/c/g',
  'g/': 'http://a/b/c/g/',
  '/g': 'http://a/g',
  '//g': 'http://g',
  '?y': 'http://a/b/c/d;p?y',
  'g?y': 'http://a/b/c/g?y',
  '#s': 'http://a/b/c/d;p?q#s',
  'g#s': 'http://a/b/c/g#s',
  'g?y#s': 'http://a/b/c/g?y#s',
  ';x': 'http://a/b/c/;x',
  'g;x': 'http://a/b/c/g;x',
  'g;x?y#s': 'http://a/b/c/g;x?y#s',
  '': 'http://a/b/c/d;p?q',
  '.': 'http://a/b/c/',
  './': 'http://a/b/c/',
  '..': 'http://a/b/',
  '../': 'http://a/b/',
  '../g': 'http://a/b/g',
  '../..': 'http://a/',
  '../../': 'http://a/',
  '../../g': 'http://a/g',
  '../../../g': 'http://a/g',
  '../../../../g': 'http://a/g',
  '/./g': 'http://a/g',
  '/../g': 'http://a/g',
  'g.': 'http://a/b/c/g.',
  '.g': 'http://a/b/c/.g',
  'g..': 'http://a/b/c/g..',
  '..g': 'http://a/b/c/..g',
  './../g': 'http://a/b/g',
  './g/.': 'http://a/b/c/g/',
  'g/./h': 'http://a/b/c/g/h',
  'g/../h': 'http://a/b/c/h',
  'g;x=1/./y': 'http://a/b/c/g;x=1/y',
  'g;x=1/../y': 'http://a/b/c/y',
  'g?y/./x': 'http://a/b/c/g?y/./x',
  'g?y/../x': 'http://a/b/c/g?y/../x',
  'g#s/./x': 'http://a/b/c/g#s/./x',
  'g#s/../x': 'http://a/b/c/g#s/../x',
  'http:g': 'http:g',
};

describe('resolveIri', () => {
  for (const [reference, expected] of Object.entries(EXAMPLES)) {
    it(`resolves "${reference}"`, () => expect(resolveIri(reference, 'http://a/b/c/d;p?q')).toBe(expected));
  }

  it('handles a base without a path, and one without an authority', () => {
    expect(resolveIri('g', 'http://a')).toBe('http://a/g');
    expect(resolveIri('g', 'urn:a:b')).toBe('urn:g');
    expect(resolveIri('#x', 'http://a/b#c')).toBe('http://a/b#x');
  });
});
