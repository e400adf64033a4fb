import { beforeEach, describe, expect, it, vi } from 'vitest';
import { WorldsEngine } from '../../src/index.ts';
import { Planner } from '../../src/sparql/plan/planner.ts';

const DATA = `
  <urn:a> <urn:name> "Ann" ; <urn:knows> <urn:b> , <urn:c> ; a <urn:Person> .
  <urn:b> <urn:name> "Bob"@en ; <urn:knows> <urn:c> ; a <urn:Person> .
  <urn:c> <urn:name> "Cy" ; a <urn:Robot> ; <urn:age> 7 .
  <urn:hub> <urn:name> "Hub" ; <urn:knows> ${Array.from({ length: 300 }, (_, i) => `<urn:n${i}>`).join(' , ')} .`;

describe('queries that differ in constants alone', () => {
  let engine: WorldsEngine;

  beforeEach(async () => {
    engine = await WorldsEngine.open({ textIndex: null });
    await engine.createWorld({ slug: 'w' });
    await engine.import({ source: 'w', data: DATA, contentType: 'text/turtle' });
    return () => engine.close();
  });

  async function asked(query: string, options: Partial<Parameters<WorldsEngine['select']>[0]> = {}) {
    const planFor = vi.spyOn(Planner.prototype, 'planFor');
    try {
      const rows = await (await engine.select({ query, sources: ['w'], ...options })).array();
      const texts = rows.map((row) => [...row].map(([name, term]) => `${name}=${term.value}`).join(' '));
      return { rows: texts.sort(), planned: planFor.mock.calls.length > 0 };
    } finally {
      planFor.mockRestore();
    }
  }

  it('share a plan from the third on, each with its own answer', async () => {
    const text = (name: string) =>
      `SELECT ?n ?k { <urn:${name}> <urn:name> ?n OPTIONAL { <urn:${name}> <urn:knows> ?k } }`;
    expect(await asked(text('a'))).toEqual({ rows: ['n=Ann k=urn:b', 'n=Ann k=urn:c'], planned: true });
    expect(await asked(text('b'))).toEqual({ rows: ['n=Bob k=urn:c'], planned: true });
    expect(await asked(text('c'))).toEqual({ rows: ['n=Cy'], planned: false });
    expect(await asked(text('unknown'))).toEqual({ rows: [], planned: false });
  });

  it('may have literals, names with prefixes and relative IRIs', async () => {
    const literal = (name: string) => `SELECT ?s { ?s <urn:name> ${name} }`;
    const rows = [];
    for (const name of ['"Ann"', '"Bob"@en', '"Bob"', "'Cy'", '"""Hub"""'])
      rows.push((await asked(literal(name))).rows);
    expect(rows).toEqual([['s=urn:a'], ['s=urn:b'], [], ['s=urn:c'], ['s=urn:hub']]);
    const named = (name: string) => `PREFIX : <urn:> BASE <urn:x> SELECT ?n { ${name} :name ?n }`;
    for (const [name, value] of [
      [':a', 'Ann'],
      [':b', 'Bob'],
      ['<urn:c>', 'Cy'],
      [':hub', 'Hub'],
    ])
      expect((await asked(named(name))).rows).toEqual([`n=${value}`]);
  });

  it('keep what they have in common as constants', async () => {
    const text = (name: string) => `SELECT ?o { ?o a <urn:Person> . <urn:${name}> <urn:knows> ?o }`;
    for (const name of ['a', 'b']) await asked(text(name));
    const { plan } = await engine.explain({ query: text('a'), sources: ['w'] });
    expect(JSON.stringify(plan)).toContain('urn:Person');
    expect(await asked(text('a'))).toMatchObject({ rows: ['o=urn:b'] });
  });

  it('have a plan of their own where a constant has many matches', async () => {
    const text = (name: string) => `SELECT ?o { <urn:${name}> <urn:name> ?n ; <urn:knows> ?o }`;
    for (const name of ['a', 'b']) await asked(text(name));
    expect((await asked(text('c'))).planned).toBe(false);
    const { rows, planned } = await asked(text('hub'));
    expect(rows).toHaveLength(300);
    expect(planned).toBe(true);
  });

  it('share the only plan of one pattern, however many matches it has', async () => {
    const text = (name: string) => `SELECT ?o { <urn:${name}> <urn:knows> ?o }`;
    for (const name of ['a', 'b']) await asked(text(name));
    const { rows, planned } = await asked(text('hub'));
    expect(rows).toHaveLength(300);
    expect(planned).toBe(false);
  });

  it('share a plan if they differ in operands of FILTER, and few rows are tested', async () => {
    const text = (name: string, least: string, other: string) =>
      `SELECT ?n ?o { <urn:${name}> <urn:knows> ?o . ?o <urn:name> ?n
        FILTER(STRLEN(?n) >= ${least} && ?o != <urn:${other}> && REGEX(?n, "${other}", "i")) }`;
    expect(await asked(text('a', '1', 'b'))).toEqual({ rows: [], planned: true });
    expect(await asked(text('a', '3', 'c'))).toEqual({ rows: [], planned: true });
    expect(await asked(text('a', '3', 'o'))).toEqual({ rows: ['n=Bob o=urn:b'], planned: false });
    expect(await asked(text('a', '2', 'y'))).toEqual({ rows: ['n=Cy o=urn:c'], planned: false });
    expect(await asked(text('b', '2', 'y'))).toEqual({ rows: ['n=Cy o=urn:c'], planned: true });
    expect(await asked(text('a', '4', 'y'))).toEqual({ rows: [], planned: false });
    expect(await asked(text('a', '2', '('))).toEqual({ rows: [], planned: false });
  });

  it('have plans of their own if they differ in operands, and many rows are tested', async () => {
    const many = Array.from({ length: 2000 }, (_, i) => `<urn:m${i}> <urn:size> ${i} .`).join('\n');
    await engine.import({ source: 'w', data: many, contentType: 'text/turtle' });
    const text = (least: number) => `SELECT ?s { ?s <urn:size> ?size FILTER(?size >= ${least}) }`;
    for (const least of [1999, 1998, 1997, 1990]) {
      const { rows, planned } = await asked(text(least));
      expect(rows).toHaveLength(2000 - least);
      expect(planned).toBe(true);
    }
    const ofOne = (name: string, least: number) => `SELECT ?o { <urn:${name}> <urn:knows> ?o FILTER(?o != ${least}) }`;
    for (const name of ['a', 'b']) await asked(ofOne(name, 1));
    expect((await asked(ofOne('a', 2))).planned).toBe(true);
    expect((await asked(ofOne('b', 3))).planned).toBe(false);
    expect(await asked(ofOne('hub', 4))).toMatchObject({ rows: { length: 300 }, planned: true });
  });

  it('share a plan with those of the same operands where others cannot', async () => {
    const text = (name: string, other: string) =>
      `SELECT ?n ?o { <urn:${name}> <urn:name> ?n OPTIONAL { <urn:${name}> <urn:knows> ?o FILTER(?o != <urn:${other}>) } }`;
    expect(await asked(text('a', 'b'))).toEqual({ rows: ['n=Ann o=urn:c'], planned: true });
    expect(await asked(text('a', 'c'))).toEqual({ rows: ['n=Ann o=urn:b'], planned: true });
    for (const name of ['b', 'c', 'a']) await asked(text(name, 'none'));
    expect(await asked(text('b', 'c'))).toEqual({ rows: ['n=Bob'], planned: true });
    expect(await asked(text('unknown', 'none'))).toEqual({ rows: [], planned: false });
    expect(await asked(text('hub', 'c'))).toMatchObject({ rows: { length: 300 } });
    expect(await asked(text('c', 'c'))).toEqual({ rows: ['n=Cy'], planned: false });
  });

  it('are not shared across what else differs', async () => {
    const age = (name: string, limit: number) => `SELECT ?p ?o { <urn:${name}> ?p ?o } ORDER BY ?p ?o LIMIT ${limit}`;
    for (const name of ['a', 'b', 'a']) await asked(age(name, 1));
    expect((await asked(age('b', 2))).rows).toHaveLength(2);
    const filtered = (name: string, least: number) => `SELECT ?o { <urn:${name}> <urn:age> ?o FILTER(?o > ${least}) }`;
    for (const name of ['a', 'b', 'c']) expect((await asked(filtered(name, 7))).rows).toEqual([]);
    expect((await asked(filtered('c', 6))).rows).toEqual(['o=7']);
  });

  it('see what was written since', async () => {
    const text = (name: string) => `SELECT ?o { <urn:${name}> <urn:name> ?o }`;
    for (const name of ['a', 'b', 'c']) await asked(text(name));
    await engine.update({ query: 'INSERT DATA { <urn:d> <urn:name> "Dee" }', sources: [{ slug: 'w', write: true }] });
    expect(await asked(text('d'))).toEqual({ rows: ['o=Dee'], planned: false });
    expect(await asked(text('hub'))).toEqual({ rows: ['o=Hub'], planned: false });
  });

  it('are not mistaken for each other in annotations and templates', async () => {
    const annotated = (name: string) => `SELECT ?x { <urn:${name}> <urn:knows> <urn:c> {| <urn:since> ?x |} }`;
    await engine.update({
      query:
        'INSERT DATA { <urn:a> <urn:knows> <urn:c> {| <urn:since> 1 |} . <urn:b> <urn:knows> <urn:c> {| <urn:since> 2 |} }',
      sources: [{ slug: 'w', write: true }],
    });
    const rows = [];
    for (const name of ['a', 'b', 'c', 'a', 'b']) rows.push((await asked(annotated(name))).rows);
    expect(rows).toEqual([['x=1'], ['x=2'], [], ['x=1'], ['x=2']]);
    for (const name of ['a', 'b', 'c', 'b']) {
      const quads = await engine.construct({
        query: `CONSTRUCT WHERE { <urn:${name}> <urn:name> ?n }`,
        sources: ['w'],
      });
      expect((await quads.array()).map(({ subject }) => subject.value)).toEqual([`urn:${name}`]);
    }
  });

  it('share a plan with those that differ in comments, and with their own base', async () => {
    const text = (comment: string) => `# ${comment}\nSELECT ?n { <a> <name> ?n }`;
    const baseIri = 'urn:x/';
    await engine.update({
      query: 'INSERT DATA { <urn:x/a> <urn:x/name> "x" . <urn:y/a> <urn:y/name> "y" }',
      sources: [{ slug: 'w', write: true }],
    });
    expect(await asked(text('1'), { baseIri })).toEqual({ rows: ['n=x'], planned: true });
    expect(await asked(text('2'), { baseIri })).toEqual({ rows: ['n=x'], planned: true });
    expect(await asked(text('3'), { baseIri })).toEqual({ rows: ['n=x'], planned: false });
    expect((await asked(text('4'), { baseIri: 'urn:y/' })).rows).toEqual(['n=y']);
  });

  it('tell comments from what looks like one', async () => {
    const text = (name: string, n: number) => `SELECT ?x { <urn:${name}> <urn:name> ?n BIND("# ${n}" AS ?x) } # "${n}`;
    const rows = [];
    for (const [name, n] of [
      ['a', 1],
      ['b', 1],
      ['c', 2],
      ['a', 2],
      ['b', 2],
    ] as const)
      rows.push((await asked(text(name, n))).rows);
    expect(rows).toEqual([['x=# 1'], ['x=# 1'], ['x=# 2'], ['x=# 2'], ['x=# 2']]);
  });
});
