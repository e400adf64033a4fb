import { describe, expect, it } from 'vitest';
import { learnDeclared, learnFrom, prefixedName } from '../app/rdf/prefix-table.ts';

describe('prefixes', () => {
  it('are named after the path, without extensions of files, or else after the host', () => {
    learnFrom(
      [
        'http://www.lehigh.edu/2004/univ-bench.owl#Course',
        'https://data.museum.example/painting/1',
        'http://www.library.edu/book',
        'https://xn--e1afmkfd.example/имя',
      ],
      1,
    );
    expect(prefixedName('http://www.lehigh.edu/2004/univ-bench.owl#Course')).toBe('bench:Course');
    expect(prefixedName('https://data.museum.example/painting/1')).toBe('painting:1');
    expect(prefixedName('http://www.library.edu/book')).toBe('library:book');
    expect(prefixedName('https://xn--e1afmkfd.example/имя')).toBe('ns:имя');
  });

  it('of equal names are numbered', () => {
    learnFrom(['http://a.area1.org/x', 'http://b.area1.org/x', 'http://a.shop.org/x', 'http://b.shop.org/x'], 1);
    expect(prefixedName('http://a.area1.org/x')).toBe('area1:x');
    expect(prefixedName('http://b.area1.org/x')).toBe('area1_2:x');
    expect(prefixedName('http://b.shop.org/x')).toBe('shop2:x');
  });

  it('are not made of what follows the scheme', () => {
    learnFrom(['http://www.Department0.edu', 'http://www.Department1.edu', 'http://www.Department2.edu']);
    expect(prefixedName('http://www.Department0.edu')).toBeUndefined();
  });

  it('that a query declares replace those made up from data, and not those that everybody knows', () => {
    learnFrom(['https://declared.example/garden#rose', 'https://declared.example/garden#lily']);
    expect(prefixedName('https://declared.example/garden#rose')).toBe('garden:rose');
    learnDeclared(
      'PREFIX g: <https://declared.example/garden#> PREFIX name: <http://xmlns.com/foaf/0.1/> SELECT * { ?s ?p g:rose }',
    );
    expect(prefixedName('https://declared.example/garden#rose')).toBe('g:rose');
    expect(prefixedName('http://xmlns.com/foaf/0.1/knows')).toBe('foaf:knows');
    // The name is free again.
    learnFrom(['https://other.example/garden#oak'], 1);
    expect(prefixedName('https://other.example/garden#oak')).toBe('garden:oak');
  });
});
