import { beforeAll, describe, expect, it } from 'vitest';
import { nativeEngine, WorldsEngine } from '../../src/index.ts';
import { unlikeOthers } from './unlike-others.ts';

const TERMS = [
  '<urn:a>',
  '<urn:b>',
  '"a"',
  '"b"',
  '"a"@en',
  '"a"@EN',
  '"1"',
  '1',
  '01',
  '1.0',
  'true',
  '"1"^^<http://www.w3.org/2001/XMLSchema#boolean>',
  '"a"^^<urn:datatype>',
  '"2020-01-01T00:00:00Z"^^<http://www.w3.org/2001/XMLSchema#dateTime>',
  '"2020-01-01T01:00:00+01:00"^^<http://www.w3.org/2001/XMLSchema#dateTime>',
];
const DATA = `${TERMS.map((term, i) => `<urn:s${i}> <urn:p> ${term} . <urn:s${i}> <urn:q> ${TERMS[(i * 4) % TERMS.length]} .`).join('\n')}
  <urn:s0> <urn:p> _:b . <urn:a> <urn:p> <urn:a> . <urn:s1> <urn:r> <urn:a> .`;

const FORMS: Readonly<Record<string, (term: string, other: string) => string>> = {
  '=': (term) => `?o = ${term}`,
  'the other way around': (term) => `${term} = ?o`,
  sameTerm: (term) => `sameTerm(?o, ${term})`,
  'IN, with a repeated one': (term, other) => `?o IN (${term}, ${other}, ${term})`,
  'IN, with an error': (term) => `?o IN (${term}, 1/0)`,
  '||': (term, other) => `?o = ${term} || ?o = ${other}`,
  '|| of two variables': (term, other) => `?o = ${term} || ?s = ${other}`,
  '&&': (term, other) => `?o = ${term} && ?o != ${other}`,
  'a contradiction': (term, other) => `?o = ${term} && ?o = ${other}`,
  'not =': (term) => `!(?o = ${term})`,
};

const PATTERNS = {
  'a pattern': '?s <urn:p> ?o FILTER(%)',
  'a pattern of any predicate': '?s ?p ?o FILTER(%)',
  'a join': '?s <urn:p> ?o . ?s <urn:q> ?x FILTER(%)',
  'a variable that may be unbound': '?s <urn:q> ?x OPTIONAL { ?s <urn:r> ?o } FILTER(%)',
  'the left side of OPTIONAL': '?s <urn:p> ?o OPTIONAL { ?s <urn:r> ?x } FILTER(%)',
  'inside of OPTIONAL': '?s <urn:q> ?x OPTIONAL { ?s <urn:p> ?o FILTER(%) }',
  'a UNION': '{ ?s <urn:p> ?o } UNION { ?s <urn:r> ?x } FILTER(%)',
  VALUES: 'VALUES (?s ?o) { (<urn:s1> <urn:a>) (<urn:s2> UNDEF) (<urn:s3> "a") } ?s <urn:p> ?z FILTER(%)',
  'an EXISTS': '?s <urn:q> ?x FILTER(EXISTS { ?s <urn:p> ?o FILTER(%) })',
  MINUS: '?s <urn:q> ?x MINUS { ?s <urn:p> ?o FILTER(%) }',
  'a subquery': '?s <urn:q> ?x { SELECT ?s { ?s <urn:p> ?o FILTER(%) } }',
};

describe('a variable that must be one of some terms', () => {
  let optimized: WorldsEngine;
  let plain: WorldsEngine;
  beforeAll(async () => {
    optimized = await WorldsEngine.open({ sparql: nativeEngine(), textIndex: null });
    plain = await WorldsEngine.open({ sparql: nativeEngine({ optimize: false }), textIndex: null });
    for (const engine of [optimized, plain]) {
      await engine.createWorld({ slug: 'w' });
      await engine.import({ source: 'w', data: DATA, contentType: 'text/turtle' });
    }
    return () => Promise.all([optimized.close(), plain.close()]);
  });

  const rowsOf = async (engine: WorldsEngine, query: string) => {
    const result = await engine.select({ query: unlikeOthers(query) });
    const rows = await result.array();
    const shown = rows.map((row) =>
      result.variables.map((name) => {
        const term = row.get(name);
        return term?.termType === 'BlankNode' ? '_:b' : JSON.stringify(term ?? null);
      }),
    );
    return shown.map((row) => row.join(' ')).sort();
  };

  it.each(Object.entries(PATTERNS))('in %s', async (_, pattern) => {
    let answers = 0;
    for (const form of Object.values(FORMS)) {
      for (const [i, term] of TERMS.entries()) {
        const query = `SELECT * { ${pattern.replace('%', form(term, TERMS[(i * 7 + 3) % TERMS.length]))} }`;
        const rows = await rowsOf(optimized, query);
        expect(rows, query).toEqual(await rowsOf(plain, query));
        answers += rows.length;
      }
    }
    expect(answers).toBeGreaterThan(20);
  });

  it('is looked up', async () => {
    const plans = async (condition: string) =>
      (await optimized.explain({ query: `SELECT * { ?s <urn:p> ?o FILTER(${condition}) }` })).text;
    for (const condition of [
      '?o = <urn:a>',
      '"a" = ?o',
      '?s IN (<urn:s1>, <urn:s2>)',
      'sameTerm(?o, 01)',
      '?o = "a" || ?o = "b"',
    ])
      expect(await plans(condition)).not.toContain('filter');
    for (const condition of ['?o = 1', '?o = "a"@en', '?o IN (<urn:a>, 2)', '?o = <urn:a> || ?s = <urn:a>'])
      expect(await plans(condition)).toContain('filter');
  });

  it.each([
    ['1 = 1', 17],
    ['true && !false', 17],
    ['1 = 2', 0],
    ['1/0', 0],
    ['"" || 0', 0],
    ['STRLEN("abc") = 3', 17],
  ])('a condition of constants, %s, is asked once', async (condition, count) => {
    const query = `SELECT * { ?s <urn:p> ?o FILTER(${condition}) }`;
    expect(await rowsOf(optimized, query)).toHaveLength(count);
    expect((await optimized.explain({ query })).text).not.toContain('filter');
  });

  it('chance is no constant', async () => {
    expect((await optimized.explain({ query: 'SELECT * { ?s ?p ?o FILTER(RAND() < 0.5) }' })).text).toContain('filter');
  });
});
