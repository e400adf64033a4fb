import { describe, expect, it } from 'vitest';
import type { TriplePattern } from '../../../src/sparql/algebra/algebra.ts';
import { prepareOperation } from '../../../src/sparql/prepare-operation.ts';
import { algebraText, termText } from './algebra-text.ts';

/** The object of the only triple of `SELECT * { ?s ?p <text> }`. */
function objectOf(text: string): TriplePattern['object'] {
  const query = prepareOperation(`PREFIX : <urn:> PREFIX p: <urn:p:> PREFIX é.x: <urn:e:> SELECT * { ?s ?p ${text} }`);
  if (query.type !== 'select' || query.algebra.type !== 'project' || query.algebra.input.type !== 'bgp')
    throw new Error(text);
  expect(query.algebra.input.patterns).toHaveLength(1);
  return query.algebra.input.patterns[0].object;
}

describe('terms', () => {
  it.each([
    // IRIs and prefixed names (section 4.1.1)
    ['<urn:\\u00e9\\U0001F600>', ':é😀'],
    ['<urn:é?#>', ':é?#'],
    [':', ':'],
    ['p:', ':p:'],
    [':a.b.c .', ':a.b.c'],
    [':a. ', ':a'],
    [':1-2', ':1-2'],
    [':a:b:', ':a:b:'],
    [':%41%ff', ':%41%ff'],
    [":\\~\\.\\-\\!\\$\\&\\'\\(\\)\\*\\+\\,\\;\\=\\/\\?\\#\\@\\%\\_", ":~.-!$&'()*+,;=/?#@%_"],
    [':a\\..', ':a.'],
    ['é.x:ü·\u0301', ':e:ü·\u0301'],
    [':😀', ':😀'],
    [':\\u0061\\U0000003Ab', ':a:b'],
    ['\\u003Aa', ':a'],
    // Variables and labels
    ['$x', '?x'],
    ['?1a·\u0301‿', '?1a·\u0301‿'],
    ['_:a.b-c.', '?.b_a.b-c'],
    ['_:1', '?.b_1'],
    // Strings (section 4.1.2)
    ['""', '""'],
    ["''", '""'],
    ['"a\'b"', '"a\'b"'],
    ["'''a''b\n'\"'''", '"a\'\'b\\n\'\\""'],
    ['"""a""b\r\\""""', '"a\\"\\"b\\r\\""'],
    ['"\\t\\b\\n\\r\\f\\"\\\'\\\\"', '"\\t\\b\\n\\r\\f\\"\'\\\\"'],
    // An escaped backslash begins no codepoint escape, and what an escape stands for ends no
    // string.
    ['"\\\\u0041"', '"\\\\u0041"'],
    ['"\\u0022\\u005Cn\\u000A"', '"\\"\\\\n\\n"'],
    ['"\\U0001F600"', '"😀"'],
    ['"#<urn:a>" # "\n', '"#<urn:a>"'],
    ['"a"@EN-gb-1x', '"a"@en-GB-1x'],
    ['"a"@ar--rtl', '"a"@ar--rtl'],
    ['"a"@en-GB--ltr', '"a"@en-GB--ltr'],
    ['"a" @en', '"a"@en'],
    ['"a"^^p:d', '"a"^^:p:d'],
    ['"a"^^<http://www.w3.org/2001/XMLSchema#string>', '"a"'],
    // Numbers and booleans (section 4.1.2)
    ['01', '01'],
    ['+1', '+1'],
    ['-1.0', '-1.0'],
    ['.5', '.5'],
    ['-.5e0', '-.5e0'],
    ['1.e5', '1.e5'],
    ['1E-5', '1E-5'],
    ['+1.5e+05', '+1.5e+05'],
    ['1.', '1'],
    ['true', 'true'],
    ['FaLse', 'false'],
  ])('%s', (text, expected) => {
    expect(termText(objectOf(text))).toBe(expected);
  });

  it('have the datatypes of their forms', () => {
    const datatypeOf = (text: string) => {
      const term = objectOf(text);
      return term.termType === 'Literal' ? term.datatype.value.replace(/^.*#/, '') : term.termType;
    };
    expect(
      ['1', '-1', '1.0', '.1', '1e0', '1.e0', '.1E+1', 'true', '"a"', '"a"@en', '"a"@en--ltr'].map(datatypeOf),
    ).toEqual([
      'integer',
      'integer',
      'decimal',
      'decimal',
      'double',
      'double',
      'double',
      'boolean',
      'string',
      'langString',
      'dirLangString',
    ]);
  });
});

describe('tokens', () => {
  const whereOf = (pattern: string) => {
    const query = prepareOperation(`PREFIX : <urn:> PREFIX a: <urn:a:> SELECT (1 AS ?_) { ${pattern} }`);
    if (query.type !== 'select' || query.algebra.type !== 'project' || query.algebra.input.type !== 'extend')
      throw new Error(pattern);
    return algebraText(query.algebra.input.input);
  };

  it.each([
    ['?s?p?o.?a?b?c', '{?s ?p ?o . ?a ?b ?c}'],
    [':a :b 1.:c :d 2.5.:e :f .5', '{:a :b 1 . :c :d 2.5 . :e :f .5}'],
    ['?s a:b?o', '{?s :a:b ?o}'],
    ['?s a a:', '{?s <rdf:type> :a:}'],
    ['?s a?o', '{?s <rdf:type> ?o}'],
    ['?s :p+?o', '(path ?s :p+ ?o)'],
    ['?s :p+1', '{?s :p +1}'],
    ['?s :p??o', '(path ?s :p? ?o)'],
    ['?s :p?/:q ?o', '(join (path ?s :p? ?.p0) {?.p0 :q ?o})'],
    ['?s !(:p|^a:)*?o', '(path ?s !(:p|^:a:)* ?o)'],
    ['FILTER(?a<?b)', '(filter {} (< ?a ?b))'],
    ['FILTER(?a<?b && ?c>?d)', '(filter {} (&& (< ?a ?b) (> ?c ?d)))'],
    ['FILTER(?a< ?b||?c>=?d)', '(filter {} (|| (< ?a ?b) (>= ?c ?d)))'],
    ['FILTER(!?a!=!?b)', '(filter {} (!= (! ?a) (! ?b)))'],
    ['FILTER(true-true-1)', '(filter {} (- (- true true) 1))'],
    ['?s?p?o.#c\r?a?b?c#\n', '{?s ?p ?o . ?a ?b ?c}'],
  ])('are the longest that can be: %s', (text, expected) => {
    expect(whereOf(text)).toBe(expected);
  });

  it('also where something else was meant', () => {
    // "<?b&&?c>" has the form of an IRI, and ":b:c" is one name.
    expect(() => whereOf('FILTER(?a<?b&&?c>?d)')).toThrow('Expected an operator or ")", but found "<?b&&?c>"');
    expect(() => whereOf(':a:b:c')).toThrow('Expected a predicate');
  });
});
