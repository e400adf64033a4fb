import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { dataFactory, type ImportData, WorldsEngine } from '../../src/index.ts';
import { Pending } from './pending.ts';
import { linesOf, stateOf } from './world-state.ts';

const { namedNode, literal, quad } = dataFactory;
const line = (n: number, graph = '') => `<urn:s${n}> <urn:p> "${n}" ${graph}.\n`;
const lines = (from: number, to: number, graph = '') =>
  Array.from({ length: to - from }, (_, i) => line(from + i, graph)).join('');
const bytes = (text: string) => new TextEncoder().encode(text);

let now = 1000;
let engine: WorldsEngine;
beforeEach(async () => {
  now = 1000;
  engine = await WorldsEngine.open({ textIndex: null, clock: () => now });
  await engine.createWorld({ slug: 'w' });
  await engine.import({ source: 'w', data: `${lines(0, 50)}${lines(0, 20, '<urn:g> ')}_:b <urn:p> _:b _:b .` });
  now = 2000;
});
afterEach(() => engine.close());

/** Rejects when `promise` does not settle in time: a hanging call must fail a test, not stop it. */
async function soon<Result>(promise: Promise<Result>, milliseconds = 1000): Promise<Result> {
  const timer = new Pending<never>();
  const timeout = setTimeout(() => timer.reject(new Error('The call hangs.')), milliseconds);
  try {
    return await Promise.race([promise, timer.promise]);
  } finally {
    clearTimeout(timeout);
  }
}

describe('an import that fails leaves nothing', () => {
  const boom = new Error('the stream broke');
  const failures: readonly (readonly [string, () => ImportData, object])[] = [
    [
      'a broken last line',
      () => `${lines(0, 1000, '<urn:new> ')}<urn:s> <urn:p>`,
      { code: 'INVALID_RDF', location: { line: 1001, column: 16 } },
    ],
    ['a broken first line', () => `oops\n${lines(0, 1000)}`, { code: 'INVALID_RDF', location: { line: 1, column: 1 } }],
    [
      'a stream that throws at once',
      () => ({ [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(boom) }) }) as ImportData,
      boom,
    ],
    [
      'a stream that throws later',
      async function* () {
        yield bytes(lines(0, 1000, '<urn:new> '));
        throw boom;
      } as () => ImportData,
      boom,
    ],
    [
      'quads that throw later',
      function* () {
        yield quad(namedNode('urn:new'), namedNode('urn:p'), literal('x'));
        throw boom;
      } as () => ImportData,
      boom,
    ],
    [
      'async quads that throw later',
      async function* () {
        yield quad(namedNode('urn:new'), namedNode('urn:p'), literal('x'));
        throw boom;
      } as () => ImportData,
      boom,
    ],
    [
      'bytes that are not UTF-8',
      () => Uint8Array.from([...bytes(line(77)), 0x23, 0xff, 0x0a]),
      { code: 'INVALID_RDF', location: { line: 2, column: 2 } },
    ],
  ];

  it.each(failures)('%s', async (_, data, error) => {
    const before = await stateOf(engine, 'w');
    await expect(engine.import({ source: 'w', data: data() })).rejects.toMatchObject(error);
    expect(await stateOf(engine, 'w')).toEqual(before);
    // And the lock is free again.
    expect(await engine.import({ source: 'w', data: line(1000) })).toMatchObject({ inserted: 1 });
  });

  it('a progress report that throws', async () => {
    const before = await stateOf(engine, 'w');
    const onProgress = () => {
      throw boom;
    };
    await expect(engine.import({ source: 'w', data: lines(100, 200), onProgress })).rejects.toBe(boom);
    expect(await stateOf(engine, 'w')).toEqual(before);
  });

  it('another revision than expected, and the right one goes through', async () => {
    const before = await stateOf(engine, 'w');
    const revision = before.record!.revision;
    for (const ifRevision of [0, revision - 1, revision + 1]) {
      await expect(engine.import({ source: 'w', data: line(100), ifRevision })).rejects.toMatchObject({
        code: 'CONFLICT',
      });
    }
    expect(await stateOf(engine, 'w')).toEqual(before);
    const done = await engine.import({ source: 'w', data: line(100), ifRevision: revision });
    expect(done).toMatchObject({ inserted: 1 });
    expect(done.revision).toBeGreaterThan(revision);
  });

  it('a revision that moves while the import reads', async () => {
    const { revision } = (await engine.getWorld({ source: 'w' }))!;
    const gate = new Pending();
    const data = (async function* () {
      yield bytes(line(100));
      await gate.promise;
    })();
    const running = engine.import({ source: 'w', data, ifRevision: revision });
    const done = await engine.write({
      source: 'w',
      insert: [quad(namedNode('urn:x'), namedNode('urn:p'), literal('y'))],
    });
    const before = await stateOf(engine, 'w');
    gate.resolve();
    await expect(running).rejects.toMatchObject({
      code: 'CONFLICT',
      message: expect.stringContaining(String(done.revision)),
    });
    expect(await stateOf(engine, 'w')).toEqual(before);
  });

  it('and of two imports that expect the same revision exactly one goes through', async () => {
    const { revision } = (await engine.getWorld({ source: 'w' }))!;
    const outcomes = await Promise.allSettled(
      [100, 200, 300].map((n) => engine.import({ source: 'w', data: line(n), ifRevision: revision })),
    );
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected', 'rejected']);
    expect(await linesOf(engine, 'w')).toHaveLength(72);
  });
});

