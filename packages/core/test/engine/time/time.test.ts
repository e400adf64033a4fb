import type * as RDF from '@rdfjs/types';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { dataFactory, rdfPatchOf, type World, WorldsEngine, type WorldsEngineOptions } from '../../../src/index.ts';

const { namedNode, literal, quad, blankNode } = dataFactory;
const one = (n: number, object: RDF.Quad_Object = literal(String(n))) =>
  quad(namedNode(`urn:s${n}`), namedNode('urn:p'), object);
const COUNT = 'SELECT (COUNT(*) AS ?n) WHERE { ?s ?p ?o }';

let now = 0;
let engine: WorldsEngine;
const open = (options: WorldsEngineOptions = { history: { keepRevisions: 100 } }) =>
  WorldsEngine.open({ textIndex: null, clock: () => now, ...options });
beforeEach(async () => {
  now = Date.UTC(2026, 0, 1);
  engine = await open();
  await engine.createWorld({ slug: 'w' });
});
afterEach(() => engine.close());

async function insert(...numbers: number[]): Promise<number> {
  now += 1000;
  return (await engine.write({ source: 'w', insert: numbers.map((n) => one(n)) })).revision;
}

async function count(at?: number | Date, source = 'w'): Promise<number> {
  const [{ n }] = await (await engine.select({ query: COUNT, sources: [source], at })).objects();
  return n as number;
}

async function subjects(at?: number | Date): Promise<string[]> {
  const found: string[] = [];
  for await (const { subject } of engine.quads({ source: 'w', at })) found.push(subject.value);
  return found.sort();
}

