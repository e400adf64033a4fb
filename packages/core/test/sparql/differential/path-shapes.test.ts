import { expect, it } from 'vitest';
import { WorldsEngine } from '../../../src/index.ts';
import type { SparqlEngine } from '../../../src/plugin.ts';
import { naiveEngine } from './naive/naive-engine.ts';
import { Random } from './random/random.ts';

// Compares property paths of every shape with a literal implementation of section 18.4
// (naive/naive-path.ts). The graphs are small and dense, so that most nodes are reached in several
// ways and a lost or additional duplicate shows.

/** One shape in this many runs. RDF_WORLDS_PATHS=1 runs all, in half a minute. */
const STRIDE = Number(process.env.RDF_WORLDS_PATHS ?? 12);

const STEPS = [':a', ':b', '^:a', '!:a', '!(:a|^:b)'];

/** All paths that apply one more operator to the given ones. */
function larger(paths: readonly string[]): string[] {
  const single = paths.flatMap((path) => [`(${path})?`, `(${path})*`, `(${path})+`, `^(${path})`]);
  const double = paths.flatMap((left) => paths.flatMap((right) => [`(${left})/(${right})`, `(${left})|(${right})`]));
  return [...single, ...double];
}

const small = [...STEPS, ...larger(STEPS)];
const SHAPES = [...small, ...larger(small)];

/** The ends of paths. `:n1` and `:n2` are terms of the graph, `:x` is not. */
const ENDS = [
  ['?from', '?to'],
  [':n1', '?to'],
  ['?from', ':n2'],
  [':n1', ':n2'],
  [':x', '?to'],
  ['?same', '?same'],
] as const;

const PREFIX = 'PREFIX : <http://example.org/>';

/** Up to 4 nodes and 8 edges of 2 predicates. */
function randomGraph(random: Random): string {
  const edges = Array.from(
    { length: random.between(4, 8) },
    () => `:n${random.between(1, 4)} :${random.pick(['a', 'b'])} :n${random.between(1, 4)} .`,
  );
  return edges.join(' ');
}

async function opened(sparql: SparqlEngine | undefined, data: string): Promise<WorldsEngine> {
  const engine = await WorldsEngine.open({ sparql, textIndex: null });
  await engine.createWorld({ slug: 'w' });
  await engine.update({ sources: ['w'], query: `${PREFIX} INSERT DATA { ${data} }` });
  return engine;
}

/** The solutions as sorted lines: a bag. */
async function bagOf(engine: WorldsEngine, query: string): Promise<string> {
  const rows = await (await engine.select({ sources: ['w'], query })).array();
  const lines = rows.map((row) => ['from', 'to', 'same'].map((name) => row.get(name)?.value ?? '').join(' '));
  return lines.sort().join('\n');
}

it('paths of every shape return the solutions of section 18.4, with their duplicates', async () => {
  const random = new Random(7);
  const graphs = await Promise.all(
    Array.from({ length: 3 }, async () => {
      const data = randomGraph(random);
      return { data, ours: await opened(undefined, data), naive: await opened(naiveEngine({}), data) };
    }),
  );
  const different: string[] = [];
  let telling = 0;
  for (let at = 0; at < SHAPES.length; at += STRIDE) {
    const [from, to] = ENDS[random.between(0, ENDS.length - 1)];
    const { data, ours, naive } = random.pick(graphs);
    const query = `${PREFIX} SELECT * { ${from} ${SHAPES[at]} ${to} }`;
    const expected = await bagOf(naive, query);
    const actual = await bagOf(ours, query);
    if (actual !== expected) different.push(`${query}\n${data}\nexpected:\n${expected}\nactual:\n${actual}`);
    if (expected.includes('\n')) telling++;
  }
  expect(different.slice(0, 3).join('\n\n')).toBe('');
  // Empty answers prove nothing.
  expect(telling).toBeGreaterThan(SHAPES.length / STRIDE / 3);
  for (const { ours, naive } of graphs) await Promise.all([ours.close(), naive.close()]);
}, 1_800_000);

it('a class is counted once for each type that leads to it', async () => {
  const engine = await opened(undefined, ':x :a :A, :B . :A :sub :T . :B :sub :T .');
  const count = async (path: string): Promise<string | undefined> => {
    const query = `${PREFIX} SELECT (COUNT(*) AS ?n) { :x ${path} :T }`;
    return (await (await engine.select({ sources: ['w'], query })).array())[0].get('n')?.value;
  };
  for (const last of [':sub', ':sub*', ':sub+', ':sub?']) expect(await count(`(:kind|(:a/${last}))`)).toBe('2');
  await engine.close();
});
