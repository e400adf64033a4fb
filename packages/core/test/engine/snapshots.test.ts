import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { dataFactory, WorldsEngine } from '../../src/index.ts';
import { NO_TERM, QuadBatch, type QuadSource } from '../../src/plugin.ts';
import { givenStorageIsShared } from './durable/given-storage.ts';
import { Pending } from './pending.ts';
import { ProbeSparqlEngine } from './probe-sparql-engine.ts';
import { dataOf, linesOf } from './world-state.ts';

const { namedNode, literal, quad } = dataFactory;
const one = (n: number, graph?: string) =>
  graph === undefined
    ? quad(namedNode(`urn:s${n}`), namedNode('urn:p'), literal(String(n)))
    : quad(namedNode(`urn:s${n}`), namedNode('urn:p'), literal(String(n)), namedNode(graph));
const many = (from: number, to: number, graph?: string) =>
  Array.from({ length: to - from }, (_, i) => one(from + i, graph));

let probe: ProbeSparqlEngine;
let engine: WorldsEngine;
beforeEach(async () => {
  probe = new ProbeSparqlEngine();
  engine = await WorldsEngine.open({ textIndex: null, sparql: probe });
  await engine.createWorld({ slug: 'w' });
});
afterEach(() => engine.close());

/** The rest of an iterator. */
async function rest<Item>(iterator: AsyncIterator<Item>): Promise<Item[]> {
  const items: Item[] = [];
  for (let step = await iterator.next(); !step.done; step = await iterator.next()) items.push(step.value);
  return items;
}

function rowsOf(source: QuadSource): number {
  const cursor = source.cursor();
  const batch = new QuadBatch(100);
  cursor.seek(NO_TERM, NO_TERM, NO_TERM, NO_TERM);
  let rows = 0;
  while (cursor.next(batch) > 0) rows += batch.length;
  return rows;
}

/** What may happen to a world below a reader. */
const CHANGES: readonly (readonly [string, () => Promise<unknown>])[] = [
  ['an insertion', () => engine.write({ source: 'w', insert: [...many(5000, 5100), ...many(0, 50, 'urn:new')] })],
  [
    'a deletion of everything',
    () => engine.write({ source: 'w', delete: [...many(0, 3000), ...many(0, 500, 'urn:g')] }),
  ],
  [
    'many commits and their merges',
    async () => {
      for (let n = 0; n < 60; n++)
        await engine.write({
          source: 'w',
          insert: many(6000 + 100 * n, 6100 + 100 * n),
          delete: many(20 * n, 20 * n + 40),
        });
      await engine.settle();
    },
  ],
  [
    'an import that is merged in the background',
    async () => {
      await engine.import({ source: 'w', data: many(10_000, 22_000) });
      await engine.settle();
    },
  ],
  ['the end of the world', () => engine.deleteWorld({ source: 'w' })],
  [
    'the end of the world beside another one, and the purge of its rows',
    async () => {
      await engine.createWorld({ slug: 'other' });
      await engine.deleteWorld({ source: 'w' });
      await engine.import({ source: 'other', data: many(0, 100) });
      await engine.settle();
    },
  ],
  [
    'another world in its place',
    async () => {
      await engine.deleteWorld({ source: 'w' });
      await engine.createWorld({ slug: 'w' });
      await engine.import({ source: 'w', data: many(8000, 8100) });
    },
  ],
  ['the end of the engine', () => engine.close()],
];

describe('a reader that has begun sees its own state to the end, through', () => {
  it.each(CHANGES)('%s', async (_, change) => {
    await engine.import({ source: 'w', data: [...many(0, 3000), ...many(0, 500, 'urn:g')] });
    const whole = await dataOf(engine, 'w');

    const quads = engine.quads({ source: 'w' })[Symbol.asyncIterator]();
    const first = await quads.next();
    const pattern = engine
      .quads({ source: 'w', predicate: namedNode('urn:p'), graph: namedNode('urn:g') })
      [Symbol.asyncIterator]();
    await pattern.next();
    const chunks = engine.exportStream({ source: 'w' })[Symbol.asyncIterator]();
    const turtle = engine.exportStream({ source: 'w', contentType: 'application/trig' });

    await change();

    expect(first.done).toBe(false);
    expect(new Set((await rest(quads)).map(({ subject, graph }) => `${subject.value} ${graph.value}`)).size).toBe(3499);
    expect(await rest(pattern)).toHaveLength(499);
    expect(Buffer.concat(await rest(chunks)).toString()).toBe(whole);
    await using copy = await WorldsEngine.open({ textIndex: null });
    await copy.createWorld({ slug: 'copy' });
    expect(await copy.import({ source: 'copy', data: turtle, contentType: 'application/trig' })).toMatchObject({
      quads: 3500,
    });
  });
});