describe('an import that is aborted leaves nothing', () => {
  it('before it began, and reads nothing', async () => {
    const before = await stateOf(engine, 'w');
    let read = false;
    const data = (async function* () {
      read = true;
      yield bytes(line(100));
    })();
    const reason = new Error('no longer needed');
    await expect(engine.import({ source: 'w', data, signal: AbortSignal.abort(reason) })).rejects.toMatchObject({
      code: 'ABORTED',
      cause: reason,
    });
    expect(read).toBe(false);
    expect(await stateOf(engine, 'w')).toEqual(before);
  });

  it('at any chunk, and releases its source', async () => {
    for (const stopAt of [0, 1, 5, 9]) {
      const before = await stateOf(engine, 'w');
      const controller = new AbortController();
      let released = false;
      const data = (async function* () {
        try {
          for (let i = 0; i < 10; i++) {
            if (i === stopAt) controller.abort();
            yield bytes(lines(100 * i, 100 * i + 100, `<urn:new${i}> `));
          }
        } finally {
          released = true;
        }
      })();
      await expect(engine.import({ source: 'w', data, signal: controller.signal })).rejects.toMatchObject({
        code: 'ABORTED',
      });
      expect(released).toBe(true);
      expect(await stateOf(engine, 'w')).toEqual(before);
    }
  });

  it('after the last byte, before the commit', async () => {
    const before = await stateOf(engine, 'w');
    const controller = new AbortController();
    const onProgress = ({ quads }: { quads: number }) => {
      if (quads === 100) controller.abort();
    };
    await expect(
      engine.import({ source: 'w', data: lines(100, 200), signal: controller.signal, onProgress }),
    ).rejects.toMatchObject({ code: 'ABORTED' });
    expect(await stateOf(engine, 'w')).toEqual(before);
  });

  it('in the middle of quads without end', async () => {
    const before = await stateOf(engine, 'w');
    const controller = new AbortController();
    setTimeout(() => controller.abort(), 30);
    let released = false;
    const data = (async function* () {
      try {
        for (let i = 0; ; i++) yield quad(namedNode(`urn:s${i % 1000}`), namedNode('urn:p'), literal('x'));
      } finally {
        released = true;
      }
    })();
    await expect(soon(engine.import({ source: 'w', data, signal: controller.signal }))).rejects.toMatchObject({
      code: 'ABORTED',
    });
    expect(released).toBe(true);
    expect(await stateOf(engine, 'w')).toEqual(before);
  });

  it.each([
    ['bytes', () => bytes(line(100))],
    ['quads', () => quad(namedNode('urn:s'), namedNode('urn:p'), literal('x'))],
  ])('while it waits for %s that do not come', async (_, item) => {
    const before = await stateOf(engine, 'w');
    const controller = new AbortController();
    const stalled = new Pending();
    const data = (async function* () {
      yield item() as never;
      setTimeout(() => controller.abort(), 5);
      await stalled.promise;
    })();
    try {
      await expect(soon(engine.import({ source: 'w', data, signal: controller.signal }))).rejects.toMatchObject({
        code: 'ABORTED',
      });
    } finally {
      stalled.resolve();
    }
    expect(await stateOf(engine, 'w')).toEqual(before);
  });

  it('by the deadline of its signal: TIMEOUT', async () => {
    const data = (async function* () {
      for (let i = 0; ; i++) {
        yield bytes(line(i));
        await new Promise((resolve) => setTimeout(resolve, 2));
      }
    })();
    await expect(soon(engine.import({ source: 'w', data, signal: AbortSignal.timeout(20) }))).rejects.toMatchObject({
      code: 'TIMEOUT',
    });
  });
});

