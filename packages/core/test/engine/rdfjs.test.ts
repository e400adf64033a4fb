import { EventEmitter, once } from 'node:events';
import type * as RDF from '@rdfjs/types';
import fc from 'fast-check';
import { Store } from 'n3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { dataFactory, WorldsEngine } from '../../src/index.ts';
import { quadKey } from '../../src/model/term-key.ts';

const { namedNode, literal, quad, defaultGraph, blankNode, variable } = dataFactory;
const iri = (name: string) => namedNode(`https://example.org/${name}`);
const [A, B, P, Q, G] = ['a', 'b', 'p', 'q', 'g'].map(iri);
const QUADS = [quad(A, P, literal('1')), quad(A, Q, B), quad(B, P, literal('x', 'en')), quad(A, P, literal('1'), G)];

let engine: WorldsEngine;
beforeEach(async () => {
  engine = await WorldsEngine.open({ textIndex: null });
  await engine.createWorld({ slug: 'w' });
  await engine.write({ source: 'w', insert: QUADS });
});
afterEach(() => engine.close());

const keys = (quads: Iterable<RDF.Quad>) => Array.from(quads, quadKey).sort();
const stored = async () => {
  const quads: RDF.Quad[] = [];
  for await (const one of engine.quads({ source: 'w' })) quads.push(one);
  return quads;
};