describe('at', () => {
  it('reads a revision by every method', async () => {
    const first = await insert(1);
    await insert(2, 3);
    await engine.write({ source: 'w', delete: [one(1)] });
    await engine.updateWorld({ source: 'w', label: 'later' });
    expect(await subjects(first)).toEqual(['urn:s1']);
    expect(await subjects()).toEqual(['urn:s2', 'urn:s3']);
    expect(await count(first)).toBe(1);
    expect(await engine.ask({ query: 'ASK { <urn:s1> ?p ?o }', at: first })).toBe(true);
    expect(await engine.ask({ query: 'ASK { <urn:s1> ?p ?o }' })).toBe(false);
    const triples = await engine.construct({ query: 'CONSTRUCT WHERE { ?s ?p ?o }', at: first });
    expect(await triples.array()).toHaveLength(1);
    expect(Buffer.from(await engine.export({ source: 'w', at: first })).toString()).toBe('<urn:s1> <urn:p> "1" .\n');
    expect((await engine.getWorld({ source: 'w', at: first }))?.revision).toBe(first);
    expect((await engine.getWorld({ source: 'w', at: first }))?.label).toBeUndefined();
    expect(await engine.getEntity({ source: 'w', entity: 'urn:s1', at: first })).toBeDefined();
    expect((await engine.dataset({ source: 'w', at: first })).size).toBe(1);
    expect((await engine.canonicalize({ source: 'w', at: first })).quads).toBe(1);
    const prepared = await engine.prepare({ query: COUNT });
    expect(await (await prepared.select({ sources: ['w'], at: first })).objects()).toEqual([{ n: 1 }]);
    expect(await engine.world('w').ask({ query: 'ASK { <urn:s1> ?p ?o }', at: first })).toBe(true);
    expect(await engine.isIsomorphic({ source: 'w', at: first, to: { source: 'w' } })).toBe(false);
  });

  it('reads a date: the state after the last commit up to then', async () => {
    const before = new Date(now);
    await insert(1);
    const first = new Date(now);
    await insert(2);
    expect(await count(before)).toBe(0);
    expect(await count(first)).toBe(1);
    expect(await count(new Date(first.getTime() + 999))).toBe(1);
    expect(await count(new Date(first.getTime() + 1000))).toBe(2);
    await expect(count(new Date(before.getTime() - 1))).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('orders commits by revision if the clock is set back', async () => {
    await insert(1);
    const high = now;
    now -= 100_000;
    await insert(2);
    now = high + 5;
    expect(await count(new Date(high))).toBe(2);
  });

  it('refuses the future and what is not a moment', async () => {
    const revision = await insert(1);
    await expect(count(revision + 1)).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
      message: expect.stringContaining(`at revision ${revision}`),
    });
    await expect(count(new Date(now + 1))).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
    for (const at of [-1, 1.5, new Date('no'), '2026-01-01', {}] as never[])
      await expect(count(at)).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
  });

  it('names the oldest revision that is kept', async () => {
    await engine.close();
    engine = await open({ history: { keepRevisions: 2 } });
    await engine.createWorld({ slug: 'w' });
    const revisions = [await insert(1), await insert(2), await insert(3)];
    expect(await count(revisions[0])).toBe(1);
    await insert(4);
    const refusal = await count(revisions[0]).catch((error) => error);
    expect(refusal).toMatchObject({ code: 'TRUNCATED', revision: revisions[1], oldestRevision: revisions[1] });
    expect(refusal.message).toContain(`the oldest revision that is kept is ${revisions[1]}`);
  });

  it('keeps commits for a time, also while nothing is committed', async () => {
    await engine.close();
    engine = await open({ history: { keepMs: 5000 } });
    await engine.createWorld({ slug: 'w' });
    const first = await insert(1);
    const second = await insert(2);
    now += 4999;
    expect(await count(first)).toBe(1);
    now += 1;
    await expect(count(first)).rejects.toMatchObject({ code: 'TRUNCATED', revision: second });
    expect(await count(second)).toBe(2);
    expect(await count(new Date(now - 5000))).toBe(2);
  });

  it('without a history, reads the current revision only', async () => {
    await engine.close();
    engine = await open({});
    await engine.createWorld({ slug: 'w' });
    const first = await insert(1);
    expect(await count(first)).toBe(1);
    await insert(2);
    await expect(count(first)).rejects.toMatchObject({
      code: 'TRUNCATED',
      message: expect.stringContaining('option history'),
    });
    expect((await engine.stats()).history).toBeUndefined();
  });

  it('is not for updates and not for search', async () => {
    const at = await insert(1);
    const query = 'INSERT DATA { <urn:a> <urn:b> 1 }';
    await expect(engine.update({ query, sources: ['w'], at })).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
    await expect(engine.search({ query: 'x', at: at as never })).rejects.toMatchObject({ code: 'UNSUPPORTED' });
    const service =
      'PREFIX s: <urn:rdf-worlds:search#> SELECT * WHERE { SERVICE <urn:rdf-worlds:search> { [] s:query "x" ; s:subject ?s } }';
    await expect(engine.select({ query: service, at }).then((rows) => rows.array())).rejects.toMatchObject({
      code: 'UNSUPPORTED',
      message: expect.stringContaining('only the present is indexed'),
    });
  });

  it('reads several worlds; a revision needs one namespace, a date does not', async () => {
    await engine.createWorld({ slug: 'v', namespace: 'other' });
    await insert(1);
    const at = new Date(now);
    await engine.write({ source: 'other/v', insert: [one(7)] });
    const revision = await insert(2);
    now += 1000;
    await engine.write({ source: 'other/v', insert: [one(8)] });
    const sources = ['w', 'other/v'];
    const [{ n }] = await (await engine.select({ query: COUNT, sources, at })).objects();
    expect(n).toBe(2);
    await expect(engine.select({ query: COUNT, sources, at: revision })).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
      message: expect.stringContaining('pass a Date'),
    });
  });

  it('reads deleted graphs and worlds, but no earlier world of a name', async () => {
    await engine.createWorld({ slug: 'stays' });
    await engine.write({
      source: 'w',
      insert: [quad(namedNode('urn:s'), namedNode('urn:p'), literal('x'), namedNode('urn:g'))],
    });
    const full = (await engine.getNamespace())!.revision;
    await engine.deleteGraph({ source: 'w', graph: 'urn:g' });
    await engine.compact();
    expect(await engine.hasGraph({ source: 'w', graph: 'urn:g' })).toBe(false);
    expect(await engine.hasGraph({ source: 'w', graph: 'urn:g', at: full })).toBe(true);
    await engine.deleteWorld({ source: 'w' });
    await engine.compact();
    await expect(engine.export({ source: 'w' })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(Buffer.from(await engine.export({ source: 'w', at: full })).toString()).toContain('<urn:g>');
    expect((await engine.listWorlds({ at: full })).map(({ slug }) => slug)).toEqual(['stays', 'w']);
    await engine.createWorld({ slug: 'w' });
    await expect(engine.export({ source: 'w', at: full })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(await engine.getWorld({ source: 'w', at: full })).toBeNull();
    expect((await engine.listWorlds({ at: full })).map(({ slug }) => slug)).toEqual(['stays']);
    expect(await engine.ask({ query: 'ASK { GRAPH ?g { ?s ?p ?o } }', at: full })).toBe(false);
    await engine.deleteWorld({ source: 'w' });
    expect(await engine.getWorld({ source: 'w', at: full })).toBeNull();
  });

  it('counts what is kept, and forgets it when asked', async () => {
    const first = await insert(1, 2, 3);
    await engine.write({ source: 'w', delete: [one(1), one(2), one(3)] });
    const { history, memoryBytes } = await engine.stats();
    expect(history).toMatchObject({ commits: 3 });
    expect(history!.bytes).toBeGreaterThan(3 * 500);
    expect(memoryBytes).toBeGreaterThan(history!.bytes);
    expect((await engine.compact()).terms).toBe(0);
    expect(await count(first)).toBe(3);
    expect((await engine.compact({ forgetHistory: true })).terms).toBeGreaterThanOrEqual(6);
    await expect(count(first)).rejects.toMatchObject({ code: 'TRUNCATED' });
    expect((await engine.stats()).history).toEqual({ commits: 0, bytes: 0 });
  });

  it('reads what a reader began with, whatever is forgotten meanwhile', async () => {
    const numbers = Array.from({ length: 2000 }, (_, i) => i);
    const first = await insert(...numbers);
    await engine.write({ source: 'w', delete: numbers.map((n) => one(n)) });
    const quads = engine.quads({ source: 'w', at: first });
    await quads.next();
    await engine.compact({ forgetHistory: true });
    let rest = 0;
    for await (const { subject } of quads) if (subject.value.startsWith('urn:s')) rest++;
    expect(rest).toBe(numbers.length - 1);
  });

  it('refuses unknown and missing fields of the option', async () => {
    for (const history of [{}, { keepDays: 1 }, { keepMs: -1 }, { keepRevisions: 1.5 }, 7] as never[])
      await expect(open({ history })).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
  });
});

