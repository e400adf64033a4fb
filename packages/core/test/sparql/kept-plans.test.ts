import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { naiveDataset } from '@rdf-worlds/testkit';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { dataFactory, nativeEngine, WorldsEngine } from '../../src/index.ts';
import type { PreparedQuery, QuadSource } from '../../src/plugin.ts';
import { Planner } from '../../src/sparql/plan/planner.ts';

/** Runs a text and returns its rows as text, and whether it was planned. */
async function asked(engine: WorldsEngine, query: string) {
  const planFor = vi.spyOn(Planner.prototype, 'planFor');
  try {
    const rows = await engine.select({ query, sources: ['w'] });
    const texts = (await rows.array()).map((row) => [...row].map(([, term]) => term.value).join(' '));
    return { rows: texts.sort(), planned: planFor.mock.calls.length > 0 };
  } finally {
    planFor.mockRestore();
  }
}

describe('the plan of a repeated query', () => {
  let engine: WorldsEngine;
  let now: number;

  beforeEach(async () => {
    now = Date.parse('2026-01-01T00:00:00Z');
    engine = await WorldsEngine.open({ textIndex: null, clock: () => now });
    await engine.createWorld({ slug: 'w' });
    await engine.update({
      query: 'INSERT DATA { <urn:a> <urn:p> 1 , 2 . <urn:b> <urn:p> 3 . GRAPH <urn:g> { <urn:a> <urn:q> "x" } }',
      sources: [{ slug: 'w', write: true }],
    });
    return () => engine.close();
  });

  it('is kept by its second run for the third', async () => {
    const text = 'SELECT ?o { <urn:a> <urn:p> ?o }';
    expect(await asked(engine, text)).toEqual({ rows: ['1', '2'], planned: true });
    expect(await asked(engine, text)).toEqual({ rows: ['1', '2'], planned: true });
    expect(await asked(engine, text)).toEqual({ rows: ['1', '2'], planned: false });
  });

  it('serves runs at the same time, each with its own values', async () => {
    const text = 'SELECT ?s (CONCAT(STR(?o), "!", STR(RAND() < 2)) AS ?t) (BNODE() AS ?b) { ?s <urn:p> ?o }';
    for (let i = 0; i < 3; i++) await asked(engine, text);
    const results = await Promise.all(Array.from({ length: 5 }, () => engine.select({ query: text, sources: ['w'] })));
    const iterators = results.map((result) => result[Symbol.asyncIterator]());
    const blank = new Set<string>();
    for (let row = 0; row < 3; row++) {
      for (const iterator of iterators) {
        const { value } = await iterator.next();
        expect(value.get('t').value).toMatch(/^[123]!true$/);
        blank.add(value.get('b').value);
      }
    }
    expect(blank.size).toBe(15);
  });

  it('is kept for a path from a term of the data', async () => {
    const text = 'SELECT ?x { <urn:a> <urn:p>* ?x }';
    for (const planned of [true, true, false])
      expect(await asked(engine, text)).toEqual({ rows: ['1', '2', 'urn:a'], planned });
  });

  describe('after a commit', () => {
    const insert = (data: string) =>
      engine.update({ query: `INSERT DATA { ${data} }`, sources: [{ slug: 'w', write: true }] });

    it('is used, and sees the new quads', async () => {
      const text = 'SELECT ?s { ?s <urn:p> ?o FILTER(?o > 1) }';
      for (let i = 0; i < 2; i++) await asked(engine, text);
      for (const [i, name] of ['c', 'd', 'e'].entries()) {
        await insert(`<urn:${name}> <urn:p> 4`);
        const rows = ['urn:a', 'urn:b', 'urn:c', 'urn:d', 'urn:e'].slice(0, i + 3);
        expect(await asked(engine, text)).toEqual({ rows, planned: false });
      }
    });

    it('is made again if the data have a constant that they had not', async () => {
      const text = 'SELECT ?s { ?s <urn:later> ?o }';
      for (const planned of [true, true, false]) expect(await asked(engine, text)).toEqual({ rows: [], planned });
      await insert('<urn:a> <urn:p> 5');
      expect(await asked(engine, text)).toEqual({ rows: [], planned: false });
      await insert('<urn:a> <urn:later> 5');
      expect(await asked(engine, text)).toEqual({ rows: ['urn:a'], planned: true });
    });

    it('is made again if a pattern has far more quads, or far fewer', async () => {
      const text = 'SELECT ?o { ?s <urn:p> ?o ; <urn:q> "y" }';
      for (let i = 0; i < 2; i++) await asked(engine, text);
      await insert(Array.from({ length: 15 }, (_, i) => `<urn:s${i}> <urn:p> ${i} .`).join(' '));
      expect(await asked(engine, text)).toEqual({ rows: [], planned: false });
      await insert(Array.from({ length: 20 }, (_, i) => `<urn:t${i}> <urn:p> ${i} .`).join(' '));
      expect(await asked(engine, text)).toEqual({ rows: [], planned: true });
      expect(await asked(engine, text)).toEqual({ rows: [], planned: false });
      const query = 'DELETE WHERE { ?s <urn:p> ?o }';
      await engine.update({ query, sources: [{ slug: 'w', write: true }] });
      expect(await asked(engine, text)).toEqual({ rows: [], planned: true });
    });

    it('is made again if there are other graphs', async () => {
      const text = 'SELECT ?g ?x { GRAPH ?g { OPTIONAL { <urn:a> <urn:q> ?x } } }';
      const none = { rows: ['urn:g x'], planned: true };
      expect(await asked(engine, text)).toEqual(none);
      expect(await asked(engine, text)).toEqual(none);
      await insert('GRAPH <urn:h> { <urn:a> <urn:q> "y" }');
      expect(await asked(engine, text)).toEqual({ rows: ['urn:g x', 'urn:h y'], planned: true });
    });

    it('is made again if it reads what sources need not have', async () => {
      const texts = [
        'SELECT DISTINCT ?o { ?s <urn:p> ?o }',
        'SELECT (COUNT(DISTINCT ?o) AS ?n) { ?s <urn:p> ?o }',
        'SELECT ?o (COUNT(*) AS ?n) { ?s <urn:p> ?o } GROUP BY ?o',
      ];
      for (const text of texts) for (let i = 0; i < 2; i++) await asked(engine, text);
      await insert('<urn:c> <urn:p> 4');
      expect(await asked(engine, texts[0])).toEqual({ rows: ['1', '2', '3', '4'], planned: true });
      expect(await asked(engine, texts[1])).toEqual({ rows: ['4'], planned: true });
      expect(await asked(engine, texts[2])).toEqual({ rows: ['1 1', '2 1', '3 1', '4 1'], planned: true });
    });

    it('is made again if it has many patterns', async () => {
      const text = (count: number) =>
        `SELECT ?x { ${Array.from({ length: count }, (_, i) => `{ ?x <urn:p> ${i} }`).join(' UNION ')} }`;
      for (const count of [20, 70]) for (let i = 0; i < 2; i++) await asked(engine, text(count));
      await insert('<urn:a> <urn:q> "new"');
      const rows = ['urn:a', 'urn:a', 'urn:b'];
      expect(await asked(engine, text(20))).toEqual({ rows, planned: false });
      expect(await asked(engine, text(70))).toEqual({ rows, planned: true });
    });

    it('does not displace other plans when it is taken on', async () => {
      const [often, other] = ['SELECT ?o { <urn:a> <urn:p> ?o }', 'SELECT ?o { <urn:b> <urn:p> ?o }'];
      for (const text of [often, other]) for (let i = 0; i < 2; i++) await asked(engine, text);
      for (let i = 0; i < 1100; i++) {
        await insert(`<urn:other> <urn:q> ${i}`);
        if (i % 2 === 0) await engine.ask({ query: 'ASK { ?s <urn:p> ?o }', sources: ['w'] });
        await (await engine.select({ query: often, sources: ['w'] })).array();
      }
      expect(await asked(engine, other)).toEqual({ rows: ['3'], planned: false });
    });

    it('is used with the bindings of the run', async () => {
      const prepared = await engine.prepare({ query: 'SELECT ?o { ?s <urn:p> ?o }' });
      const valuesOf = async (name: string) => {
        const result = await prepared.select({ sources: ['w'], bindings: { s: dataFactory.namedNode(`urn:${name}`) } });
        return (await result.array()).map((row) => row.get('o')!.value).sort();
      };
      for (let i = 0; i < 3; i++) expect(await valuesOf('a')).toEqual(['1', '2']);
      await insert('<urn:b> <urn:p> 4');
      const planFor = vi.spyOn(Planner.prototype, 'planFor');
      expect(await valuesOf('b')).toEqual(['3', '4']);
      expect(planFor).not.toHaveBeenCalled();
      planFor.mockRestore();
    });
  });

  it('refers to no quads', async () => {
    setFlagsFromString('--expose-gc');
    const collectGarbage: () => void = runInNewContext('gc');
    const layout = {};
    const sparql = nativeEngine();
    const text = `SELECT ?s (COUNT(?x) AS ?n) { ?s <urn:p>/<urn:q>* ?o OPTIONAL { ?o <urn:r> ?x FILTER(?x > 1) }
      FILTER EXISTS { ?s <urn:t> ?y } FILTER(CONTAINS(STR(?s), "a")) { ?s <urn:u> 1 } UNION { ?s <urn:u> 2 }
      MINUS { ?s <urn:v> ?z } } GROUP BY ?s ORDER BY ?n LIMIT 3`;
    const run = async (): Promise<WeakRef<QuadSource>> => {
      const source = Object.assign(naiveDataset([[]]), { measured: new Map<string, number>(), layout });
      const prepared = (await sparql.prepare(text, { signal: undefined })) as PreparedQuery;
      const result = await prepared.evaluate(source, { now: new Date(now) });
      if (result.type !== 'bindings') throw new Error('These are bindings.');
      for await (const { length } of result.batches) expect(length).toBe(0);
      return new WeakRef(source);
    };
    await run();
    const kept = await run();
    const planFor = vi.spyOn(Planner.prototype, 'planFor');
    const other = await run();
    expect(planFor).not.toHaveBeenCalled();
    planFor.mockRestore();
    await new Promise((resolve) => setImmediate(resolve));
    collectGarbage();
    expect([kept.deref(), other.deref()]).toEqual([undefined, undefined]);
  });

  it('is not used for other worlds', async () => {
    await engine.createWorld({ slug: 'other' });
    await engine.update({ query: 'INSERT DATA { <urn:a> <urn:p> 9 }', sources: [{ slug: 'other', write: true }] });
    const query = 'SELECT ?o { <urn:a> <urn:p> ?o }';
    for (let i = 0; i < 3; i++) await asked(engine, query);
    const valuesIn = async (sources: string[]) =>
      (await (await engine.select({ query, sources })).array()).map((row) => row.get('o')!.value).sort();
    for (let i = 0; i < 3; i++) {
      expect(await valuesIn(['other'])).toEqual(['9']);
      expect(await valuesIn(['w', 'other'])).toEqual(['1', '2', '9']);
      expect(await valuesIn(['w'])).toEqual(['1', '2']);
    }
  });

  it('finds terms that the data do not have, in each run', async () => {
    const text =
      'SELECT ?x ?t { VALUES ?x { "new" <urn:a> } BIND(CONCAT("t", STR(?x)) AS ?t) OPTIONAL { ?x <urn:p> 7 } }';
    for (let i = 0; i < 4; i++) expect((await asked(engine, text)).rows).toEqual(['new tnew', 'urn:a turn:a']);
  });

  describe('is made again for a query that', () => {
    const CASES: Readonly<Record<string, string>> = {
      'compares a constant with NOW': 'SELECT ?s { ?s <urn:p> 3 FILTER(YEAR(NOW()) = 2026) }',
      'has an EXISTS that is planned for each row':
        'SELECT ?s { ?s <urn:p> ?o FILTER EXISTS { SELECT ?o { ?s <urn:p> ?x FILTER(?x > 1) } } }',
      'has a path from a term that the data may not have': 'SELECT ?x { <urn:new> <urn:q>* ?x }',
    };
    for (const [name, text] of Object.entries(CASES)) {
      it(name, async () => {
        const first = await asked(engine, text);
        for (let i = 0; i < 3; i++) expect(await asked(engine, text)).toEqual({ ...first, planned: true });
      });
    }
  });

  it('is dropped when many others are used', async () => {
    const text = 'SELECT ?o { <urn:b> <urn:p> ?o }';
    for (let i = 0; i < 3; i++) await asked(engine, text);
    // A prepared query is parsed once, so the texts of others do not displace it.
    const prepared = await engine.prepare({ query: 'SELECT ?s { ?s <urn:p> ?o }' });
    const planFor = vi.spyOn(Planner.prototype, 'planFor');
    for (let world = 0; world < 1100; world++) {
      await engine.createWorld({ slug: `w${world}` });
      for (let i = 0; i < 2; i++) await prepared.run({ sources: [`w${world}`] });
    }
    const before = planFor.mock.calls.length;
    await prepared.run({ sources: ['w1099'] });
    expect(planFor.mock.calls.length).toBe(before);
    await prepared.run({ sources: ['w3'] });
    expect(planFor.mock.calls.length).toBe(before + 1);
    planFor.mockRestore();
  });

  it('has the time of each run', async () => {
    const year = 'SELECT (YEAR(NOW()) AS ?y) { ?s <urn:p> 3 }';
    const then = 'SELECT ?s { ?s <urn:p> 3 FILTER(YEAR(NOW()) = 2026) }';
    for (let i = 0; i < 3; i++) {
      expect((await asked(engine, year)).rows).toEqual(['2026']);
      expect((await asked(engine, then)).rows).toEqual(['urn:b']);
    }
    now = Date.parse('2027-01-01T00:00:00Z');
    expect(await asked(engine, year)).toEqual({ rows: ['2027'], planned: false });
    expect((await asked(engine, then)).rows).toEqual([]);
  });

  it('is kept for the same order of rows, too', async () => {
    const query = 'SELECT ?s ?o { ?s <urn:p> ?o } LIMIT 2';
    const planFor = vi.spyOn(Planner.prototype, 'planFor');
    for (let i = 0; i < 3; i++) await (await engine.select({ query, sources: ['w'], canonicalOrder: true })).array();
    expect(planFor).toHaveBeenCalledTimes(2);
    planFor.mockRestore();
  });
});
