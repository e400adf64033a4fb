import { describe, expect, it } from 'vitest';
import { Slicer } from '../../../src/contracts/slicer.ts';
import { BackgroundFailures } from '../../../src/engine/background-failures.ts';
import { defaultTextIndex } from '../../../src/engine/default-text-index.ts';
import { checkMemory, checkSame } from '../../../src/engine/durable/check.ts';
import { Namespace } from '../../../src/engine/namespace.ts';
import { dataFactory, WorldsEngine } from '../../../src/index.ts';
import type { TextIndex } from '../../../src/plugin.ts';
import { POS } from '../../../src/quads/permutation.ts';
import { EMPTY_RUN, Run, type TripleColumns } from '../../../src/quads/run.ts';
import { WorldGraphs } from '../../../src/quads/world-graphs.ts';
import { type Row, runOf } from '../../quads/quad-rows.ts';

const none = new Uint32Array(0);
const ROWS: Row[] = [
  [1, 1, 2, 1],
  [1, 1, 2, 2],
  [1, 2, 1, 1],
];

/** A namespace with one world, of some rows: the terms 1 and 2 are in every dictionary. */
function namespaceOf(run: Run, deleted: Run = EMPTY_RUN): Namespace {
  const namespace = new Namespace({
    name: 'n',
    key: { low: 1, high: 2 },
    plugins: { textIndex: null, embedder: null },
    failures: new BackgroundFailures({ clock: Date.now }),
  });
  const record = { slug: 'w', namespace: 'n', createdAt: 1, updatedAt: 1, revision: 1 };
  namespace.store.restore([{ inserted: run, deleted }], 2);
  namespace.restore([{ record, graphs: new WorldGraphs(1, 1, none, none), size: { quads: 0, bytes: 0 } }], 1, 2);
  return namespace;
}

const problemsOf = (namespace: Namespace) => checkMemory(namespace, new Slicer());

describe('a check of memory', () => {
  it('finds nothing where nothing is wrong', async () => {
    expect(await problemsOf(namespaceOf(runOf(ROWS)))).toEqual([]);
  });

  it('finds an order with other quads than the first', async () => {
    const { contexts, starts, columns } = runOf(ROWS);
    const changed = columns.map((column, i) =>
      i === POS ? (column.map((keys) => keys.map((key) => 3 - key)) as unknown as TripleColumns) : column,
    );
    expect(await problemsOf(namespaceOf(new Run(contexts, starts, changed)))).toContain(
      'The sort orders of a run do not contain the same quads.',
    );
  });

  it('finds a term that is not known', async () => {
    expect(await problemsOf(namespaceOf(runOf([...ROWS, [1, 1, 2, 99]])))).toEqual(['A quad has an unknown term.']);
  });

  it('finds quads that were taken out and had not been there', async () => {
    expect(await problemsOf(namespaceOf(runOf(ROWS), runOf([[1, 2, 2, 2]])))).toContain(
      'More quads were deleted than existed.',
    );
  });
});

describe('a check of search', () => {
  const { quad, namedNode, literal } = dataFactory;
  const one = (n: number, graph?: string) =>
    quad(namedNode(`urn:s${n}`), namedNode('urn:p'), literal(`text ${n}`), graph ? namedNode(graph) : undefined);

  /**
   * An engine whose text index loses the documents, or forgets to remove them, while `fails` says
   * so.
   */
  async function searched() {
    const control = { fails: false };
    const engine = await WorldsEngine.open({
      textIndex: async () => {
        const index = await defaultTextIndex();
        const faulty: TextIndex = Object.create(index, { size: { get: () => index.size } });
        faulty.add = (...args) => (control.fails ? undefined : index.add(...args));
        faulty.remove = (...args) => (control.fails ? undefined : index.remove(...args));
        return faulty;
      },
    });
    await engine.createWorld({ slug: 'w' });
    await engine.write({ source: 'w', insert: [one(1), one(2), one(2, 'urn:g'), one(3, 'urn:g')] });
    return { engine, control };
  }

  it('finds no problems while index and quads agree, through changes of all kinds', async () => {
    const { engine } = await searched();
    expect((await engine.check()).problems).toEqual([]);
    await engine.search({ query: 'text' });
    expect((await engine.check()).problems).toEqual([]);
    await engine.update({
      sources: ['w'],
      query: 'DROP GRAPH <urn:g> ; INSERT DATA { <urn:s> <urn:p> "new", "...", 5, <urn:o> }',
    });
    await engine.createWorld({ slug: 'v' });
    await engine.write({ source: 'v', insert: [one(1)] });
    expect((await engine.check()).problems).toEqual([]);
    await engine.deleteWorld({ source: 'w' });
    expect((await engine.check()).problems).toEqual([]);
  });

  it('finds nothing where nothing is indexed', async () => {
    const engine = await WorldsEngine.open({ textIndex: null });
    await engine.createWorld({ slug: 'w' });
    await engine.write({ source: 'w', insert: [one(1)] });
    await expect(engine.search({ query: 'text' })).rejects.toMatchObject({ code: 'UNSUPPORTED' });
    expect((await engine.check()).problems).toEqual([]);
  });

  it('finds a text index that has fewer texts, or more', async () => {
    const { engine, control } = await searched();
    await engine.search({ query: 'text' });
    control.fails = true;
    await engine.write({ source: 'w', insert: [one(4), one(5)] });
    const problem = (has: number, ought: number) => [
      { namespace: 'default', problem: `The text index has ${has} texts, but should have ${ought}.` },
    ];
    expect((await engine.check()).problems).toEqual(problem(3, 5));
    // The index was discarded: the next search builds it from the quads.
    control.fails = false;
    expect(await engine.search({ query: 'text' })).toHaveLength(5);
    expect((await engine.check()).problems).toEqual([]);
    control.fails = true;
    await engine.write({ source: 'w', delete: [one(1), one(4), one(5)] });
    expect((await engine.check()).problems).toEqual(problem(5, 2));
  });

  it('finds documents that are missing, and those that no quad has', async () => {
    const { engine } = await searched();
    const { NamespaceSearch } = await import('../../../src/search/namespace-search.ts');
    const { apply } = NamespaceSearch.prototype;
    await engine.search({ query: 'text' });
    try {
      NamespaceSearch.prototype.apply = async () => undefined;
      await engine.write({ source: 'w', insert: [one(4)], delete: [one(1)] });
      expect((await engine.check()).problems.map(({ problem }) => problem)).toEqual([
        'The search index lacks the texts of 1 quads.',
        'The search index has 1 texts that no quad has.',
      ]);
    } finally {
      NamespaceSearch.prototype.apply = apply;
    }
  });
});

describe('a check against the storage', () => {
  const differences = (a: Namespace, b: Namespace) => checkSame(a, b, new Slicer());

  it('finds nothing where both are the same', async () => {
    expect(await differences(namespaceOf(runOf(ROWS)), namespaceOf(runOf(ROWS)))).toEqual([]);
  });

  it('finds other quads, and other worlds', async () => {
    const other = namespaceOf(runOf(ROWS.slice(1)));
    expect(await differences(namespaceOf(runOf(ROWS)), other)).toEqual([
      'The quads in the storage differ from those in memory.',
    ]);
    const renamed = namespaceOf(runOf(ROWS));
    const [state] = renamed.worlds.values();
    renamed.restore([{ ...state, record: { ...state.record, label: 'x' } }], 1, 2);
    expect(await differences(namespaceOf(runOf(ROWS)), renamed)).toEqual([
      'The worlds in the storage differ from those in memory.',
    ]);
  });
});