describe('a dataset', () => {
  it('is the world at one revision, whatever is committed later', async () => {
    const dataset = await engine.world('w').dataset();
    expect([dataset.size, dataset.revision]).toEqual([4, (await engine.getWorld({ source: 'w' }))?.revision]);
    await engine.update({ sources: ['w'], query: 'CLEAR ALL' });
    await engine.compact();
    expect(keys(dataset)).toEqual(keys(QUADS));
    expect([dataset.has(QUADS[0]), dataset.has(quad(A, P, B))]).toEqual([true, false]);
    expect((await engine.dataset({ source: 'w' })).size).toBe(0);
    await expect(engine.dataset({ source: 'none' })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('behaves as a Store of n3, in any order of calls', async () => {
    const subjects = [A, B, iri('c')];
    const objects = [B, literal('1'), literal('x', 'EN'), literal('new'), iri('c')];
    const graphs = [defaultGraph(), G, iri('h')];
    const anyQuad = fc
      .tuple(
        fc.constantFrom(...subjects),
        fc.constantFrom(P, Q),
        fc.constantFrom(...objects),
        fc.constantFrom(...graphs),
      )
      .map(([s, p, o, g]) => quad(s, p, o, g));
    const anyOf = <Term>(terms: readonly Term[]) => fc.constantFrom(null, undefined, ...terms);
    const pattern = fc.tuple(anyOf(subjects), anyOf([P, Q]), anyOf(objects), anyOf(graphs));
    const step = fc.record({
      do: fc.constantFrom('add', 'delete', 'match', 'has'),
      quad: anyQuad,
      pattern,
      other: anyQuad,
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
        const dataset = await engine.dataset({ source: 'w' });
        const model = new Map(QUADS.map((one) => [quadKey(one), one]));
        for (const { do: what, quad: one, pattern: terms, other } of steps) {
          if (what === 'add') {
            dataset.add(one);
            model.set(quadKey(one), one);
          } else if (what === 'delete') {
            dataset.delete(one);
            model.delete(quadKey(one));
          } else if (what === 'has') expect(dataset.has(one)).toBe(model.has(quadKey(one)));
          else {
            const expected = [...model.values()].filter((each) =>
              [each.subject, each.predicate, each.object, each.graph].every(
                (term, i) => terms[i]?.equals(term) ?? true,
              ),
            );
            const found = dataset.match(...terms);
            expect(keys(found)).toEqual(keys(expected));
            expect(found.size).toBe(expected.length);
            // A selection of a selection, and one that is changed, are like any other.
            const narrowed = found.match(A, undefined, null);
            expect(keys(narrowed)).toEqual(keys(expected.filter(({ subject }) => subject.equals(A))));
            found.add(other);
            expect(found.has(other)).toBe(true);
            expect(dataset.has(other)).toBe(model.has(quadKey(other)));
          }
          expect(dataset.size).toBe(model.size);
        }
        expect(keys(dataset)).toEqual([...model.keys()].sort());
        dataset[Symbol.dispose]();
      }),
      { seed: 17, numRuns: 60 },
    );
  });

  it('commits its changes as one, unless the world has changed', async () => {
    const dataset = await engine.dataset({ source: 'w' });
    dataset
      .delete(QUADS[0])
      .add(quad(blankNode('new'), P, B))
      .delete(quad(B, Q, B))
      .add(QUADS[1]);
    expect(dataset.size).toBe(4);
    const late = await engine.dataset({ source: 'w' });
    expect(await dataset.commit()).toMatchObject({ inserted: 1, deleted: 1 });
    expect(await stored()).toHaveLength(4);
    await expect(late.add(quad(A, A, A)).commit()).rejects.toMatchObject({ code: 'CONFLICT' });
    await expect(late.match(A).commit()).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
    expect(() => late.add(quad(literal('x') as never, P, B))).toThrow(expect.objectContaining({ code: 'INVALID_RDF' }));
  });

  it('knows blank nodes by their labels, and takes variables for wildcards', async () => {
    await engine.import({ source: 'w', data: '_:x <https://example.org/p> _:x .' });
    const dataset = await engine.dataset({ source: 'w' });
    const [found] = [...dataset].filter(({ subject }) => subject.termType === 'BlankNode');
    expect(dataset.match(found.subject, variable('p'), found.subject).size).toBe(1);
    expect(await dataset.delete(found).commit()).toMatchObject({ deleted: 1 });
  });
});

describe('a store', () => {
  it('imports and removes streams, and removes matches and graphs, one commit each', async () => {
    const store = engine.world('w').store();
    const revision = async () => (await engine.getWorld({ source: 'w' }))!.revision!;
    const before = await revision();
    const more = [quad(B, Q, literal('2')), quad(B, Q, literal('3'), G)];
    await once(store.import(new Store(more).match()), 'end');
    expect(await revision()).toBe(before + 1);
    expect(keys(await stored())).toEqual(keys([...QUADS, ...more]));
    await once(store.removeMatches(A, null, null, defaultGraph()), 'end');
    expect(keys(await stored())).toEqual(keys([QUADS[2], QUADS[3], ...more]));
    await once(store.remove(new Store([more[0]]).match()), 'end');
    await once(store.deleteGraph(G), 'end');
    await once(store.deleteGraph('https://example.org/absent'), 'end');
    expect(keys(await stored())).toEqual(keys([QUADS[2]]));
    expect(await revision()).toBe(before + 4);
    await once(store.deleteGraph(defaultGraph()), 'end');
    expect(await stored()).toEqual([]);
  });

  it('keeps blank nodes that came from it', async () => {
    await engine.import({ source: 'w', mode: 'replace', data: '_:x <https://example.org/p> "1" .' });
    const store = engine.world('w').store();
    await once(store.import(store.match(null, P)), 'end');
    expect(await stored()).toHaveLength(1);
  });

  it('takes streams that have events and nothing more', async () => {
    const stream = new EventEmitter() as EventEmitter & RDF.Stream<RDF.Quad>;
    const importing = once(engine.world('w').store().import(stream), 'end');
    setImmediate(() => {
      stream.emit('data', quad(A, A, A));
      stream.emit('end');
    });
    await importing;
    expect(await stored()).toHaveLength(5);
  });

  it('reports failures through its emitter, and leaves nothing behind', async () => {
    const store = engine.world('w').store();
    const failing = (async function* () {
      yield quad(A, A, A);
      throw new Error('cut off');
    })();
    const errorOf = (emitter: EventEmitter) => new Promise((resolve) => emitter.once('error', resolve));
    expect(await errorOf(store.import(failing as never))).toMatchObject({ message: 'cut off' });
    expect(await stored()).toHaveLength(4);
    const none = engine.world('none').store();
    expect(await errorOf(none.deleteGraph(G))).toMatchObject({ code: 'NOT_FOUND' });
    expect(await errorOf(none.removeMatches())).toMatchObject({ code: 'NOT_FOUND' });
  });
});
