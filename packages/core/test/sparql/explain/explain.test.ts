import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { WorldsEngine } from '../../../src/index.ts';
import { RangeProbe } from '../../../src/quads/range-probe.ts';
import { nodeOf, nodesOf, openShop } from './explained-shop.ts';

let engine: WorldsEngine;
beforeAll(async () => {
  engine = await openShop();
});
afterAll(() => engine.close());

const explain = (query: string) => engine.explain({ query });
const analyze = (query: string) => engine.explain({ query, analyze: true });

describe('a plan', () => {
  it('is text, one operator a line below the one that takes its rows', async () => {
    const { form, algebra, text } = await explain(
      'SELECT ?name { ?item <urn:shelf> <urn:shelf1> ; <urn:name> ?name FILTER(?name > "item 3") }',
    );
    expect(form).toBe('select');
    expect(algebra).toBe(
      [
        'project ?name',
        '  filter ?name > "item 3"',
        '    bgp ?item <urn:shelf> <urn:shelf1> . ?item <urn:name> ?name',
      ].join('\n'),
    );
    expect(text).toBe(
      [
        'project ?name  [1.2 rows]',
        '  filter ?name > "item 3"  [1.2 rows]',
        '    probe join ?item <urn:name> ?name  [4 rows]',
        '      scan ?item <urn:shelf> <urn:shelf1>  [4 rows]',
      ].join('\n'),
    );
  });

  it('is plain JSON, without measures unless it was run', async () => {
    const explained = await explain('SELECT ?i { ?i <urn:name> "item 7" }');
    expect(JSON.parse(JSON.stringify(explained))).toEqual(explained);
    expect(explained.plan).toEqual({
      operator: 'project',
      detail: '?i',
      estimatedRows: 1,
      inputs: [{ operator: 'scan', detail: '?i <urn:name> "item 7"', estimatedRows: 1, inputs: [] }],
    });
  });

  it('names graphs, paths, aggregates, orders and values', async () => {
    const plan = await explain(`
      SELECT ?shelf (COUNT(DISTINCT ?x) AS ?n) (GROUP_CONCAT(?m; SEPARATOR = ", ") AS ?all) {
        VALUES (?shelf ?k) { (<urn:shelf0> 1) (<urn:shelf1> UNDEF) }
        ?x <urn:shelf> ?shelf ; (<urn:part>|^<urn:part>)+/!(<urn:note>|^<urn:name>) ?y
        GRAPH ?g { ?x <urn:note> ?m }
        GRAPH <urn:notes> { ?x ?p ?q }
      } GROUP BY ?shelf ORDER BY DESC(?n) STRLEN(?all) LIMIT 3 OFFSET 1`);
    for (const line of [
      'slice offset 1 limit 3',
      'top-k DESC(?n), STRLEN(?all); keep 4',
      'values ?shelf ?k',
      'path ?x (<urn:part>|(^<urn:part>))+ ',
      '!(<urn:note>|^<urn:name>)',
      '?x <urn:note> ?m in graph ?g',
      '?x ?p ?q in graph <urn:notes>',
      'COUNT(DISTINCT ?x) AS',
      'GROUP_CONCAT(?m; SEPARATOR = ", ") AS',
    ]) {
      expect(plan.text).toContain(line);
    }
    expect(plan.algebra).toContain('values (?shelf ?k) (<urn:shelf0> 1) (<urn:shelf1> UNDEF)');
  });

  it('names terms that the dataset does not have', async () => {
    const plan = await explain('ASK { ?i <urn:nobody> ?x GRAPH <urn:nowhere> { } }');
    expect(plan.form).toBe('ask');
    expect(plan.text).toContain('?i <urn:nobody> ?x (a term that the dataset does not have)');
    expect(plan.text).toContain('graph names a graph that the dataset does not have');
  });

  it('shows the bindings of the request as terms', async () => {
    const { text } = await engine.explain({ query: 'ASK { ?i <urn:name> ?n }', bindings: { n: 'item 7' } });
    expect(text).toContain('?i <urn:name> "item 7"');
  });

  it('takes the names of variables as they are', async () => {
    const { text, algebra } = await explain(
      'SELECT ?__proto__ { ?__proto__ <urn:name> ?constructor BIND(STR(?toString) AS ?valueOf) }',
    );
    expect(text).toContain('?__proto__ <urn:name> ?constructor');
    expect(algebra).toContain('extend STR(?toString) AS ?valueOf');
  });

  it('has estimates that are numbers, however large', async () => {
    const triples = Array.from({ length: 400 }, (_, i) => `?s${i} <urn:name> ?o${i} .`).join(' ');
    const { plan, text } = await explain(`SELECT * { ${triples} }`);
    for (const { estimatedRows } of nodesOf(plan)) expect(Number.isFinite(estimatedRows)).toBe(true);
    expect(text).toContain('[2e+308 rows]');
  });

  it('is short where the query is long', async () => {
    const list = Array.from({ length: 10_000 }, (_, i) => `"${i}"`).join(',');
    const { plan } = await explain(`SELECT * { ?i <urn:name> ?n FILTER(?n IN (${list})) }`);
    for (const { detail } of nodesOf(plan)) expect(detail.length).toBeLessThan(1010);
  });

  it('of CONSTRUCT and DESCRIBE has the operator that creates the triples on top', async () => {
    const construct = await analyze('CONSTRUCT { ?i <urn:q> ?n ; <urn:r> "x" } WHERE { ?i <urn:name> ?n }');
    expect(construct.plan).toMatchObject({
      operator: 'construct',
      detail: '?i <urn:q> ?n . ?i <urn:r> "x"',
      estimatedRows: 24,
      actualRows: 24,
    });
    const describe = await analyze('DESCRIBE <urn:item1> ?i { ?i <urn:name> "item 2" }');
    expect(describe.plan).toMatchObject({ operator: 'describe', detail: '<urn:item1> ?i', actualRows: 7 });
    const noPattern = await analyze('DESCRIBE <urn:item1>');
    expect(noPattern.plan).toMatchObject({ operator: 'describe', actualRows: 3, inputs: [] });
    expect(noPattern.algebra).toBeUndefined();
  });

  it('of an update has its operations, and nothing is changed', async () => {
    const query = `
      DELETE { ?i <urn:name> ?n } INSERT { GRAPH <urn:g> { ?i <urn:name> ?n } } WHERE { ?i <urn:name> ?n } ;
      WITH <urn:notes> DELETE { ?i <urn:note> ?m } WHERE { ?i <urn:note> ?m } ;
      INSERT DATA { <urn:a> <urn:b> 1, 2 } ; DELETE DATA { <urn:a> <urn:b> 1 } ;
      CLEAR DEFAULT ; DROP SILENT GRAPH <urn:g> ; CREATE GRAPH <urn:h> ; COPY DEFAULT TO <urn:i> ; LOAD SILENT <urn:j>`;
    const before = await engine.export({ source: 'shop' });
    const { form, text } = await explain(query);
    expect(form).toBe('update');
    expect(text).toBe(
      [
        'update  [29 rows]',
        '  modify delete ?i <urn:name> ?n, insert ?i <urn:name> ?n in graph <urn:g>  [24 rows]',
        '    scan ?i <urn:name> ?n  [12 rows]',
        '  modify with <urn:notes>, delete ?i <urn:note> ?m  [2 rows]',
        '    scan ?i <urn:note> ?m  [2 rows]',
        '  insert data <urn:a> <urn:b> 1 . <urn:a> <urn:b> 2  [2 rows]',
        '  delete data <urn:a> <urn:b> 1  [1 rows]',
        '  clear default  [0 rows]',
        '  drop <urn:g>  [0 rows]',
        '  create <urn:h>  [0 rows]',
        '  copy the default graph to <urn:i>  [0 rows]',
        '  load <urn:j> (silent: does nothing)  [0 rows]',
      ].join('\n'),
    );
    await expect(analyze(query)).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
      message: expect.stringContaining('SELECT'),
    });
    expect(await engine.export({ source: 'shop' })).toEqual(before);
  });
});

