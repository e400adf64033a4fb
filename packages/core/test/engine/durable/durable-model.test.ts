import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dataFactory, type MemoryContents, WorldsEngine, WorldsError } from '../../../src/index.ts';
import { linesOf } from '../world-state.ts';
import { type AppendFate, BrokenDisk, FaultyStorage } from './faulty-storage.ts';
import { smallTextIndex } from './small-text-index.ts';

const { quad, namedNode, literal, defaultGraph } = dataFactory;

const slug = fc.constantFrom('a', 'b', 'c');
const triple = fc.tuple(fc.nat(5), fc.nat(2), fc.nat(7), fc.nat(2));
const triples = fc.array(triple, { maxLength: 12 });
const step = fc.oneof(
  { weight: 2, arbitrary: fc.record({ do: fc.constant('create' as const), slug }) },
  {
    weight: 6,
    arbitrary: fc.record({ do: fc.constant('write' as const), slug, insert: triples, delete: triples }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('replace' as const), slug, insert: triples }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('update' as const), slug, graph: fc.nat(2) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('label' as const), slug, label: fc.string() }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('delete' as const), slug }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('many' as const), slug, from: fc.nat(3000) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('checkpoint' as const) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('search' as const), word: fc.nat(7) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('compact' as const) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('crash' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('close' as const) }) },
);
const fate = fc.oneof(
  { weight: 12, arbitrary: fc.constant<AppendFate>('works') },
  { weight: 1, arbitrary: fc.constantFrom<AppendFate>('fails', 'fails, but is there', 'fails, and nobody knows') },
);

type Triple = readonly [number, number, number, number];
type Step = typeof step extends fc.Arbitrary<infer One> ? One : never;

/** A world: its label, and its quads as lines. */
interface ModelWorld {
  label: string | undefined;
  lines: Set<string>;
}
type Model = Map<string, ModelWorld>;

const lineOf = ([s, p, o, g]: Triple) => `<urn:s${s}> <urn:p${p}> "${o}" ${g === 0 ? '' : `<urn:g${g}> `}.`;
const quadOf = ([s, p, o, g]: Triple) =>
  quad(
    namedNode(`urn:s${s}`),
    namedNode(`urn:p${p}`),
    literal(String(o)),
    g === 0 ? defaultGraph() : namedNode(`urn:g${g}`),
  );