describe('the progress of an import', () => {
  it('grows to the quads and bytes of the document', async () => {
    const data = bytes(lines(0, 60_000));
    const seen: { quads: number; bytes: number }[] = [];
    const result = await engine.import({ source: 'w', data, onProgress: (progress) => seen.push({ ...progress }) });
    expect(result).toMatchObject({ quads: 60_000, inserted: 59_950 });
    expect(seen.length).toBeGreaterThan(1);
    expect(seen.at(-1)).toEqual({ quads: 60_000, bytes: data.length });
    for (let i = 1; i < seen.length; i++) {
      expect(seen[i].quads).toBeGreaterThanOrEqual(seen[i - 1].quads);
      expect(seen[i].bytes).toBeGreaterThanOrEqual(seen[i - 1].bytes);
    }
  });

  it('has no bytes for quads', async () => {
    const seen: { quads: number; bytes: number }[] = [];
    const data = Array.from({ length: 1000 }, (_, i) =>
      quad(namedNode('urn:s'), namedNode('urn:p'), literal(String(i))),
    );
    await engine.import({ source: 'w', data, onProgress: (progress) => seen.push({ ...progress }) });
    expect(seen.at(-1)).toEqual({ quads: 1000, bytes: 0 });
  });
});

describe('imports side by side', () => {
  it('of the same data into new graphs of one world count every quad once in all', async () => {
    await engine.createWorld({ slug: 'shared' });
    const data = `${lines(0, 300)}${lines(0, 300, '<urn:new> ')}<urn:s> <urn:p> <<( <urn:s> <urn:new> "x"@en )>> <urn:new> .`;
    const results = await Promise.all(Array.from({ length: 8 }, () => engine.import({ source: 'shared', data })));
    expect(results.reduce((sum, { inserted }) => sum + inserted, 0)).toBe(601);
    expect(results.map(({ quads }) => quads)).toEqual(Array(8).fill(601));
    expect(await linesOf(engine, 'shared')).toHaveLength(601);
    const graphs = [];
    for await (const found of engine.quads({ source: 'shared', graph: namedNode('urn:new') })) graphs.push(found);
    expect(graphs).toHaveLength(301);
  });

  it('that overlap, chunk by chunk in turn, come to the union', async () => {
    await engine.createWorld({ slug: 'shared' });
    const ranges = [
      [0, 200],
      [100, 300],
      [50, 60],
      [250, 400],
      [0, 400],
    ] as const;
    const results = await Promise.all(
      ranges.map(([from, to]) => {
        const data = (async function* () {
          for (let n = to - 1; n >= from; n--) {
            if (n % 7 === 0) await new Promise((resolve) => setImmediate(resolve));
            yield bytes(line(n, n % 2 ? '' : `<urn:g${n % 6}> `));
          }
        })();
        return engine.import({ source: 'shared', data });
      }),
    );
    expect(results.reduce((sum, { inserted }) => sum + inserted, 0)).toBe(400);
    expect(await linesOf(engine, 'shared')).toEqual(
      Array.from({ length: 400 }, (_, n) => line(n, n % 2 ? '' : `<urn:g${n % 6}> `).trimEnd()).sort(),
    );
  });

  it.each([
    ['is deleted', async () => engine.deleteWorld({ source: 'w' })],
    [
      'is deleted and made again',
      async () => {
        await engine.deleteWorld({ source: 'w' });
        await engine.createWorld({ slug: 'w' });
      },
    ],
    [
      'is deleted and made again beside another world',
      async () => {
        await engine.createWorld({ slug: 'other' });
        await engine.deleteWorld({ source: 'w' });
        await engine.createWorld({ slug: 'w' });
      },
    ],
    [
      'goes with its namespace',
      async () => {
        await engine.deleteNamespace({ namespace: 'default' });
        await engine.createWorld({ slug: 'w' });
      },
    ],
  ])('into a world that %s meanwhile: NOT_FOUND, and the new world stays empty', async (_, change) => {
    const gate = new Pending();
    const begun = new Pending();
    const data = (async function* () {
      yield bytes(line(100));
      begun.resolve();
      await gate.promise;
      yield bytes(line(101));
    })();
    const running = engine.import({ source: 'w', data });
    await begun.promise;
    await change();
    gate.resolve();
    await expect(running).rejects.toMatchObject({ code: 'NOT_FOUND' });
    if (await engine.getWorld({ source: 'w' })) expect(await linesOf(engine, 'w')).toEqual([]);
  });

  it('do not wait for one another while they read', async () => {
    const gate = new Pending();
    const slow = engine.import({
      source: 'w',
      data: (async function* () {
        await gate.promise;
        yield bytes(line(100));
      })(),
    });
    await soon(engine.import({ source: 'w', data: line(101) }));
    await soon(engine.write({ source: 'w', insert: [quad(namedNode('urn:x'), namedNode('urn:p'), literal('y'))] }));
    gate.resolve();
    expect(await slow).toMatchObject({ inserted: 1 });
  });
});

