import { describe, expect, it } from 'vitest';
import { isAbsoluteIri, resolveIri } from '../../src/model/iri.ts';

describe('isAbsoluteIri', () => {
  it.each(['http://example.org/', 'urn:x', 'a:', 'tag:a,b:c#d', 'http://ex/é\u{1F600}', 'x+y.z-1:a'])(
    'takes %j',
    (iri) => {
      expect(isAbsoluteIri(iri)).toBe(true);
    },
  );

  it.each([
    '',
    'relative',
    '/path',
    '//host/path',
    '#fragment',
    ':a',
    '1a:b',
    'a b:c',
    'http://ex/a b',
    'http://ex/<',
    'http://ex/>',
    'http://ex/"',
    'http://ex/{',
    'http://ex/}',
    'http://ex/|',
    'http://ex/^',
    'http://ex/`',
    'http://ex/\\',
    'http://ex/\u0000',
    'http://ex/\n',
    'http://ex/\n> <urn:injected',
    'http://ex/\ud800',
    'http://ex/\udc00a',
  ])('refuses %j', (iri) => {
    expect(isAbsoluteIri(iri)).toBe(false);
  });
});

describe('resolveIri', () => {
  // RFC 3986 section 5.4
  const base = 'http://a/b/c/d;p?q';
  it.each([
    ['g:h', 'g:h'],
    ['g', 'http://a/b/c/g'],
    ['./g', 'http://a/b/c/g'],
    ['g/', 'http://a/b/c/g/'],
    ['/g', 'http://a/g'],
    ['//g', 'http://g'],
    ['?y', 'http://a/b/c/d;p?y'],
    ['g?y', 'http://a/b/c/g?y'],
    ['#s', 'http://a/b/c/d;p?q#s'],
    ['g#s', 'http://a/b/c/g#s'],
    ['g?y#s', 'http://a/b/c/g?y#s'],
    [';x', 'http://a/b/c/;x'],
    ['', 'http://a/b/c/d;p?q'],
    ['.', 'http://a/b/c/'],
    ['./', 'http://a/b/c/'],
    ['..', 'http://a/b/'],
    ['../', 'http://a/b/'],
    ['../g', 'http://a/b/g'],
    ['../..', 'http://a/'],
    ['../../g', 'http://a/g'],
    ['../../../g', 'http://a/g'],
    ['/./g', 'http://a/g'],
    ['/../g', 'http://a/g'],
    ['g.', 'http://a/b/c/g.'],
    ['.g', 'http://a/b/c/.g'],
    ['..g', 'http://a/b/c/..g'],
    ['./../g', 'http://a/b/g'],
    ['./g/.', 'http://a/b/c/g/'],
    ['g/./h', 'http://a/b/c/g/h'],
    ['g/../h', 'http://a/b/c/h'],
    ['g;x=1/../y', 'http://a/b/c/y'],
    ['g?y/../x', 'http://a/b/c/g?y/../x'],
    ['g#s/../x', 'http://a/b/c/g#s/../x'],
  ])('resolves %j to %j', (reference, iri) => {
    expect(resolveIri(reference, base)).toBe(iri);
  });

  it.each([
    ['a', 'http://h', 'http://h/a'],
    ['../a', 'http://h', 'http://h/a'],
    ['a', 'urn:x:y', 'urn:a'],
    ['#a', 'urn:x:y#old', 'urn:x:y#a'],
    ['', 'http://h/p#old', 'http://h/p'],
    ['?q', 'http://h/p/?old', 'http://h/p/?q'],
    ['a//../b', 'http://h/', 'http://h/a/b'],
    ['http://h/a/../b', 'http://other/', 'http://h/a/../b'],
    // RFC 3986 section 4.2: what has a colon in its first segment and no scheme is no reference.
    ['2020-01-02T03:04:05Z', 'http://h/', '2020-01-02T03:04:05Z'],
    ['./2020-01-02T03:04:05Z', 'http://h/', 'http://h/2020-01-02T03:04:05Z'],
    ['é:x', 'http://h/', 'é:x'],
  ])('resolves %j against %j to %j', (reference, against, iri) => {
    expect(resolveIri(reference, against)).toBe(iri);
  });
});