/** What a step makes of a world; undefined: the world is gone. */
function modelStep(
  world: ModelWorld,
  one: Exclude<Step, { do: 'create' | 'checkpoint' | 'search' | 'compact' | 'crash' | 'close' }>,
) {
  const lines = new Set(world.lines);
  if (one.do === 'delete') return undefined;
  if (one.do === 'label') return { label: one.label, lines };
  if (one.do === 'replace') return { ...world, lines: new Set(one.insert.map(lineOf)) };
  if (one.do === 'many') for (const each of manyFrom(one.from)) lines.add(lineOf(each));
  if (one.do === 'update') {
    const graph = one.graph === 0 ? '' : `<urn:g${one.graph}> `;
    for (const line of world.lines) if (line.endsWith(`" ${graph}.`)) lines.add(line.replace(/" .*/, '!" .'));
  }
  if (one.do === 'write') {
    for (const each of one.delete) lines.delete(lineOf(each));
    for (const each of one.insert) lines.add(lineOf(each));
  }
  return { ...world, lines };
}

/** More than a commit merges by itself. */
function manyFrom(from: number): Triple[] {
  return Array.from({ length: 3000 }, (_, i) => [from + i, i % 7, i % 11, i % 3]);
}

async function run(
  engine: WorldsEngine,
  one: Exclude<Step, { do: 'checkpoint' | 'search' | 'compact' | 'crash' | 'close' }>,
) {
  const source = one.slug;
  if (one.do === 'create') return engine.createWorld({ slug: one.slug });
  if (one.do === 'delete') return engine.deleteWorld({ source });
  if (one.do === 'label') return engine.updateWorld({ source, label: one.label });
  if (one.do === 'replace') return engine.import({ source, mode: 'replace', data: one.insert.map(quadOf) });
  if (one.do === 'many') return engine.import({ source, data: manyFrom(one.from).map(quadOf) });
  if (one.do === 'write')
    return engine.write({ source, insert: one.insert.map(quadOf), delete: one.delete.map(quadOf) });
  const pattern = one.graph === 0 ? '?s ?p ?o' : `GRAPH <urn:g${one.graph}> { ?s ?p ?o }`;
  return engine.update({
    sources: [source],
    query: `INSERT { ?s ?p ?x } WHERE { ${pattern} BIND(CONCAT(?o, "!") AS ?x) }`,
  });
}

async function expectSame(engine: WorldsEngine, model: Model): Promise<void> {
  expect((await engine.listWorlds()).map(({ slug, label }) => [slug, label])).toEqual(
    [...model].map(([name, { label }]) => [name, label]).sort(([a], [b]) => (a! < b! ? -1 : 1)),
  );
  for (const [name, { lines }] of model) expect(await linesOf(engine, name)).toEqual([...lines].sort());
  const total = [...model.values()].reduce((sum, { lines }) => sum + lines.size, 0);
  expect((await engine.stats()).quads).toBe(total);
}

/** Searches for a number; every text with it must be a hit, whatever index the checkpoint had. */
async function expectHits(engine: WorldsEngine, model: Model, word: number): Promise<void> {
  const expected = new Set<string>();
  for (const [name, { lines }] of model) {
    for (const line of lines) {
      const [, triple, text] = /^(.*"(\d+)!*")/.exec(line)!;
      if (Number(text) === word) expected.add(`${name} ${triple}`);
    }
  }
  const hits = await engine.search({ query: String(word), limit: 1000 });
  const found = hits.map((hit) => `${hit.world.slug} <${hit.subject}> <${hit.predicate}> "${hit.object}"`);
  expect(found).toHaveLength(Math.min(1000, expected.size));
  expect(found.filter((hit) => !expected.has(hit))).toEqual([]);
  expect(engine.health().problems.filter(({ activity }) => activity === 'loading')).toEqual([]);
}

describe('a durable engine is its in-memory model', () => {
  const work = { added: 0, restored: 0 };

  it('through writes, checkpoints, compactions, crashes, and appends that fail in every way', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(step, fate), { maxLength: 40, size: 'max' }),
        fc.constantFrom(0, 1 << 24),
        async (steps, retainChangesBytes) => {
          let contents: MemoryContents | undefined;
          let storage!: FaultyStorage;
          const open = () => {
            storage = new FaultyStorage(contents);
            contents = storage.contents;
            return WorldsEngine.open({
              ...{ storage, textIndex: smallTextIndex(work), checkpointLogBytes: 20_000, retainChangesBytes },
            });
          };
          let engine = await open();
          let model: Model = new Map();
          for (const [one, becomes] of steps) {
            if (one.do === 'checkpoint') await engine.checkpoint();
            else if (one.do === 'search') await expectHits(engine, model, one.word);
            else if (one.do === 'compact') {
              storage.checkpointFails = becomes !== 'works';
              await engine.compact().catch((error) => expect(error).toBeInstanceOf(BrokenDisk));
              storage.checkpointFails = false;
              expect((await engine.check()).problems).toEqual([]);
            } else if (one.do === 'crash' || one.do === 'close') {
              // A crash is what is left when nobody says good-bye.
              if (one.do === 'close') await engine.close();
              else storage.die();
              engine = await open();
              await expectSame(engine, model);
            } else {
              const before = model.get(one.slug);
              const isRefused = one.do === 'create' ? before !== undefined : before === undefined;
              const after =
                one.do === 'create' ? { label: undefined, lines: new Set<string>() } : before && modelStep(before, one);
              const next: Model = new Map(model);
              if (!isRefused && after) next.set(one.slug, after);
              if (!isRefused && !after) next.delete(one.slug);
              // With its last world a namespace is forgotten: what fails there fails before
              // anything is.
              const isDrop = one.do === 'delete' && !isRefused && next.size === 0;
              storage.fate = () => becomes;
              const outcome = await run(engine, one).then(
                () => 'done',
                // What forgets a namespace passes on what the storage throws.
                (error) =>
                  error instanceof WorldsError ? error.code : error instanceof BrokenDisk ? 'INTERNAL' : error,
              );
              storage.fate = () => 'works';
              // Forgetting a namespace does not read, so the failure would hit a later step.
              if (isDrop) storage.unreadable = 0;
              if (isRefused) expect(outcome).toBe(one.do === 'create' ? 'ALREADY_EXISTS' : 'NOT_FOUND');
              else if (becomes === 'works' || (becomes === 'fails, but is there' && !isDrop))
                expect(outcome).toBe('done');
              else {
                const isUnknown = becomes === 'fails, and nobody knows' && !isDrop;
                expect(['done', isUnknown ? 'IN_DOUBT' : 'INTERNAL']).toContain(outcome);
              }
              if (outcome === 'done') model = next;
              else if (!isRefused && !isDrop && becomes === 'fails, and nobody knows') {
                // The caller was told that it is unknown, and learns it from the storage.
                await engine.createWorld({ slug: 'probe' }).catch((error) => expect(error.code).toBe('CONFLICT'));
                await engine.deleteWorld({ source: 'probe' }).catch((error) => expect(error.code).toBe('NOT_FOUND'));
                model = next;
              }
            }
            await expectSame(engine, model);
          }
          await engine.close();
        },
      ),
      { numRuns: Number(process.env.DURABLE_MODEL_RUNS ?? 120), seed: 6_1 },
    );
    // The searches read what checkpoints stored.
    expect(work.restored).toBeGreaterThan(10);
  });
});