describe('the blank nodes of imports', () => {
  const DOCUMENT = '_:a <urn:p> _:b .\n_:a <urn:p> _:b <urn:g> .\n<urn:s> <urn:p> <<( _:a <urn:q> _:b )>> _:a .';

  it('are the same node for the same label in all graphs and triple terms of one document', async () => {
    await engine.createWorld({ slug: 'b' });
    await engine.import({ source: 'b', data: DOCUMENT });
    expect(await linesOf(engine, 'b')).toEqual(
      ['_:0 <urn:p> _:1 .', '_:0 <urn:p> _:1 <urn:g> .', '<urn:s> <urn:p> <<( _:0 <urn:q> _:1 )>> _:0 .'].sort(),
    );
  });

  it('are new in every import, of documents and of quads, and in every world', async () => {
    const labels = new Set<string>();
    let nodes = 0;
    for (const slug of ['b', 'c']) {
      await engine.createWorld({ slug });
      for (let i = 0; i < 3; i++)
        expect(await engine.import({ source: slug, data: DOCUMENT })).toMatchObject({ inserted: 3 });
      const own = [];
      for await (const one of engine.quads({ source: slug })) own.push(one);
      expect(await engine.import({ source: slug, data: own })).toMatchObject({ quads: 9, inserted: 9 });
      for await (const { subject } of engine.quads({ source: slug, predicate: namedNode('urn:p') })) {
        if (subject.termType === 'BlankNode') labels.add(`${slug} ${subject.value}`);
      }
      nodes += 6;
    }
    expect(labels.size).toBe(nodes);
    expect(new Set([...labels].map((label) => label.split(' ')[1])).size).toBe(nodes);
  });

  it('have nothing to do with a node of the store whose label the document happens to use', async () => {
    await engine.createWorld({ slug: 'b' });
    await engine.import({ source: 'b', data: '_:a <urn:p> "x" .' });
    const document = await engine.export({ source: 'b' });
    expect(await engine.import({ source: 'b', data: document })).toMatchObject({ quads: 1, inserted: 1 });
  });

  it('have labels that every RDF syntax takes, and that say nothing about how many there are', async () => {
    await engine.createWorld({ slug: 'b' });
    await engine.import({ source: 'b', data: DOCUMENT });
    for await (const { subject } of engine.quads({ source: 'b', predicate: namedNode('urn:p') })) {
      if (subject.termType === 'BlankNode') expect(subject.value).toMatch(/^[A-Za-z][A-Za-z0-9]{20,}$/);
    }
  });
});