describe('a reader sees the state at its call', () => {
  it('quads()', async () => {
    await engine.import({ source: 'w', data: many(0, 10) });
    const quads = engine.quads({ source: 'w' });
    await engine.write({ source: 'w', insert: many(10, 20) });
    expect(await rest(quads[Symbol.asyncIterator]())).toHaveLength(10);
  });

  it('exportStream()', async () => {
    await engine.import({ source: 'w', data: many(0, 10) });
    const chunks = engine.exportStream({ source: 'w' });
    await engine.write({ source: 'w', insert: many(10, 20) });
    expect(
      Buffer.concat(await rest(chunks[Symbol.asyncIterator]()))
        .toString()
        .split('\n'),
    ).toHaveLength(11);
  });

  it('worlds()', async () => {
    const worlds = engine.worlds();
    await engine.createWorld({ slug: 'later' });
    expect((await rest(worlds)).map(({ slug }) => slug)).toEqual(['w']);
  });
});

describe('a query sees every commit whole or not at all', () => {
  const NEW = [...many(0, 10), ...many(0, 10, 'urn:new')];

  // A query over several namespaces runs in the one with the most terms; the others are copied to
  // it.
  it.each([
    ['of one world', ['w'], 'default'],
    ['of a collection', undefined, 'default'],
    ['of two worlds', ['w', 'v'], 'default'],
    ['of two namespaces, in that of the commit', ['w', 'elsewhere/v'], 'default'],
    ['of two namespaces, in the other one', ['w', 'elsewhere/v'], 'elsewhere'],
  ] as const)('%s, when the commit comes while its text is prepared', async (_, sources, largest) => {
    await engine.createWorld({ slug: 'v' });
    await engine.createWorld({ slug: 'v', namespace: 'elsewhere' });
    if (sources) {
      await engine.createWorld({ slug: 'padding', namespace: largest });
      await engine.import({ source: `${largest}/padding`, data: many(1000, 1300) });
    }
    const gate = new Pending();
    const begun = new Pending();
    probe.preparing = () => {
      begun.resolve();
      return gate.promise;
    };
    let rows = -1;
    probe.look = (source) => {
      rows = rowsOf(source);
      return true;
    };
    const query = engine.ask({ sources, query: 'ASK' });
    await begun.promise;
    await engine.write({ source: 'w', insert: NEW });
    gate.resolve();
    await query;
    expect([0, 20]).toContain(rows);
  });

  it('when its world is deleted while the text is prepared: the old data or NOT_FOUND, not a part of it', async () => {
    await engine.createWorld({ slug: 'v' });
    await engine.import({ source: 'w', data: [...many(0, 5000), ...many(0, 100, 'urn:g')] });
    const gate = new Pending();
    const begun = new Pending();
    probe.preparing = () => {
      begun.resolve();
      return gate.promise;
    };
    let rows = -1;
    probe.look = (source) => {
      rows = rowsOf(source);
      return true;
    };
    const query = engine.ask({ sources: ['w'], query: 'ASK' }).catch((error: { code: string }) => error.code);
    await begun.promise;
    await engine.deleteWorld({ source: 'w' });
    await engine.settle();
    gate.resolve();
    if ((await query) !== 'NOT_FOUND') expect(rows).toBe(5100);
  });

  it('while it runs, through merges too', async () => {
    await engine.import({ source: 'w', data: [...many(0, 3000), ...many(0, 500, 'urn:g')] });
    const gate = new Pending();
    const begun = new Pending();
    const counts: number[] = [];
    probe.look = async (source) => {
      counts.push(rowsOf(source), source.count(NO_TERM, NO_TERM, NO_TERM, NO_TERM));
      begun.resolve();
      await gate.promise;
      counts.push(rowsOf(source), source.count(NO_TERM, NO_TERM, NO_TERM, NO_TERM));
      return true;
    };
    const query = engine.ask({ sources: ['w'], query: 'ASK' });
    await begun.promise;
    for (const [, change] of CHANGES.slice(0, 4)) await change();
    await engine.deleteWorld({ source: 'w' });
    await engine.settle();
    gate.resolve();
    await query;
    expect(counts).toEqual([3500, 3500, 3500, 3500]);
  });
});

