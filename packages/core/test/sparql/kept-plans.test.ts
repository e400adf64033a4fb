import { beforeEach, describe, expect, it, vi } from 'vitest';
import { WorldsEngine } from '../../src/index.ts';
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

  it('is not used after a commit', async () => {
    const text = 'SELECT ?s { ?s <urn:p> ?o FILTER(?o > 1) }';
    for (let i = 0; i < 3; i++) await asked(engine, text);
    await engine.update({ query: 'INSERT DATA { <urn:c> <urn:p> 4 }', sources: [{ slug: 'w', write: true }] });
    expect(await asked(engine, text)).toEqual({ rows: ['urn:a', 'urn:b', 'urn:c'], planned: true });
    expect((await asked(engine, text)).planned).toBe(false);
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
