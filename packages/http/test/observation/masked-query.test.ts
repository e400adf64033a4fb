import { describe, expect, it } from 'vitest';
import { maskedLiterals, maskedQuery } from '../../src/observation/masked-query.ts';

describe('a query without its data', () => {
  it.each([
    ['SELECT * { ?s <urn:p> "secret" }', 'SELECT * { ?s <urn:p> ? }'],
    [`SELECT * { ?s ex:p1 'it\\'s secret'@en }`, 'SELECT * { ?s ex:p1 ?@en }'],
    ['SELECT * { ?s ?p """a "secret" of\nlines""" } LIMIT 10', 'SELECT * { ?s ?p ? } LIMIT ?'],
    [
      'SELECT * { ?s ?p "42"^^<http://www.w3.org/2001/XMLSchema#int> }',
      'SELECT * { ?s ?p ?^^<http://www.w3.org/2001/XMLSchema#int> }',
    ],
    ['ASK { ?x1 ex:age 42, 4.2, -1e9, .5, +7 # secret\n }', 'ASK { ?x1 ex:age ?, ?, ?, ?, ? }'],
    ["SELECT * { ?s <urn:it's#p> ?o }", "SELECT * { ?s <urn:it's#p> ?o }"],
    ['ASK { FILTER(?a<5 && ?b>"secret") }', 'ASK { FILTER(?a<? && ?b>?) }'],
    ['ASK { ?s ?p \\u0022secret\\u0022 }', 'ASK { ?s ?p ? }'],
    ['ASK { ?s ?p "secret', 'ASK { ?s ?p ?'],
    ['ASK { ?s ?p "secret\\', 'ASK { ?s ?p "secret\\'.replace('"secret\\', '?')],
    ['ASK { ?s ?p "secret\nsecret" }', 'ASK { ?s ?p ? }'],
    ["ASK { ?s ex:secret\\'s ?o }", "ASK { ?s ex:secret\\'s ?o }"],
    ['ASK { _:b1 ?p 12secret }', 'ASK { _:b1 ?p ? }'],
  ])('%s', (text, masked) => {
    expect(maskedQuery(text)).toBe(masked);
  });

  it('is the same for texts that differ in literals, comments and space alone', () => {
    expect(maskedQuery('SELECT *\n{ ?s ?p "a" } # b')).toBe(maskedQuery('SELECT * {\t?s ?p "c" }'));
  });

  it('is bounded, and shows nothing of a string that is cut', () => {
    expect(maskedLiterals(`ASK { ?s ?p "${'secret '.repeat(100_000)}" }`)).toBe('ASK { ?s ?p ?');
    expect(maskedLiterals('?x '.repeat(100_000)).length).toBeLessThanOrEqual(16_384);
  });
});
