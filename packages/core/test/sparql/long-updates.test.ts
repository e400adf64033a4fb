import { NaiveUpdateView, SeededRandom } from '@rdf-worlds/testkit';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { PreparedUpdate } from '../../src/contracts/sparql-engine.ts';
import { WorldsEngine } from '../../src/index.ts';
import { nativeEngine } from '../../src/sparql/native-engine.ts';
import { linesOf } from '../engine/world-state.ts';

let engine: WorldsEngine;
beforeEach(async () => {
  engine = await WorldsEngine.open({ textIndex: null });
  for (const slug of ['one', 'each']) await engine.createWorld({ slug });
});
afterEach(() => engine.close());

const repeat = (n: number, operation: (i: number) => string) =>
  Array.from({ length: n }, (_, i) => operation(i)).join(' ;\n');
const SIZES = [50, 200, 800];

/** How many changes a text makes of an empty world. */
async function changesOf(text: string): Promise<number> {
  const view = new NaiveUpdateView([[]]);
  const prepared = (await nativeEngine().prepare(text, {})) as PreparedUpdate;
  await prepared.execute(view, { now: new Date(0) });
  return view.applied.length;
}

describe('an update of many operations', () => {
  it('makes one change of data that nothing reads between', async () => {
    for (const n of SIZES) {
      expect(await changesOf(repeat(n, (i) => `INSERT DATA { <urn:s${i}> <urn:p> 1 }`))).toBe(1);
      expect(await changesOf(repeat(n, (i) => `DELETE DATA { <urn:s${i}> <urn:p> 1 }`))).toBe(1);
    }
    expect(await changesOf('DELETE DATA { <urn:s> <urn:p> 1 } ; INSERT DATA { <urn:s> <urn:p> 1 }')).toBe(1);
    expect(await changesOf('INSERT DATA { <urn:s> <urn:p> 1 } ; DELETE DATA { <urn:s> <urn:p> 1 }')).toBe(2);
    expect(await changesOf('INSERT DATA { <urn:s> <urn:p> 1 } ; CLEAR ALL ; INSERT DATA { <urn:s> <urn:p> 1 }')).toBe(
      3,
    );
  });

  it('creates distinct blank nodes for each operation', async () => {
    const query = repeat(3, () => 'INSERT DATA { [] <urn:p> 1 }');
    expect(await engine.update({ sources: ['one'], query })).toMatchObject({ inserted: 3 });
  });

  it('has the same effect as its operations in separate requests', async () => {
    const graphs = ['<urn:g0>', '<urn:g1>', '<urn:g2>'];
    for (let seed = 0; seed < 12; seed++) {
      const random = new SeededRandom(seed);
      const pick = <T>(items: readonly T[]): T => items[random.below(items.length)];
      const triple = () => `<urn:s${random.below(4)}> <urn:p> ${random.below(3)}`;
      const data = () => (random.below(2) ? `{ ${triple()} }` : `{ GRAPH ${pick(graphs)} { ${triple()} } }`);
      const where = () => (random.below(2) ? '{ ?s <urn:p> 1 }' : `{ GRAPH ${pick([...graphs, '?g'])} { ?s ?p ?o } }`);
      const kinds: readonly (() => string)[] = [
        () => `INSERT DATA ${data()}`,
        () => `INSERT DATA ${data()}`,
        () => `DELETE DATA ${data()}`,
        () => `DELETE WHERE ${where()}`,
        () => `INSERT { GRAPH ${pick(graphs)} { ?s ?p ?o } } WHERE { ?s ?p ?o }`,
        () => `WITH ${pick(graphs)} DELETE { ?s ?p 1 } INSERT { ?s ?p 2 } WHERE { ?s ?p 1 }`,
        () => `CREATE SILENT GRAPH ${pick(graphs)}`,
        () => `${pick(['CLEAR', 'DROP'])} SILENT ${pick(['DEFAULT', 'NAMED', 'ALL', `GRAPH ${pick(graphs)}`])}`,
        () =>
          `${pick(['COPY', 'MOVE', 'ADD'])} SILENT ${pick(['DEFAULT', ...graphs])} TO ${pick(['DEFAULT', ...graphs])}`,
      ];
      const operations = Array.from({ length: 60 }, () => pick(kinds)());
      await engine.update({ sources: ['one'], query: operations.join(' ;\n') });
      for (const query of operations) await engine.update({ sources: ['each'], query });
      expect(await linesOf(engine, 'one'), `seed ${seed}`).toEqual(await linesOf(engine, 'each'));
      const graphsOf = (source: string) =>
        Promise.all(graphs.map((graph) => engine.hasGraph({ source, graph: graph.slice(1, -1) })));
      expect(await graphsOf('one'), `seed ${seed}`).toEqual(await graphsOf('each'));
    }
  });

  it.each([
    ['CLEAR ALL', (_: number) => 'CLEAR ALL'],
    ['CREATE GRAPH', (i: number) => `CREATE GRAPH <urn:g${i}>`],
    [
      'DELETE DATA behind INSERT DATA',
      (i: number) => `INSERT DATA { <urn:s${i}> <urn:p> 1 } ; DELETE DATA { <urn:s> <urn:p> 1 }`,
    ],
  ])('lets others run between operations that wait for nothing: %s', async (_, operation) => {
    // A clock that counts its readings: how fast the machine is does not matter.
    let nowMs = performance.now();
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => (nowMs += 0.1));
    let turns = 0;
    let isDone = false;
    const count = () => {
      turns++;
      if (!isDone) setImmediate(count);
    };
    setImmediate(count);
    await engine.update({ sources: ['one'], query: repeat(6000, operation) }).finally(() => {
      isDone = true;
      clock.mockRestore();
    });
    // At least one reading an operation, and slices of 4 to 8 ms.
    expect(turns).toBeGreaterThan((6000 * 0.1) / 8);
  });

  it('ends between operations when its signal fires, and leaves nothing', async () => {
    const controller = new AbortController();
    setImmediate(() => controller.abort());
    // Far more than a time slice, on a fast machine too.
    const operation = (i: number) => `INSERT DATA { <urn:s${i}> <urn:p> 1 } ; DELETE DATA { <urn:s> <urn:p> 1 }`;
    const query = `INSERT DATA { <urn:s> <urn:p> 1 } ; ${repeat(6000, operation)}`;
    const updating = engine.update({ sources: ['one'], query, signal: controller.signal });
    await expect(updating).rejects.toMatchObject({ code: 'ABORTED' });
    expect(await linesOf(engine, 'one')).toEqual([]);
  });
});
