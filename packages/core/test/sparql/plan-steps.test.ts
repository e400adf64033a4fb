import { describe, expect, it, vi } from 'vitest';
import { Slicer } from '../../src/contracts/slicer.ts';
import { nativeEngine, WorldsEngine } from '../../src/index.ts';
import { type RequestLimits, requestLimits } from '../../src/model/request-limits.ts';
import type { Query } from '../../src/sparql/algebra/algebra.ts';
import { Execution } from '../../src/sparql/exec/execution.ts';
import { Planner } from '../../src/sparql/plan/planner.ts';
import { planQuery } from '../../src/sparql/plan-query.ts';
import { prepareOperation, preparing } from '../../src/sparql/prepare-operation.ts';
import { emptySource } from './empty-source.ts';

const list = (length: number, item: (i: number) => string, separator = ' ') =>
  Array.from({ length }, (_, i) => item(i)).join(separator);
const where = (pattern: string) => `SELECT ?s { ${pattern} }`;

/** The steps of planning a text over an empty dataset. */
async function stepsOf(text: string, limits?: RequestLimits): Promise<number> {
  const planned = await planQuery(prepareOperation(text) as Query, emptySource(), { limits }, { now: new Date(0) });
  return planned.planSteps;
}

const allStepsOf = (texts: readonly string[]) => Promise.all(texts.map((text) => stepsOf(text)));

