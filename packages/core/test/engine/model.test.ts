import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dataFactory, WorldsEngine } from '../../src/index.ts';

const { namedNode, literal, quad, defaultGraph } = dataFactory;
const term = (kind: string, n: number) => namedNode(`http://example.org/${kind}${n}`);
const GRAPHS = [defaultGraph(), term('g', 0), term('g', 1)];

type Row = readonly [s: number, p: number, o: number, g: number];
const toQuad = ([s, p, o, g]: Row) =>
  quad(term('s', s), term('p', p), o % 2 ? literal(`value ${o}`) : term('s', o), GRAPHS[g]);
const keyOf = (q: ReturnType<typeof toQuad>) =>
  [q.subject, q.predicate, q.object, q.graph].map((t) => `${t.termType} ${t.value}`).join(' | ');

const row = fc.tuple(fc.nat(6), fc.nat(3), fc.nat(6), fc.nat(2));
const rows = fc.array(row, { maxLength: 30 });
const step = fc.oneof(
  fc.record({ do: fc.constant('write' as const), world: fc.nat(2), insert: rows, remove: rows }),
  fc.record({ do: fc.constant('import' as const), world: fc.nat(2), insert: rows }),
  fc.record({ do: fc.constant('delete' as const), world: fc.nat(2) }),
  fc.record({ do: fc.constant('broken' as const), world: fc.nat(2), insert: rows }),
);

describe('worlds behave like sets of quads', () => {
  it('through random writes, imports, failed imports and deletions', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
        await using engine = await WorldsEngine.open({ textIndex: null });
        const model = [0, 1, 2].map(() => new Map<string, Row>());
        for (const slug of ['w0', 'w1', 'w2']) await engine.createWorld({ slug });
        for (const one of steps) {
          const world = model[one.world];
          const source = `w${one.world}`;
          const before = world.size;
          if (one.do === 'delete') {
            await engine.deleteWorld({ source });
            await engine.createWorld({ slug: source });
            world.clear();
          } else if (one.do === 'write') {
            const { inserted, deleted } = await engine.write({
              source,
              insert: one.insert.map(toQuad),
              delete: one.remove.map(toQuad),
            });
            for (const r of one.remove) world.delete(keyOf(toQuad(r)));
            for (const r of one.insert) world.set(keyOf(toQuad(r)), r);
            expect(before + inserted - deleted).toBe(world.size);
          } else if (one.do === 'import') {
            const { quads, inserted } = await engine.import({ source, data: one.insert.map(toQuad) });
            for (const r of one.insert) world.set(keyOf(toQuad(r)), r);
            expect(quads).toBe(one.insert.length);
            expect(before + inserted).toBe(world.size);
          } else {
            const data = [
              ...one.insert.map(toQuad),
              { subject: literal('no subject'), predicate: term('p', 0), object: term('s', 0), graph: defaultGraph() },
            ];
            await expect(engine.import({ source, data: data as never })).rejects.toMatchObject({ code: 'INVALID_RDF' });
          }
        }
        for (const i of [0, 1, 2]) {
          const found: string[] = [];
          for await (const q of engine.quads({ source: `w${i}` })) found.push(keyOf(q as never));
          expect(found.sort()).toEqual([...model[i].keys()].sort());
          for (const s of [undefined, term('s', 1)]) {
            for (const p of [undefined, term('p', 2)]) {
              for (const o of [undefined, literal('value 3')]) {
                for (const g of [undefined, ...GRAPHS]) {
                  let count = 0;
                  for await (const q of engine.quads({
                    source: `w${i}`,
                    subject: s,
                    predicate: p,
                    object: o,
                    graph: g,
                  })) {
                    count += [s, p, o, g].every(
                      (t, at) => !t || t.equals([q.subject, q.predicate, q.object, q.graph][at]),
                    )
                      ? 1
                      : 1000;
                  }
                  const expected = [...model[i].values()]
                    .map(toQuad)
                    .filter(
                      (q) =>
                        (!s || s.equals(q.subject)) &&
                        (!p || p.equals(q.predicate)) &&
                        (!o || o.equals(q.object)) &&
                        (!g || g.equals(q.graph)),
                    );
                  expect(count).toBe(expected.length);
                }
              }
            }
          }
        }
        expect((await engine.stats()).quads).toBe(model.reduce((sum, world) => sum + world.size, 0));
      }),
      { numRuns: 60, seed: 20_11 },
    );
  });
});
