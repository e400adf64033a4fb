import { describe, expect, it } from 'vitest';
import { Accept } from '../src/accept.ts';

const OFFERED = ['application/n-quads', 'text/turtle', 'application/ld+json'];
const choose = (header: string | null) => new Accept(header).choose(OFFERED);

describe('Accept', () => {
  it.each([
    ['nothing at all', null, 'application/n-quads'],
    ['everything', '*/*', 'application/n-quads'],
    ['nothing that is offered', 'image/png', 'application/n-quads'],
    ['an empty header', '', 'application/n-quads'],
    ['no media range', 'turtle please', 'application/n-quads'],
    ['one type', 'text/turtle', 'text/turtle'],
    ['one type in capitals', 'TEXT/Turtle', 'text/turtle'],
    ['one type with a parameter', 'text/turtle; charset=utf-8', 'text/turtle'],
    ['one type with a quoted parameter', 'text/turtle; profile="a,b;q=0", image/png', 'text/turtle'],
    ['qualities', 'text/turtle;q=0.4, application/ld+json;q=0.5', 'application/ld+json'],
    [
      'a quality in capitals and with spaces',
      'application/ld+json; Q = 0.3 , text/turtle;q=0.2',
      'application/ld+json',
    ],
    ['the first of equals', 'application/ld+json, text/turtle', 'application/ld+json'],
    ['an exact type before a range', '*/*, text/turtle', 'text/turtle'],
    ['a range of a type', 'text/*', 'text/turtle'],
    [
      'the more specific range, though it is worse',
      'text/*;q=0.1, text/turtle;q=0.9, application/*;q=0.5',
      'text/turtle',
    ],
    ['a type that is excluded', '*/*, application/n-quads;q=0', 'text/turtle'],
    ['all types excluded', '*/*;q=0', 'application/n-quads'],
    ['a quality out of range, which is none', 'text/turtle;q=7, application/ld+json;q=0.9', 'text/turtle'],
  ])('%s', (_, header, expected) => {
    expect(choose(header)).toBe(expected);
  });

  it('tells the quality of a type', () => {
    const accept = new Accept('text/*;q=0.3, text/turtle;q=0.7, */*;q=0.1');
    expect(['text/turtle', 'text/csv', 'image/png'].map((type) => accept.quality(type))).toEqual([0.7, 0.3, 0.1]);
    expect(new Accept('text/turtle').quality('image/png')).toBe(0);
  });
});
