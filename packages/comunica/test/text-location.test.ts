import { describe, expect, it } from 'vitest';
import { lastLocationOf, locationAt } from '../src/text-location.ts';

describe('locationAt', () => {
  it('counts lines by LF, CR and CRLF, and columns by UTF-16 units', () => {
    const text = 'a\nb\r\nc\rd😀e';
    const of = (part: string) => locationAt(text, text.indexOf(part));
    expect(of('a')).toEqual({ line: 1, column: 1 });
    expect(of('b')).toEqual({ line: 2, column: 1 });
    expect(of('c')).toEqual({ line: 3, column: 1 });
    expect(of('d')).toEqual({ line: 4, column: 1 });
    expect(of('e')).toEqual({ line: 4, column: 4 });
    expect(locationAt(text, Number.POSITIVE_INFINITY)).toEqual({ line: 4, column: 5 });
  });
});

describe('lastLocationOf', () => {
  it('finds names, but not inside other names, strings, IRIs and comments', () => {
    expect(lastLocationOf('?x ?xy "?x" <?x> # ?x', '?x')).toEqual({ line: 1, column: 1 });
    expect(lastLocationOf('ex:a\n rex:b "ex:"', 'ex:')).toEqual({ line: 1, column: 1 });
    expect(lastLocationOf("'''?x'''\n?x", '?x')).toEqual({ line: 2, column: 1 });
    expect(lastLocationOf('?y', '?x')).toBeUndefined();
    expect(lastLocationOf(`"${'a'.repeat(5_000_000)}" ?x`, '?x')).toEqual({ line: 1, column: 5_000_004 });
  });
});
