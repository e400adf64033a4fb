import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dataFactory, WorldsEngine } from '../../src/index.ts';
import { linesOf } from './world-state.ts';

const GRAPHS = ['', 'urn:g0', 'urn:g1', 'urn:g2'] as const;
const graphOf = (name: string) => (name === '' ? dataFactory.defaultGraph() : name);

const triple = fc.tuple(fc.nat(4), fc.nat(2), fc.nat(4)).map(([s, p, o]) => `<urn:s${s}> <urn:p${p}> "${o}"`);
const triples = fc.array(triple, { maxLength: 25 });
const graph = fc.constantFrom(...GRAPHS);
const quads = fc.array(fc.tuple(triple, graph), { maxLength: 25 });
const mode = fc.constantFrom('merge' as const, 'replace' as const);
const step = fc.oneof(
  fc.record({ do: fc.constant('graph' as const), graph, mode, triples }),
  fc.record({ do: fc.constant('broken' as const), graph, mode, triples }),
  fc.record({ do: fc.constant('world' as const), mode, quads }),
  fc.record({ do: fc.constant('delete' as const), graph }),
  fc.record({ do: fc.constant('settle' as const) }),
);

/** A world as a map of sets: the graphs that it has, each with its triples. */
type Model = Map<string, Set<string>>;

function modelLines(model: Model): string[] {
  return [...model].flatMap(([name, all]) => [...all].map((one) => `${one} ${name && `<${name}> `}.`)).sort();
}

describe('graphs behave like sets of triples', () => {
  it('through merges, replacements of graphs and of the world, failures and deletions', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
        await using engine = await WorldsEngine.open({ textIndex: null });
        // The neighbour shares terms, runs and background merges with the world, and must never be
        // touched.
        for (const slug of ['w', 'neighbour']) await engine.createWorld({ slug });
        const neighbour = '<urn:s0> <urn:p0> "0" .\n<urn:s0> <urn:p0> "0" <urn:g0> .\n';
        await engine.import({ source: 'neighbour', data: neighbour });
        let model: Model = new Map([['', new Set<string>()]]);
        const source = 'w';
        for (const one of steps) {
          const before = modelLines(model);
          if (one.do === 'graph') {
            const isNew = !model.has(one.graph);
            const old = model.get(one.graph) ?? new Set();
            const now = new Set([...(one.mode === 'merge' ? old : []), ...one.triples]);
            const data = one.triples.map((each) => `${each} .\n`).join('');
            const done = await engine.import({ source, graph: graphOf(one.graph), mode: one.mode, data });
            model.set(one.graph, now);
            expect(done).toMatchObject({
              quads: one.triples.length,
              inserted: [...now].filter((each) => !old.has(each)).length,
              deleted: [...old].filter((each) => !now.has(each)).length,
              createdGraphs: isNew ? 1 : 0,
            });
            const exported = new TextDecoder().decode(await engine.export({ source, graph: graphOf(one.graph) }));
            expect(exported.split('\n').slice(0, -1).sort()).toEqual([...now].map((each) => `${each} .`).sort());
          } else if (one.do === 'world') {
            const now: Model = one.mode === 'merge' ? structuredClone(model) : new Map([['', new Set()]]);
            for (const [each, name] of one.quads) now.set(name, (now.get(name) ?? new Set()).add(each));
            const data = one.quads.map(([each, name]) => `${each} ${name && `<${name}> `}.\n`).join('');
            const done = await engine.import({ source, mode: one.mode, data });
            const after = modelLines(now);
            expect(done).toMatchObject({
              inserted: after.filter((each) => !before.includes(each)).length,
              deleted: before.filter((each) => !after.includes(each)).length,
              createdGraphs: [...now.keys()].filter((name) => !model.has(name)).length,
            });
            model = now;
          } else if (one.do === 'broken') {
            const data = `${one.triples.map((each) => `${each} .\n`).join('')}<urn:s> <urn:p> .\n`;
            const request = { source, graph: graphOf(one.graph), mode: one.mode, data };
            await expect(engine.import(request)).rejects.toMatchObject({ code: 'INVALID_RDF' });
          } else if (one.do === 'delete') {
            const deleting = engine.deleteGraph({ source, graph: graphOf(one.graph) });
            const old = model.get(one.graph);
            if (!old) await expect(deleting).rejects.toMatchObject({ code: 'NOT_FOUND' });
            else expect(await deleting).toMatchObject({ deleted: old.size });
            model.delete(one.graph);
            if (one.graph === '') model.set('', new Set());
          } else {
            await engine.settle();
          }
          expect(await linesOf(engine, 'w')).toEqual(modelLines(model));
        }
        for (const name of GRAPHS)
          expect(await engine.hasGraph({ source, graph: graphOf(name) })).toBe(model.has(name));
        expect(await linesOf(engine, 'neighbour')).toEqual(neighbour.split('\n').slice(0, -1).sort());
        expect((await engine.stats()).quads).toBe(modelLines(model).length + 2);
      }),
      { numRuns: 150, seed: 11_8 },
    );
  });
});