describe('an update', () => {
  const columns = (view: { source: QuadSource }, quads: readonly ReturnType<typeof one>[]) => {
    const { terms } = view.source;
    return {
      length: quads.length,
      subject: Uint32Array.from(quads, ({ subject }) => terms.intern(subject)),
      predicate: Uint32Array.from(quads, ({ predicate }) => terms.intern(predicate)),
      object: Uint32Array.from(quads, ({ object }) => terms.intern(object)),
      graph: Uint32Array.from(quads, ({ graph }) => terms.intern(graph)),
    };
  };

  it('sees its own operations; others see them only when all are done', async () => {
    await engine.import({ source: 'w', data: many(0, 10) });
    const counts: number[] = [];
    probe.change = async (view) => {
      await view.apply({ inserted: columns(view, many(10, 20, 'urn:new')) });
      counts.push(rowsOf(view.source), rowsOf(view.target), view.targetGraphs.length);
      expect(await linesOf(engine, 'w')).toHaveLength(10);
      await view.apply({ deleted: columns(view, many(0, 5)) });
      counts.push(rowsOf(view.source));
      expect(await linesOf(engine, 'w')).toHaveLength(10);
    };
    expect(await engine.update({ sources: ['w'], query: 'UPDATE' })).toMatchObject({ inserted: 10, deleted: 5 });
    expect(counts).toEqual([20, 20, 1, 15]);
    expect(await linesOf(engine, 'w')).toHaveLength(15);
  });

  it('that fails after some operations leaves nothing', async () => {
    await engine.import({ source: 'w', data: many(0, 10) });
    const before = { record: await engine.getWorld({ source: 'w' }), data: await dataOf(engine, 'w') };
    const boom = new Error('boom');
    probe.change = async (view) => {
      await view.apply({ inserted: columns(view, many(10, 20, 'urn:new')), deleted: columns(view, many(0, 5)) });
      throw boom;
    };
    await expect(engine.update({ sources: ['w'], query: 'UPDATE' })).rejects.toBe(boom);
    expect({ record: await engine.getWorld({ source: 'w' }), data: await dataOf(engine, 'w') }).toEqual(before);
    expect(await engine.write({ source: 'w', insert: many(10, 20, 'urn:new') })).toMatchObject({ inserted: 10 });
  });

  it('that restores what it deleted, or creates and drops a graph, changes nothing', async () => {
    await engine.import({ source: 'w', data: many(0, 10) });
    const before = await engine.getWorld({ source: 'w' });
    probe.change = async (view) => {
      await view.apply({ deleted: columns(view, many(0, 5)) });
      await view.apply({ inserted: columns(view, many(0, 5)) });
      const graph = view.source.terms.intern(namedNode('urn:new'));
      await view.apply({ createdGraphs: [graph] });
      await view.apply({ droppedGraphs: [graph] });
    };
    expect(await engine.update({ sources: ['w'], query: 'UPDATE' })).toMatchObject({ inserted: 0, deleted: 0 });
    expect(await engine.getWorld({ source: 'w' })).toEqual(before);
  });

  it('drops a graph and makes it again in one request', async () => {
    await engine.import({ source: 'w', data: [...many(0, 10, 'urn:g'), ...many(0, 3)] });
    probe.change = async (view) => {
      const graph = view.source.terms.intern(namedNode('urn:g'));
      await view.apply({ droppedGraphs: [graph] });
      expect(view.hasTargetGraph(graph)).toBe(false);
      expect(rowsOf(view.target)).toBe(3);
      await view.apply({ inserted: columns(view, many(8, 12, 'urn:g')) });
      expect(view.hasTargetGraph(graph)).toBe(true);
    };
    expect(await engine.update({ sources: ['w'], query: 'UPDATE' })).toMatchObject({ inserted: expect.any(Number) });
    expect(await linesOf(engine, 'w')).toHaveLength(7);
    await engine.import({ source: 'w', data: many(0, 20, 'urn:g') });
    await engine.settle();
    expect(await linesOf(engine, 'w')).toHaveLength(23);
  });

  it('that drops a graph below a running import: the import makes it again', async () => {
    await engine.import({ source: 'w', data: many(0, 10, 'urn:g') });
    const gate = new Pending();
    const begun = new Pending();
    const data = (async function* () {
      yield one(20, 'urn:g');
      begun.resolve();
      await gate.promise;
      yield one(0, 'urn:g');
    })();
    const running = engine.import({ source: 'w', data });
    await begun.promise;
    probe.change = (view) => view.apply({ droppedGraphs: [view.source.terms.intern(namedNode('urn:g'))] });
    await engine.update({ sources: ['w'], query: 'UPDATE' });
    gate.resolve();
    expect(await running).toMatchObject({ quads: 2, inserted: 2 });
    await engine.settle();
    expect(await linesOf(engine, 'w')).toHaveLength(2);
  });

  it('copies the blank nodes of other worlds: one new node for each, in both namespaces', async () => {
    await engine.createWorld({ slug: 'v' });
    await engine.createWorld({ slug: 'v', namespace: 'elsewhere' });
    await engine.import({ source: 'v', data: '_:a <urn:p> _:b .\n_:b <urn:p> <<( _:a <urn:p> "x" )>> .' });
    await engine.import({ source: 'elsewhere/v', data: '_:a <urn:q> _:a _:a .' });
    probe.change = async (view) => {
      for (let round = 0; round < 2; round++) {
        const cursor = view.source.cursor();
        const batch = new QuadBatch();
        cursor.seek(NO_TERM, NO_TERM, NO_TERM, NO_TERM);
        cursor.next(batch);
        await view.apply({ inserted: batch });
        if (round === 0) expect(rowsOf(view.target)).toBe(3);
      }
    };
    await engine.update({ sources: [{ slug: 'w', write: true }, 'v', 'elsewhere/v'], query: 'UPDATE' });
    expect(await linesOf(engine, 'w')).toHaveLength(3);
    const labels = async (source: string) => new Set((await dataOf(engine, source)).match(/_:\w+/g));
    const own = await labels('w');
    expect(own.size).toBe(3);
    for (const other of [...(await labels('v')), ...(await labels('elsewhere/v'))]) expect(own.has(other)).toBe(false);
  });

  it.each([
    ['is deleted', false, async (source: string) => engine.deleteWorld({ source })],
    [
      'is deleted and made again',
      true,
      async (source: string) => {
        await engine.deleteWorld({ source });
        const [namespace, slug] = source.split('/');
        await engine.createWorld({ namespace, slug });
        await engine.import({ source, data: many(900, 950) });
      },
    ],
  ])('whose source %s while it waits for its turn is NOT_FOUND, and writes nothing', async (_, isMadeAgain, change) => {
    const isShared = givenStorageIsShared();
    for (const source of ['default/v', 'elsewhere/v']) {
      const [namespace, slug] = source.split('/');
      await engine.createWorld({ namespace, slug });
      await engine.createWorld({ namespace, slug: 'keeps-the-namespace', ifExists: 'return' });
      await engine.import({ source, data: many(0, 10) });
      const gate = new Pending();
      const begun = new Pending();
      probe.change = () => {
        begun.resolve();
        return gate.promise;
      };
      const running = engine.update({ sources: ['w'], query: 'UPDATE' });
      await begun.promise;
      let rows = -1;
      probe.change = (view) => {
        rows = rowsOf(view.source);
      };
      const waiting = engine.update({ sources: [{ slug: 'w', write: true }, source], query: 'UPDATE' });
      const outcome = waiting.then(
        () => `done with ${rows} rows`,
        (error) => error.code as string,
      );
      // In the namespace of the update the change waits for the lock too, but was there before it.
      const changed = change(source);
      if (namespace === 'elsewhere') await changed;
      gate.resolve();
      await running;
      // On a storage that others may write to, an update whose source is gone looks again, and may
      // find the new world: empty, or after its import.
      const again = isShared && isMadeAgain ? ['done with 0 rows', 'done with 50 rows'] : [];
      expect(['NOT_FOUND', ...again]).toContain(await outcome);
      await changed;
      await engine.deleteWorld({ source }).catch(() => undefined);
    }
  });

  it('stops immediately when aborted while it waits for its turn', async () => {
    const gate = new Pending();
    const begun = new Pending();
    probe.change = () => {
      begun.resolve();
      return gate.promise;
    };
    const running = engine.update({ sources: ['w'], query: 'UPDATE' });
    await begun.promise;
    const controller = new AbortController();
    const waiting = [
      engine.write({ source: 'w', insert: many(0, 1), signal: controller.signal }),
      engine.import({ source: 'w', data: many(0, 1), signal: controller.signal }),
      engine.update({ sources: ['w'], query: 'UPDATE', signal: controller.signal }),
      engine.update({ sources: ['w'], query: 'UPDATE', timeoutMs: 5 }),
    ].map((call) =>
      call.then(
        () => 'done',
        (error) => error.code as string,
      ),
    );
    controller.abort();
    const outcomes = await Promise.race([
      Promise.all(waiting),
      new Promise<string>((resolve) => setTimeout(() => resolve('still waiting'), 300)),
    ]);
    gate.resolve();
    await Promise.all([running, ...waiting]);
    expect(outcomes).toEqual(['ABORTED', 'ABORTED', 'ABORTED', 'TIMEOUT']);
    expect(await linesOf(engine, 'w')).toEqual([]);
  });

  it('may have a time limit of weeks', async () => {
    probe.look = () => new Promise((resolve) => setTimeout(() => resolve(true), 20));
    const signalled: boolean[] = [];
    const look = probe.look;
    probe.look = async (source, options) => {
      const value = await look(source, options);
      signalled.push(options.signal!.aborted);
      return value;
    };
    expect(await engine.ask({ sources: ['w'], query: 'ASK', timeoutMs: 2 ** 31 })).toBe(true);
    expect(signalled).toEqual([false]);
  });
});
