import { beforeEach, describe, expect, it, vi } from 'vitest';
import { dataFactory, WorldsEngine } from '../../src/index.ts';
import { Planner } from '../../src/sparql/plan/planner.ts';
import { OperationParser } from '../../src/sparql/syntax/operation-parser.ts';

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

describe('updates with a WHERE that differ in constants alone', () => {
  let engine: WorldsEngine;
  const sources = [{ slug: 'w', write: true }];

  beforeEach(async () => {
    engine = await WorldsEngine.open({ textIndex: null });
    await engine.createWorld({ slug: 'w' });
    await engine.import({ source: 'w', data: DATA, contentType: 'text/turtle' });
    return () => engine.close();
  });

  /** Runs an update, and tells how often a text was parsed and a pattern planned for it. */
  async function updated(query: string) {
    const planFor = vi.spyOn(Planner.prototype, 'planFor');
    const operation = vi.spyOn(OperationParser.prototype, 'operation');
    try {
      await engine.update({ query, sources });
      return { parsed: operation.mock.calls.length, planned: planFor.mock.calls.length };
    } finally {
      planFor.mockRestore();
      operation.mockRestore();
    }
  }

  async function quadsOf(name: string): Promise<string[]> {
    const quads: string[] = [];
    for await (const { predicate, object } of engine.quads({
      source: 'w',
      subject: dataFactory.namedNode(`urn:${name}`),
    }))
      quads.push(`${predicate.value.slice(4)} ${object.value}`);
    return quads.filter((quad) => /^(?:seen|friend|age|name) /.test(quad)).sort();
  }

  it('share a parse and a plan from the third on, over commits', async () => {
    const text = (name: string, time: number) =>
      `DELETE { <urn:${name}> <urn:seen> ?old } INSERT { <urn:${name}> <urn:seen> ${time} , "${name}!" }
       WHERE { OPTIONAL { <urn:${name}> <urn:seen> ?old } }`;
    expect(await updated(text('a', 1))).toEqual({ parsed: 1, planned: 1 });
    expect(await updated(text('b', 2))).toMatchObject({ parsed: 1 });
    // Another plan, because the data have <urn:seen> now.
    expect(await updated(text('c', 3))).toMatchObject({ parsed: 0 });
    expect(await updated(text('a', 4))).toEqual({ parsed: 0, planned: 0 });
    expect(await updated(text('new', 5))).toEqual({ parsed: 0, planned: 0 });
    expect(await quadsOf('a')).toEqual(['name Ann', 'seen 4', 'seen a!']);
    expect(await quadsOf('b')).toEqual(['name Bob', 'seen 2', 'seen b!']);
    expect(await quadsOf('c')).toEqual(['age 7', 'name Cy', 'seen 3', 'seen c!']);
    expect(await quadsOf('new')).toEqual(['seen 5', 'seen new!']);
  });

  it('may delete by their pattern, and have operands', async () => {
    const remove = (name: string) => `DELETE WHERE { <urn:${name}> <urn:knows> ?o . ?o <urn:name> ?n }`;
    for (const name of ['b', 'none', 'a']) await updated(remove(name));
    const left = await (await engine.select({ query: 'SELECT ?n { ?s <urn:name> ?n }', sources: ['w'] })).array();
    expect(left.map((row) => row.get('n')!.value).sort()).toEqual(['Ann', 'Hub']);
    const insert = (name: string, least: number) =>
      `INSERT { ?s <urn:friend> "${name}" } WHERE { ?s <urn:name> ?n FILTER(STRLEN(?n) >= ${least} && ?n != "${name}") }`;
    await updated(insert('x', 3));
    await updated(insert('Hub', 2));
    expect(await updated(insert('Ann', 3))).toMatchObject({ parsed: 0 });
    expect(await updated(insert('y', 4))).toMatchObject({ parsed: 0 });
    expect(await quadsOf('hub')).toEqual(['friend Ann', 'friend x', 'name Hub']);
    expect(await quadsOf('a')).toEqual(['friend Hub', 'friend x', 'name Ann']);
  });

  it('have a plan of their own where a constant has many matches, and are parsed for it', async () => {
    const text = (name: string) =>
      `INSERT { ?o <urn:friend> <urn:${name}> } WHERE { <urn:${name}> <urn:name> ?n ; <urn:knows> ?o }`;
    for (const name of ['a', 'b', 'c']) await updated(text(name));
    expect(await updated(text('hub'))).toEqual({ parsed: 1, planned: 1 });
    expect(await quadsOf('n7')).toEqual(['friend urn:hub']);
    expect(await quadsOf('c')).toEqual(['age 7', 'friend urn:a', 'friend urn:b', 'name Cy']);
  });

  it('are planned by themselves with WITH or a canonical order', async () => {
    const text = (name: string) => `INSERT { ?o <urn:friend> <urn:${name}> } WHERE { <urn:${name}> <urn:knows> ?o }`;
    for (const name of ['b', 'x']) await updated(text(name));
    await engine.update({ query: text('a'), sources, canonicalOrder: true });
    expect(await quadsOf('c')).toEqual(['age 7', 'friend urn:a', 'friend urn:b', 'name Cy']);
    const within = (name: string) =>
      `WITH <urn:g> INSERT { <urn:${name}> <urn:age> "1" } WHERE { OPTIONAL { <urn:${name}> <urn:knows> ?o } }`;
    for (const name of ['a', 'b', 'c']) expect(await updated(within(name))).toEqual({ parsed: 1, planned: 1 });
    expect(await quadsOf('c')).toContain('age 1');
  });

  it('keep the plan of a text that is repeated', async () => {
    const text = 'INSERT { ?s <urn:seen> "now" } WHERE { ?s <urn:name> "Ann" }';
    await updated(text);
    await updated(text);
    expect(await updated(text)).toEqual({ parsed: 0, planned: 0 });
    expect(await quadsOf('a')).toEqual(['name Ann', 'seen now']);
  });
});