describe('planning', () => {
  const LINEAR: Readonly<Record<string, (n: number) => string>> = {
    filters: (n) => where(`?s ?p ?o ${list(n, (i) => `FILTER(?s != <urn:${i}>)`)}`),
    'filters of many variables': (n) =>
      where(`${list(20, (i) => `?s${i} ?p ?s .`)} ${list(n, (i) => `FILTER(?s${i % 20} != ?s${(i * 7) % 20})`)}`),
    'filters behind OPTIONALs': (n) =>
      where(
        `?s ?p ?o ${list(20, (i) => `OPTIONAL { ?s ?p ?o${i} }`)} ${list(n, (i) => `FILTER(?o${i % 20} != ?o${(i * 7) % 20})`)}`,
      ),
    'parts of a UNION': (n) => where(list(n, (i) => `{ ?s <urn:p${i}> ?o }`, ' UNION ')),
    'alternatives of a path': (n) => where(`?s (${list(n, (i) => `<urn:p${i}>`, '|')})* ?o`),
    'rows of VALUES': (n) => where(`VALUES ?s { ${list(n, String)} } ?s ?p ?o`),
    'members of IN': (n) => where(`?s ?p ?o FILTER(?s IN (${list(n, (i) => `<urn:${i}>`, ',')}))`),
    'alternatives of a filter': (n) => where(`?s ?p ?o FILTER(${list(n, (i) => `?s = <urn:${i}>`, '||')})`),
    'keys of ORDER BY': (n) => `${where('?s ?p ?o')} ORDER BY ${list(n, (i) => `(STR(?v${i}))`)}`,
    'calls in one expression': (n) => where(`?s ?p ?o BIND(CONCAT(${list(n, () => 'STR(?s)', ',')}) AS ?x)`),
  };

  it.each(Object.entries(LINEAR))('takes steps in proportion to the %s', async (_, text) => {
    const [one, four, sixteen] = await allStepsOf([60, 240, 960].map(text));
    expect(four).toBeLessThanOrEqual(4.5 * one);
    expect(sixteen).toBeLessThanOrEqual(4.5 * four);
  });

  const JOINS: Readonly<Record<string, (n: number) => string>> = {
    'a chain': (n) => where(list(n, (i) => `?s${i} <urn:p> ?s${i + 1} .`)),
    'a star': (n) => where(list(n, (i) => `?s <urn:p> ?o${i} .`)),
    'patterns that share nothing': (n) => where(list(n, (i) => `?a${i} ?b${i} ?c${i} .`)),
    'a collection': (n) => where(`?s ?p (${list(n, String)})`),
    OPTIONALs: (n) => where(`?s ?p ?o ${list(n, (i) => `OPTIONAL { ?s <urn:p> ?o${i} }`)}`),
    'OPTIONALs in each other': (n) =>
      where(`${list(n, (i) => `?s${i} ?p ?s${i + 1} OPTIONAL {`)} ?s ?p ?o ${'}'.repeat(n)}`),
    'EXISTS in one condition': (n) => where(`?s ?p ?o FILTER(${list(n, (i) => `EXISTS { ?s ?p ?x${i} }`, '||')})`),
    'annotations of a nested triple term': (n) =>
      where(`?s ?p ${'<<( <urn:a> <urn:b> '.repeat(20)} 1 ${')>>'.repeat(20)} ${list(n / 20, (i) => `~ ?r${i}`)}`),
  };

  it.each(Object.entries(JOINS))('takes a step for each column of each operator: %s', async (_, text) => {
    const [one, four] = await allStepsOf([60, 240].map(text));
    expect(one).toBeLessThan(20 * 60 ** 2);
    expect(four).toBeLessThanOrEqual(18 * one);
  });

  it.each(['FILTER EXISTS {', 'FILTER NOT EXISTS {', 'FILTER(?o = 1 || EXISTS {'])(
    'plans patterns in each other once, and not for each row: %s',
    async (open) => {
      const nested = (n: number) =>
        where(`${`?s ?p ?o ${open}`.repeat(n)} ?s ?p ?x ${(open.includes('(') ? '})' : '}').repeat(n)}`);
      const [one, four, sixteen] = await allStepsOf([6, 24, 96].map(nested));
      expect(one).toBeGreaterThan(3 * 6);
      expect(four).toBeLessThanOrEqual(4.5 * one);
      expect(sixteen).toBeLessThanOrEqual(4.5 * four);
    },
  );

  it('is LIMIT_EXCEEDED above maxPlanSteps, before it takes long', async () => {
    const limits = requestLimits({ maxPlanSteps: 10_000 });
    await expect(stepsOf(JOINS['a star'](900), limits)).rejects.toMatchObject({
      code: 'LIMIT_EXCEEDED',
      message: expect.stringContaining('maxPlanSteps = 10000'),
    });
    await expect(stepsOf(JOINS['EXISTS in one condition'](2000))).rejects.toThrow(/more than 1000 parts/);
  });

  const LONG: Readonly<Record<string, string>> = {
    'many filters': LINEAR['filters of many variables'](8000),
    'many aggregates': `SELECT (CONCAT(${list(4000, (i) => `STR(COUNT(?v${i}))`, ',')}) AS ?a) { ?s ?p ?o }`,
    'OPTIONALs in each other': JOINS['OPTIONALs in each other'](200),
    'many EXISTS': JOINS['EXISTS in one condition'](240),
    'a UNION': LINEAR['parts of a UNION'](3000),
    'VALUES blocks': where(list(240, (i) => `VALUES ?v${i} { 1 }`)),
  };

  it.each(Object.entries(LONG))('pauses on its way: %s', async (_, text) => {
    let looks = 0;
    vi.spyOn(Execution.prototype, 'pauseDue', 'get').mockImplementation(() => {
      looks++;
      return true;
    });
    const steps = await stepsOf(text);
    vi.restoreAllMocks();
    expect(looks).toBeGreaterThanOrEqual(Math.max(2, steps / 20_000));
  });

  it('is ended by the signal', async () => {
    const controller = new AbortController();
    const query = prepareOperation(LONG['many filters']) as Query;
    vi.spyOn(Execution.prototype, 'pauseDue', 'get').mockImplementation(() => {
      controller.abort();
      return true;
    });
    const planning = planQuery(query, emptySource(), {}, { now: new Date(0), signal: controller.signal });
    await expect(planning).rejects.toMatchObject({ code: 'ABORTED' });
    vi.restoreAllMocks();
  });

  it('counts the variables of other groups too, since sets of slots are as long as the highest', async () => {
    const own = (i: number) => list(20, (j) => `?a${i}_${j} <urn:q> ?b${i}_${j} .`);
    const text = (n: number) => where(`${list(n, (i) => `${own(i)} OPTIONAL {`)} ?s ?p ?o ${'}'.repeat(n)}`);
    expect(await stepsOf(text(80))).toBeGreaterThan(250_000);
    await expect(stepsOf(text(240))).rejects.toThrow(/maxPlanSteps/);
  });

  it('is LIMIT_EXCEEDED for more than maxGraphs graphs, in the text and in the request', async () => {
    await using engine = await WorldsEngine.open({ textIndex: null, limits: { maxGraphs: 20 } });
    await engine.createWorld({ slug: 'w' });
    const refused = { code: 'LIMIT_EXCEEDED', message: expect.stringContaining('maxGraphs = 20') };
    const from = (n: number) => `ASK ${list(n, (i) => `FROM NAMED <urn:g${i}>`)} {}`;
    await expect(engine.ask({ query: from(20) })).resolves.toBe(true);
    await expect(engine.ask({ query: from(21) })).rejects.toMatchObject(refused);
    const namedGraphUris = Array.from({ length: 21 }, (_, i) => `urn:g${i}`);
    await expect(engine.ask({ query: 'ASK {}', namedGraphUris })).rejects.toMatchObject(refused);
    const using_ = `INSERT { ?s ?p ?o } ${list(21, (i) => `USING <urn:g${i}>`)} WHERE { ?s ?p ?o }`;
    await expect(engine.update({ sources: ['w'], query: using_ })).rejects.toMatchObject(refused);
  });

  it('does not plan a pattern for each pair of graphs', async () => {
    await using engine = await WorldsEngine.open({ textIndex: null });
    await engine.createWorld({ slug: 'w' });
    await engine.import({
      source: 'w',
      data: list(8, (i) => `<urn:s> <urn:p> ${i % 2 ? '<urn:s>' : '"a"'} <urn:g${i}> .`, '\n'),
    });
    const nested = (depth: number): string =>
      depth === 0 ? '' : `GRAPH ?g${depth} { ?s <urn:p> ?o OPTIONAL { ?o <urn:p> ?x } ${nested(depth - 1)} }`;
    const plansOf = async (work: () => Promise<unknown>) => {
      const plan = vi.spyOn(Planner.prototype, 'plan');
      await work();
      const { length } = plan.mock.calls;
      vi.restoreAllMocks();
      return length;
    };
    const explained = (depth: number) => plansOf(() => engine.explain({ query: `SELECT * { ${nested(depth)} }` }));
    const [two, four, six] = [await explained(2), await explained(4), await explained(6)];
    expect(two).toBeGreaterThan(8);
    // Each level would take eight times as many. Patterns deeper than that are
    // planned when they run, or each level would plan all below it once more.
    expect(four).toBeLessThan(3 * two);
    expect(six).toBeLessThanOrEqual(four);
    const limited = await engine.select({ query: `SELECT * { ${nested(3)} } LIMIT 3` });
    expect(await limited.array()).toHaveLength(3);
  });

  it('counts each plan of an EXISTS that is planned for each row by itself', async () => {
    await using engine = await WorldsEngine.open({ textIndex: null, limits: { maxPlanSteps: 200 } });
    await engine.createWorld({ slug: 'w' });
    await engine.import({ source: 'w', data: list(100, (i) => `<urn:s${i}> <urn:p> <urn:s${i}> .`, '\n') });
    const query = 'SELECT * { ?s ?p ?o FILTER EXISTS { ?s ?p ?x MINUS { ?s ?q ?x FILTER(?x = 1) } } }';
    expect(await (await engine.select({ query })).array()).toHaveLength(100);
  });
});

describe('parsing', () => {
  it('pauses between the objects of a template, however they are written', () => {
    const pauses = (text: string) => [...preparing(text, {})].length;
    const kinds: readonly ((n: number) => string)[] = [
      (n) => `INSERT DATA { ${list(n, (i) => `<urn:${i}> <urn:p> 1 .`)} }`,
      (n) => `DELETE DATA { GRAPH <urn:g> { <urn:s> <urn:p> ${list(n, String, ',')} } }`,
      (n) => `INSERT { <urn:s> ${list(n, (i) => `<urn:p${i}> ?o`, ';')} } WHERE { ?s ?p ?o }`,
      (n) => `CONSTRUCT { ${list(n, (i) => `[] <urn:${i}> ?o .`)} } WHERE { ?s ?p ?o }`,
    ];
    for (const text of kinds) for (const n of [640, 2560]) expect(pauses(text(n))).toBeGreaterThanOrEqual(n / 64);
  });

  it('pauses between the parts of everything that may be long', () => {
    const pauses = (text: string) => [...preparing(text, {})].length;
    const kinds: readonly ((n: number) => string)[] = [
      (n) => where(list(n, () => 'FILTER(?s != ?p)')),
      (n) => where(`{ ${list(n, () => 'FILTER(?s != ?p)')} }`),
      (n) => where(list(n, (i) => `?s ?p ?o${i % 10} .`)),
      (n) => where(list(n, () => '{ ?s ?p ?o }')),
      (n) => where(list(n, () => '{ ?s ?p ?o }', ' UNION ')),
      (n) => where(`VALUES ?s { ${list(n, String)} }`),
      (n) => where(`VALUES (?s ?p) { ${list(n, (i) => `(${i} ${i})`)} }`),
      (n) => `${where('?s ?p ?o')} VALUES ?s { ${list(n, String)} }`,
      (n) => `SELECT ?s { ?s ?p ?o } GROUP BY ?s HAVING ${list(n, () => '(?s != 1)')}`,
      (n) => `SELECT ?s ${list(n, () => 'FROM <urn:g>')} { ?s ?p ?o }`,
      (n) => `DESCRIBE ${list(n, (i) => `<urn:${i}>`)}`,
      (n) => `${list(n, (i) => `PREFIX p${i}: <urn:p>`)} ASK { ?s ?p ?o }`,
      (n) => `INSERT { ?s ?p ?o } ${list(n, () => 'USING <urn:g>')} WHERE { ?s ?p ?o }`,
      (n) => `INSERT { ?s ?p ?o } WHERE { ${list(n, () => '?s ?p ?o .')} }`,
    ];
    for (const text of kinds) for (const n of [640, 2560]) expect(pauses(text(n))).toBeGreaterThanOrEqual(n / 64);
  });

  it('pauses in texts of some length, and keeps what was parsed', async () => {
    let looks = 0;
    vi.spyOn(Slicer.prototype, 'due', 'get').mockImplementation(() => {
      looks++;
      return true;
    });
    const text = where(`VALUES ?s { ${list(2000, String)} }`);
    const engine = nativeEngine();
    const first = engine.prepare(text, {});
    expect(first).toBeInstanceOf(Promise);
    await first;
    expect(looks).toBeGreaterThanOrEqual(2000 / 64);
    vi.restoreAllMocks();
    expect(engine.prepare(text, {})).not.toBeInstanceOf(Promise);
  });

  it('pauses before what is parsed is planned', () => {
    expect([...preparing('ASK { ?s ?p ?o }', {})]).toHaveLength(1);
  });

  it('is ended by the signal', async () => {
    await using engine = await WorldsEngine.open({ textIndex: null });
    await engine.createWorld({ slug: 'w' });
    const query = `INSERT DATA { ${list(60_000, (i) => `<urn:${i}> <urn:p> ${i} .`)} }`;
    const controller = new AbortController();
    const updating = engine.update({ sources: ['w'], query, signal: controller.signal });
    setImmediate(() => controller.abort());
    await expect(updating).rejects.toMatchObject({ code: 'ABORTED' });
  });

  it.each([
    [
      'maxExpressions',
      where(
        `${list(240, (i) => `{ SELECT * { ?a ?b${i} ${list(38, (j) => `?c${i}_${j}`, ',')} .`)} ${'} }'.repeat(240)}`,
      ),
    ],
    ['maxExpressions', `SELECT * ${list(100_001, () => 'FROM <urn:g>')} {}`],
    ['maxExpressions', `DESCRIBE ${list(100_001, () => '<urn:g>')}`],
    ['maxExpressions', `${list(100_002, () => 'PREFIX p: <urn:p>')} ASK {}`],
    ['maxVariables', `SELECT ${list(5001, (i) => `?v${i}`)} {}`],
    ['maxVariables', where(`VALUES (${list(5001, (i) => `?v${i}`)}) {}`)],
    ['maxVariables', `SELECT * { ${list(5001, (i) => `?v${i} ?p ?o .`)} }`],
    ['maxValues', where(`VALUES ?s { ${list(400_001, () => '1')} }`)],
    ['maxNestedTriples', `INSERT DATA { <urn:a> <urn:b> (${list(100_001, () => '1')}) }`],
  ])('refuses what would be read in one long piece: %s, case %#', (name, text) => {
    expect(() => prepareOperation(text)).toThrow(
      expect.objectContaining({ code: 'LIMIT_EXCEEDED', message: expect.stringContaining(`${name} = `) }),
    );
  });
});

it('batches of many columns have fewer rows', () => {
  const execution = new Execution(emptySource());
  expect(execution.mostRows(32)).toBe(1024);
  for (const columns of [33, 100, 1000, 40_000]) {
    expect(execution.mostRows(columns) * columns).toBeLessThanOrEqual(32 * 1024 + columns);
    expect(execution.mostRows(columns)).toBeGreaterThan(0);
  }
});