describe('an analyzed plan', () => {
  it('shows the rows, runs and time of each operator', async () => {
    const { plan, text } = await analyze('SELECT * { ?i <urn:shelf> ?s . ?i <urn:price> ?p FILTER(?p > 4) }');
    for (const node of nodesOf(plan)) {
      expect(node.runs).toBe(1);
      expect(node.timeMs).toBeGreaterThanOrEqual(0);
      expect(node.memoryBytes).toBe(0);
    }
    expect(text).toMatch(/^project .* {2}\[estimated \d.* rows, actual 3, \d+\.\d\d ms\]$/m);
  });

  it('counts joins and filters', async () => {
    const plan = await analyze('SELECT * { ?i <urn:shelf> ?s . ?i <urn:price> ?p FILTER(?p > 4) }');
    expect(nodeOf(plan, 'scan').actualRows).toBe(6);
    expect(nodeOf(plan, 'filter')).toMatchObject({ detail: '?p > 4', actualRows: 3 });
    expect(plan.plan.actualRows).toBe(3);
  });

  it('counts both sides of a hash join, and its memory', async () => {
    const plan = await analyze('SELECT * { ?i <urn:name> ?n MINUS { ?i <urn:price> ?p FILTER(?p > 4) } }');
    expect(nodeOf(plan, 'hash join (anti)', 'on ?i')).toMatchObject({ actualRows: 9 });
    expect(nodeOf(plan, 'scan', '<urn:name>').actualRows).toBe(12);
    expect(nodeOf(plan, 'filter').actualRows).toBe(3);
    const every = await analyze('SELECT DISTINCT ?x ?y { ?x <urn:name> ?n { SELECT ?y { ?y <urn:shelf> ?t } } }');
    expect(nodeOf(every, 'distinct')).toMatchObject({ actualRows: 144, memoryBytes: expect.any(Number) });
    expect(nodeOf(every, 'distinct').memoryBytes).toBeGreaterThan(144 * 8);
    expect(nodeOf(every, 'scan', '<urn:name>').memoryBytes).toBe(0);
  });

  it('counts groups', async () => {
    const plan = await analyze('SELECT ?s (SUM(?p) AS ?all) { ?i <urn:shelf> ?s ; <urn:price> ?p } GROUP BY ?s');
    expect(nodeOf(plan, 'group')).toMatchObject({
      actualRows: 3,
      detail: expect.stringContaining('by ?s, SUM(?p) AS'),
    });
    expect(nodesOf(plan.plan).at(-1)).toMatchObject({ operator: 'scan', actualRows: 6 });
  });

  it('counts the rows of a path', async () => {
    const plan = await analyze('SELECT * { <urn:item3> <urn:part>+ ?x }');
    expect(nodeOf(plan, 'path', '<urn:item3> <urn:part>+ ?x').actualRows).toBe(8);
  });

  it('counts only the rows that LIMIT takes, and no operator that did not run', async () => {
    const limited = await analyze('SELECT * { { ?i <urn:name> ?n } UNION { ?i <urn:price> ?n } } LIMIT 5');
    expect(limited.plan).toMatchObject({ operator: 'slice', actualRows: 5 });
    expect(nodeOf(limited, 'scan', '<urn:price>')).toMatchObject({ actualRows: 0, runs: 0, timeMs: 0 });
    const nothing = await analyze('SELECT * { ?i <urn:name> ?n } LIMIT 0');
    for (const node of nodesOf(nothing.plan)) expect(node.actualRows).toBe(0);
  });

  it('counts an operator separately for each place in the plan', async () => {
    const plan = await analyze('SELECT * { {} UNION {} UNION { ?i <urn:name> ?n } }');
    expect(nodesOf(plan.plan).filter(({ operator }) => operator === 'unit')).toMatchObject([
      { actualRows: 1, runs: 1 },
      { actualRows: 1, runs: 1 },
    ]);
    expect(plan.plan.actualRows).toBe(14);
  });

  it('stops ASK at the first row', async () => {
    const plan = await analyze('ASK { ?i <urn:name> ?n }');
    expect(plan.form).toBe('ask');
    expect(plan.plan.runs).toBe(1);
  });

  it('keeps to the limits of the request', async () => {
    const query = 'SELECT * { ?i <urn:name> ?n }';
    await expect(engine.explain({ query, analyze: true, maxRows: 3 })).rejects.toMatchObject({
      code: 'LIMIT_EXCEEDED',
    });
    expect((await engine.explain({ query, maxRows: 3 })).plan.estimatedRows).toBe(12);
    const controller = new AbortController();
    controller.abort();
    await expect(engine.explain({ query, analyze: true, signal: controller.signal })).rejects.toMatchObject({
      code: 'ABORTED',
    });
    const slow =
      'SELECT * { ?a ?p ?x . ?b ?q ?y . ?c ?r ?z . ?d ?s ?w FILTER(?x != ?y && ?y != ?z && ?z != ?w) } ORDER BY ?x';
    await expect(engine.explain({ query: slow, analyze: true, timeoutMs: 50 })).rejects.toMatchObject({
      code: 'TIMEOUT',
    });
  });
});