describe('fork', () => {
  it('copies a world, its record and its past, with blank nodes of its own', async () => {
    await engine.updateWorld({ source: 'w', label: 'L', description: 'D' });
    await engine.import({
      source: 'w',
      data: '_:a <urn:p> _:b .\n_:b <urn:p> <<( _:a <urn:q> "x" )>> .\n<urn:s> <urn:p> _:a <urn:g> .',
    });
    const past = (await engine.getNamespace())!.revision;
    await insert(1);
    const fork = await engine.fork({ source: 'w', slug: 'f' });
    expect(fork).toMatchObject({ slug: 'f', label: 'L', description: 'D' } satisfies Partial<World>);
    expect(fork.revision).toBe((await engine.getNamespace())!.revision);
    expect(await engine.isIsomorphic({ source: 'f', to: { source: 'w' } })).toBe(true);
    expect((await engine.check()).problems).toEqual([]);
    const labels = async (source: string) =>
      Buffer.from(await engine.export({ source }))
        .toString()
        .match(/_:\w+/g)!;
    expect(new Set([...(await labels('w')), ...(await labels('f'))]).size).toBe(4);
    const early = await engine.fork({ source: 'w', slug: 'early', at: past, label: 'E', description: null });
    expect(early).toMatchObject({ label: 'E', description: null });
    expect(await engine.isIsomorphic({ source: 'early', to: { source: 'w', at: past } })).toBe(true);
    await engine.write({ source: 'f', delete: [one(1)] });
    expect(await count(undefined, 'w')).toBe(3);
    expect(await count(undefined, 'f')).toBe(2);
  });

  it('refuses a name that is taken, a world that is not there, and unknown fields', async () => {
    await expect(engine.fork({ source: 'w', slug: 'w' })).rejects.toMatchObject({ code: 'ALREADY_EXISTS' });
    await expect(engine.fork({ source: 'none', slug: 'f' })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(engine.fork({ source: 'w', slug: 'a/b' })).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
    await expect(engine.fork({ source: 'w', slug: 'f', namespace: 'x' } as never)).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
    });
    await expect(engine.fork({ source: 'w', slug: 'f', at: 99 })).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
  });

  it('is found by search, also when all other worlds are indexed', async () => {
    const searched = await WorldsEngine.open();
    await searched.createWorld({ slug: 'w' });
    await searched.write({ source: 'w', insert: [one(1, literal('needle'))] });
    expect(await searched.search({ query: 'needle' })).toHaveLength(1);
    await searched.fork({ source: 'w', slug: 'f' });
    expect(await searched.search({ query: 'needle', sources: ['f'] })).toHaveLength(1);
    await searched.close();
  });

  it('counts for quotas', async () => {
    await engine.close();
    engine = await open({ quotas: { namespace: { quads: 5 } } });
    await engine.createWorld({ slug: 'w' });
    await insert(1, 2, 3);
    await expect(engine.fork({ source: 'w', slug: 'f' })).rejects.toMatchObject({ code: 'QUOTA_EXCEEDED' });
    await engine.write({ source: 'w', delete: [one(3)] });
    await engine.fork({ source: 'w', slug: 'f' });
    expect((await engine.worldQuotas({ source: 'f' }))?.quads.used).toBe(2);
  });
});

