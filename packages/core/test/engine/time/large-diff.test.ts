import type * as RDF from '@rdfjs/types';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type DiffRow, dataFactory, rdfPatchOf, WorldsEngine } from '../../../src/index.ts';

const { blankNode, namedNode, quad } = dataFactory;
const MIB = 1 << 20;
/** A stored row takes 12 bytes: 1.2 MB, and 4.8 MB with LONG_TESTS=1. */
const SIZES = process.env['LONG_TESTS'] ? [100_000, 400_000] : [100_000];

let engine: WorldsEngine;
beforeEach(async () => {
  engine = await WorldsEngine.open({ textIndex: null, history: { keepRevisions: 10 } });
  await engine.createWorld({ slug: 'w' });
});
afterEach(() => engine.close());

const lines = (from: number, to: number, graph = '') =>
  Array.from({ length: to - from }, (_, i) => `<urn:s${from + i}> <urn:p> <urn:o> ${graph}.\n`).join('');
const one = (n: number, graph?: string) =>
  quad(namedNode(`urn:s${n}`), namedNode('urn:p'), namedNode('urn:o'), graph ? namedNode(graph) : undefined);
const shown = ({ subject, graph }: RDF.Quad) => `${subject.value} ${graph.value}`;

describe('a difference of many quads', () => {
  it.each(SIZES)('of %i claims less than a megabyte', async (size) => {
    const { revision: from } = (await engine.getWorld({ source: 'w' }))!;
    await engine.import({ source: 'w', data: lines(0, size) });
    const work = { source: 'w', from, maxMemoryBytes: MIB };
    const diff = await engine.diff(work);
    expect([diff.inserted.length, diff.deleted.length]).toEqual([size, 0]);
    let length = 0;
    for (const piece of rdfPatchOf(diff)) length += piece.split('\n').length - 1;
    // A header of six rows, TX and TC.
    expect(length).toBe(size + 8);
    let rows = 0;
    for await (const { change } of engine.diffStream(work)) if (change === 'inserted') rows++;
    expect(rows).toBe(size);
    await engine.createWorld({ slug: 'v' });
    await engine.import({ source: 'v', data: lines(size, 2 * size) });
    const ofWorlds = await engine.diff({ source: 'w', to: { source: 'v' }, maxMemoryBytes: MIB });
    expect([ofWorlds.inserted.length, ofWorlds.deleted.length]).toEqual([size, size]);
  });

  it('is what is different, wherever that is between equal rows', async () => {
    const size = 60_000;
    const graph = '<urn:g> ';
    await engine.import({ source: 'w', data: lines(0, size) + lines(0, size, graph) });
    await engine.createWorld({ slug: 'v' });
    // The same rows in memory of their own, so that all are compared.
    await engine.import({ source: 'v', data: lines(0, size) + lines(0, size, graph) });
    const changed = [0, 1, 16_383, 16_384, 16_385, 40_000, 59_999];
    await engine.write({
      source: 'v',
      delete: changed.flatMap((n) => [one(n), one(n, 'urn:g')]),
      insert: [size, size + 1].flatMap((n) => [one(n), one(n, 'urn:h')]),
    });
    const diff = await engine.diff({ source: 'w', to: { source: 'v' } });
    const deleted = changed.flatMap((n) => [`urn:s${n} `, `urn:s${n} urn:g`]).sort();
    const inserted = [size, size + 1].flatMap((n) => [`urn:s${n} `, `urn:s${n} urn:h`]).sort();
    // Each iteration computes them again.
    for (const _ of [1, 2]) {
      expect([...diff.deleted].map(shown).sort()).toEqual(deleted);
      expect([...diff.inserted].map(shown).sort()).toEqual(inserted);
    }
    expect([diff.deleted.length, diff.inserted.length]).toEqual([deleted.length, inserted.length]);
  });

  it('pairs blank nodes among many rows without any', async () => {
    const size = 40_000;
    const nodes = Array.from({ length: 100 }, (_, i) => `_:n${i} <urn:p> <urn:s${i * 400}> .\n`).join('');
    await engine.import({ source: 'w', data: lines(0, size) + nodes });
    const fork = await engine.fork({ source: 'w', slug: 'fork' });
    await engine.update({
      sources: ['fork'],
      query: 'DELETE { ?n <urn:p> <urn:s400> } INSERT { ?n <urn:q> <urn:s400> } WHERE { ?n <urn:p> <urn:s400> }',
    });
    const diff = await engine.diff({ source: 'w', to: { source: fork }, maxMemoryBytes: MIB });
    const [deleted] = diff.deleted;
    const [inserted] = diff.inserted;
    expect([diff.deleted.length, diff.inserted.length]).toEqual([1, 1]);
    expect(deleted.subject.termType).toBe('BlankNode');
    expect(inserted.equals(quad(deleted.subject, namedNode('urn:q'), namedNode('urn:s400')))).toBe(true);
  });

  it('reads the states that it compared, whatever is written meanwhile', async () => {
    await engine.import({ source: 'w', data: lines(0, 100) });
    await engine.fork({ source: 'w', slug: 'fork' });
    await engine.write({
      source: 'fork',
      delete: [one(1)],
      insert: [quad(blankNode(), namedNode('urn:p'), one(1).object)],
    });
    const diff = await engine.diff({ source: 'w', to: { source: 'fork' } });
    await engine.deleteWorld({ source: 'fork' });
    await engine.update({ sources: ['w'], query: 'CLEAR ALL' });
    await engine.compact({ forgetHistory: true });
    expect([...diff.deleted].map(shown)).toEqual(['urn:s1 ']);
    expect(Array.from(diff.inserted, ({ subject }) => subject.termType)).toEqual(['BlankNode']);
  });

  it('is a stream of deleted, then inserted quads, which ends with its signal or its engine', async () => {
    await engine.import({ source: 'w', data: lines(0, 3) });
    await engine.fork({ source: 'w', slug: 'fork' });
    await engine.write({ source: 'fork', delete: [one(0)], insert: [one(3)] });
    const rows: DiffRow[] = [];
    for await (const row of engine.world('w').diffStream({ to: { source: 'fork' } })) rows.push(row);
    expect(rows.map(({ change, quad: changed }) => [change, shown(changed)])).toEqual([
      ['deleted', 'urn:s0 '],
      ['inserted', 'urn:s3 '],
    ]);
    const aborted = engine.diffStream({ source: 'w', signal: AbortSignal.abort() });
    await expect(aborted.next()).rejects.toMatchObject({ code: 'ABORTED' });
    await expect(engine.diffStream({ source: 'none' }).next()).rejects.toMatchObject({ code: 'NOT_FOUND' });
    const closing = engine.diffStream({ source: 'w', to: { source: 'fork' } });
    await closing.next();
    await engine.close();
    await expect(closing.next()).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
  });
});
