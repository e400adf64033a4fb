import { describe, expect, it } from 'vitest';
import { QuadList } from '../../src/contracts/quad-list.ts';
import { runAtOnce } from '../../src/contracts/slicer.ts';
import { DEFAULT_GRAPH } from '../../src/contracts/term-source.ts';
import { dataFactory } from '../../src/model/term.ts';
import { Overlay } from '../../src/quads/overlay.ts';
import { QuadStore } from '../../src/quads/quad-store.ts';
import { Transaction } from '../../src/quads/transaction.ts';
import { WorldGraphs } from '../../src/quads/world-graphs.ts';

const NO_GRAPHS = new Uint32Array(0);

function begin(): Transaction {
  const store = new QuadStore({ low: 1, high: 2 }, (cause) => {
    throw cause;
  });
  const overlay = new Overlay(store.dictionary, { world: 1, scope: () => new Uint8Array(16) }, 'private');
  return new Transaction(
    overlay,
    store.latest,
    new WorldGraphs(1, store.allocateContext(), NO_GRAPHS, NO_GRAPHS),
    store.allocateContext,
  );
}

describe('a transaction of many operations', () => {
  it('looks through few deltas, whatever their number', () => {
    for (const n of [100, 400, 1600]) {
      const transaction = begin();
      const { overlay } = transaction;
      const id = (name: string) => overlay.intern(dataFactory.namedNode(name));
      const predicate = id('urn:p');
      let most = 0;
      for (let i = 0; i < n; i++) {
        const quads = new QuadList();
        quads.add(id(`urn:s${i}`), predicate, predicate, DEFAULT_GRAPH);
        runAtOnce(transaction.apply({ inserted: quads }));
        if (i % 3 === 0) runAtOnce(transaction.apply({ deleted: quads }));
        most = Math.max(most, transaction.snapshot.deltas.length);
      }
      expect(most).toBeLessThanOrEqual(9 + Math.log2(n));
      const { delta } = runAtOnce(transaction.finish());
      expect(delta.inserted.length).toBe(n - Math.ceil(n / 3));
      expect(delta.deleted.length).toBe(0);
    }
  });
});

describe('the graphs of a world', () => {
  const graphs = new WorldGraphs(1, 7, Uint32Array.of(3, 5, 9), Uint32Array.of(30, 50, 90));

  it('keep their order and their contexts when some are added', () => {
    const more = graphs.with(
      new Map([
        [10, 100],
        [5, 55],
        [1, 10],
        [4, 40],
      ]),
    );
    expect([...more.graphs]).toEqual([1, 3, 4, 5, 9, 10]);
    expect([...more.contexts]).toEqual([10, 30, 40, 50, 90, 100]);
    expect(more).toMatchObject({ world: 1, defaultContext: 7 });
  });

  it('are the same object if none is removed, otherwise the remaining ones', () => {
    expect(graphs.without(new Set([4, 0, 11]))).toBe(graphs);
    const fewer = graphs.without(new Set([9, 3, 4]));
    expect([...fewer.graphs]).toEqual([5]);
    expect([...fewer.contexts]).toEqual([50]);
  });
});