describe('diff', () => {
  it('compares two moments of a world, and writes a patch', async () => {
    const from = await insert(1);
    await insert(2);
    await engine.write({ source: 'w', delete: [one(1)] });
    const diff = await engine.diff({ source: 'w', from });
    expect([...diff.inserted]).toEqual([one(2)]);
    expect([...diff.deleted]).toEqual([one(1)]);
    expect([diff.from.revision, diff.to.revision]).toEqual([from, from + 2]);
    expect([...rdfPatchOf(diff)].join('')).toBe(
      `H namespace "default" .\nH world "w" .\nH revision "${from}" .\nH to-namespace "default" .\nH to-world "w" .\n` +
        `H to-revision "${from + 2}" .\nTX .\nD <urn:s1> <urn:p> "1" .\nA <urn:s2> <urn:p> "2" .\nTC .\n`,
    );
    const back = await engine.diff({ source: 'w', to: from });
    expect([...back.inserted]).toEqual([one(1)]);
    await engine.write({ source: 'w', insert: back.inserted, delete: back.deleted });
    expect(await subjects()).toEqual(['urn:s1']);
  });

  it('brings a branch back, with its blank nodes', async () => {
    await engine.import({ source: 'w', data: '_:a <urn:name> "Ann" .\n_:a <urn:knows> _:b .\n_:b <urn:name> "Bob" .' });
    const base = (await engine.fork({ source: 'w', slug: 'branch' })).revision;
    await insert(1);
    await engine.update({
      sources: ['branch'],
      query:
        'DELETE { ?b <urn:name> "Bob" } INSERT { ?b <urn:name> "Bert" . ?b <urn:has> [] } WHERE { ?b <urn:name> "Bob" }',
    });
    const diff = await engine.diff({ source: 'w', from: base, to: { source: 'branch' } });
    expect([diff.inserted.length, diff.deleted.length]).toEqual([2, 1]);
    const { inserted, deleted } = await engine.write({ source: 'w', insert: diff.inserted, delete: diff.deleted });
    expect([inserted, deleted]).toEqual([2, 1]);
    expect(
      await engine.ask({
        sources: ['w'],
        query:
          'ASK { ?a <urn:name> "Ann" ; <urn:knows> ?b . ?b <urn:name> "Bert" . ?b <urn:has> ?x FILTER(isBlank(?x)) }',
      }),
    ).toBe(true);
    const left = await engine.diff({ source: 'branch', to: { source: 'w' } });
    expect([...left.inserted].filter(({ subject }) => subject.termType === 'NamedNode')).toEqual([one(1)]);
  });

  it('finds no difference between isomorphic worlds, of one namespace or two', async () => {
    const data =
      '_:a <urn:p> _:b .\n_:b <urn:p> _:a .\n_:c <urn:p> "x" <urn:g> .\n<urn:s> <urn:p> <<( _:c <urn:q> _:a )>> .';
    await engine.import({ source: 'w', data });
    for (const source of ['v', 'other/v']) {
      const [namespace, slug] = source.includes('/') ? source.split('/') : [undefined, source];
      await engine.createWorld({ slug, namespace });
      await engine.import({ source, data });
      const same = await engine.diff({ source: 'w', to: { source } });
      expect([same.inserted.length, same.deleted.length]).toEqual([0, 0]);
      await engine.write({ source, insert: [one(5), quad(blankNode('new'), namedNode('urn:p'), literal('z'))] });
      const diff = await engine.diff({ source: 'w', to: { source } });
      const patched = `patched-${slug}-${namespace ?? ''}x`;
      await engine.fork({ source: 'w', slug: patched });
      const onFork = await engine.diff({ source: patched, to: { source } });
      await engine.write({ source: patched, insert: onFork.inserted, delete: onFork.deleted });
      expect(await engine.isIsomorphic({ source: patched, to: { source } })).toBe(true);
      expect(diff.inserted.length - diff.deleted.length).toBe(2);
    }
  });

  it('refuses what is not there and what is not known', async () => {
    await expect(engine.diff({ source: 'none' })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(engine.diff({ source: 'w', to: { source: 'none' } })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(engine.diff({ source: 'w', form: 1 } as never)).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
    await expect(engine.diff({ source: 'w', to: { source: 'w', att: 1 } } as never)).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
    });
    await expect(engine.diff({ source: 'w', from: 99 })).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
  });
});
