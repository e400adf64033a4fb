import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dataFactory, MemoryStorage, type Quotas, WorldsEngine, WorldsError } from '../../src/index.ts';
import { recount } from './recount.ts';

const { namedNode, literal, quad, defaultGraph } = dataFactory;
const GRAPHS = [defaultGraph(), namedNode('urn:graph:0'), namedNode('urn:graph:1')];
const WORLDS = ['w0', 'w1', 'w2'];

type Row = readonly [s: number, o: number, g: number];
const toQuad = ([s, o, g]: Row) =>
  quad(
    namedNode(`urn:s${s}`),
    namedNode('urn:p'),
    o % 2 ? literal('x'.repeat(o)) : literal(String(o), 'en'),
    GRAPHS[g],
  );

const rows = fc.array(fc.tuple(fc.nat(5), fc.nat(8), fc.nat(2)), { maxLength: 12 });
const change = fc.oneof(
  fc.record({ do: fc.constant('write' as const), world: fc.nat(2), insert: rows, remove: rows }),
  fc.record({ do: fc.constant('import' as const), world: fc.nat(2), insert: rows, isReplacing: fc.boolean() }),
  fc.record({
    do: fc.constant('update' as const),
    world: fc.nat(2),
    text: fc.constantFrom(
      'CLEAR ALL',
      'DROP GRAPH <urn:graph:0>',
      'CREATE SILENT GRAPH <urn:graph:0>',
      'COPY DEFAULT TO <urn:graph:1>',
      'DELETE { ?s ?p ?o } INSERT { ?o2 ?p ?s } WHERE { ?s ?p ?o BIND(IRI(CONCAT("urn:o:", STR(?o))) AS ?o2) }',
      'DELETE WHERE { <urn:s1> ?p ?o }',
    ),
  }),
  fc.record({ do: fc.constant('create' as const), world: fc.nat(2), label: fc.string({ maxLength: 40 }) }),
  fc.record({ do: fc.constant('label' as const), world: fc.nat(2), label: fc.string({ maxLength: 40 }) }),
  fc.record({ do: fc.constant('delete' as const), world: fc.nat(2) }),
);
type Change = typeof change extends fc.Arbitrary<infer One> ? One : never;
const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('together' as const),
      changes: fc.array(change, { minLength: 1, maxLength: 5 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom({ do: 'restart' as const }, { do: 'compact' as const }, { do: 'checkpoint' as const }),
  },
);

function apply(engine: WorldsEngine, one: Change): Promise<unknown> {
  const source = WORLDS[one.world];
  switch (one.do) {
    case 'write':
      return engine.write({ source, insert: one.insert.map(toQuad), delete: one.remove.map(toQuad) });
    case 'import':
      return engine.import({ source, data: one.insert.map(toQuad), mode: one.isReplacing ? 'replace' : 'merge' });
    case 'update':
      return engine.update({ sources: [source], query: one.text });
    case 'create':
      return engine.createWorld({ slug: source, label: one.label });
    case 'label':
      return engine.updateWorld({ source, label: one.label });
    default:
      return engine.deleteWorld({ source });
  }
}

async function contents(engine: WorldsEngine, world: string): Promise<string> {
  return Buffer.from(await engine.export({ source: world, canonicalOrder: true })).toString();
}

describe('quotas', () => {
  it('equal the size of an export, are never exceeded, and lose nothing, through random programs', async () => {
    let refused = 0;
    let done = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { maxLength: 14 }),
        fc.record({
          quads: fc.integer({ min: 3, max: 40 }),
          bytes: fc.integer({ min: 400, max: 3_000 }),
          worlds: fc.constantFrom(2, 3),
        }),
        fc.record({ quads: fc.integer({ min: 3, max: 25 }), bytes: fc.integer({ min: 300, max: 2_000 }) }),
        fc.boolean(),
        async (steps, namespace, world, isDurable) => {
          const quotas: Quotas = { namespace, world };
          const { contents: stored } = new MemoryStorage();
          const open = () =>
            WorldsEngine.open({ textIndex: null, quotas, ...(isDurable && { storage: new MemoryStorage(stored) }) });
          let engine = await open();
          try {
            for (const slug of ['w0', 'w1']) await engine.createWorld({ slug });
            for (const one of steps) {
              if (one.do === 'restart' && isDurable) {
                await engine.close();
                engine = await open();
              } else if (one.do === 'compact') await engine.compact();
              else if (one.do === 'checkpoint') await engine.checkpoint();
              else if (one.do === 'together') {
                const isAlone = one.changes.length === 1;
                const [first] = one.changes;
                const exists = isAlone && (await engine.getWorld({ source: WORLDS[first.world] }));
                const before = exists ? await contents(engine, WORLDS[first.world]) : '';
                const outcomes = await Promise.allSettled(one.changes.map((each) => apply(engine, each)));
                for (const outcome of outcomes) {
                  if (outcome.status === 'fulfilled') done++;
                  else {
                    expect(outcome.reason).toBeInstanceOf(WorldsError);
                    expect(['QUOTA_EXCEEDED', 'NOT_FOUND', 'ALREADY_EXISTS']).toContain(outcome.reason.code);
                    if (outcome.reason.code !== 'QUOTA_EXCEEDED') continue;
                    refused++;
                    if (exists) expect(await contents(engine, WORLDS[first.world])).toBe(before);
                  }
                }
              }
              await checkUse(engine, { namespace, world });
            }
          } finally {
            await engine.close();
          }
        },
      ),
      { numRuns: 60, seed: 16_05 },
    );
    expect(refused).toBeGreaterThan(40);
    expect(done).toBeGreaterThan(200);
  });
});

/** Checks that the reported use equals a recount and is within the quotas. */
async function checkUse(engine: WorldsEngine, { namespace, world }: Quotas): Promise<void> {
  const total = { quads: 0, bytes: 0, worlds: 0 };
  for (const { slug } of await engine.listWorlds()) {
    const counted = await recount(engine, slug);
    expect(await engine.worldQuotas({ source: slug })).toEqual({
      quads: { used: counted.quads, limit: world!.quads },
      bytes: { used: counted.bytes, limit: world!.bytes },
    });
    expect(counted.quads).toBeLessThanOrEqual(world!.quads!);
    expect(counted.bytes).toBeLessThanOrEqual(world!.bytes!);
    total.quads += counted.quads;
    total.bytes += counted.bytes;
    total.worlds++;
  }
  const { quotas } = await engine.stats({ namespace: 'default' });
  if (!quotas) {
    expect(total.worlds).toBe(0);
    return;
  }
  for (const name of ['quads', 'bytes', 'worlds'] as const) {
    expect(quotas[name]).toEqual({ used: total[name], limit: namespace![name] });
    expect(total[name]).toBeLessThanOrEqual(namespace![name]!);
  }
}