describe('correlated parts', () => {
  it.each([1, 3, 1024])('are counted over all their runs, in batches of %i', async (batchRows) => {
    await using small = await openShop({ batchRows });
    const run = (query: string) => small.explain({ query, analyze: true });
    const runs = Math.ceil(12 / batchRows);

    const optional = await run('SELECT * { ?i <urn:shelf> ?s OPTIONAL { ?i <urn:price> ?p FILTER(?p > 2) } }');
    expect(nodeOf(optional, 'apply (left)')).toMatchObject({ detail: 'if ?p > 2', actualRows: 12, runs: 1 });
    expect(nodeOf(optional, 'probe join', '<urn:price>')).toMatchObject({ actualRows: 6, runs });
    expect(nodeOf(optional, 'seed')).toMatchObject({ actualRows: 12, runs });
    expect(nodeOf(optional, 'scan', '<urn:shelf>')).toMatchObject({ actualRows: 12, runs: 1 });

    const absent = await run('SELECT * { ?i <urn:shelf> ?s FILTER NOT EXISTS { ?i <urn:price> ?p } }');
    expect(nodeOf(absent, 'apply (anti)')).toMatchObject({ actualRows: 6, runs: 1 });
    expect(nodeOf(absent, 'probe join', '<urn:price>')).toMatchObject({ actualRows: 6, runs });

    const branches = await run(
      'SELECT * { ?i <urn:shelf> ?s OPTIONAL { { ?i <urn:price> ?p } UNION { ?i <urn:name> ?p } } }',
    );
    expect(nodesOf(branches.plan).filter(({ operator }) => operator === 'seed')).toMatchObject([
      { actualRows: 12, runs },
      { actualRows: 12, runs },
    ]);
    expect(branches.plan.actualRows).toBe(18);
  });

  it('are counted as well if an index tells the object of each row', async () => {
    await using many = await WorldsEngine.open({ textIndex: null });
    await many.createWorld({ slug: 'w' });
    const lines = Array.from({ length: 900 }, (_, i) =>
      [`<urn:s${i}> <urn:a> <urn:o> .`, i % 3 === 0 ? `<urn:s${i}> <urn:b> "${i}" .` : ''].join('\n'),
    );
    await many.import({ source: 'w', contentType: 'application/n-triples', data: lines.join('\n') });
    const query = 'SELECT * { ?s <urn:a> ?o OPTIONAL { ?s <urn:b> ?x } }';
    const objects = vi.spyOn(RangeProbe.prototype, 'objects');
    const found: unknown[] = [];
    for (let i = 0; i < 4; i++) {
      const plan = await many.explain({ query, sources: ['w'], analyze: true });
      const nodes = [nodeOf(plan, 'apply (left)'), nodeOf(plan, 'probe join'), nodeOf(plan, 'seed')];
      expect(nodes.map(({ actualRows }) => actualRows)).toEqual([900, 300, 900]);
      found.push(...objects.mock.results.map(({ value }) => value));
    }
    objects.mockRestore();
    expect(found.some((count) => typeof count === 'number')).toBe(true);
  });

  it('of EXISTS within expressions are counted too', async () => {
    const plan = await analyze('SELECT * { ?i <urn:name> ?n FILTER(?n = "item 1" || EXISTS { ?i <urn:price> ?p }) }');
    expect(nodeOf(plan, 'apply (mark)').actualRows).toBe(12);
    expect(nodeOf(plan, 'probe join', '<urn:price>').actualRows).toBe(6);
    expect(nodeOf(plan, 'filter').actualRows).toBe(7);
    const each = await analyze(
      'SELECT * { ?i <urn:name> ?n FILTER(?n = "item 1" || EXISTS { SELECT ?i { ?i <urn:price> ?p } LIMIT 1 }) }',
    );
    expect(nodeOf(each, 'exists mark', 'unless ?n = "item 1", planned again for every row').actualRows).toBe(12);
    expect(each.plan.actualRows).toBe(7);
  });

  it('that are planned for each row belong to the operator that plans them', async () => {
    const plan = await analyze(
      'SELECT * { ?i <urn:name> ?n FILTER EXISTS { SELECT ?i { ?i <urn:price> ?p } LIMIT 1 } FILTER(?n = "x" || EXISTS { ?i <urn:part> ?j }) }',
    );
    const exists = nodeOf(plan, 'exists', 'planned again for every row: slice limit 1');
    expect(exists.runs).toBe(1);
    expect(nodesOf(plan.plan).map(({ operator }) => operator)).not.toContain('slice');
    expect(plan.plan.actualRows).toBe(6);
  });
});
