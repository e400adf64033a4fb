import { WorldsEngine } from '@rdf-worlds/core';
import { academicLines } from './academic-data.ts';
import type { Benchmark } from './benchmark.ts';
import { COLLECTION_JOINS } from './collection-joins.ts';
import { CursorJoinEngine } from './cursor-join-engine.ts';
import { figure, spread } from './figure.ts';
import { becomeIdle } from './idle.ts';
import { noteQuad } from './note-quad.ts';
import { type OptionValues, SEED_OPTION } from './option.ts';
import { RandomNumbers } from './random-numbers.ts';
import { quantile, statistics } from './statistics.ts';
import { Stopwatch } from './stopwatch.ts';
import type { Table } from './table.ts';

const OPTIONS = {
  worlds: { kind: 'integer', default: 5000, min: 1, meaning: 'worlds of the collection' },
  quads: { kind: 'integer', default: 200, min: 1, meaning: 'quads in each world' },
  rounds: {
    kind: 'integer',
    default: 9,
    min: 1,
    meaning: 'measured rounds of every join, after two that do not count',
  },
  seed: SEED_OPTION,
} as const;

type CollectionSettings = OptionValues<typeof OPTIONS>;

/** The namespaces that hold the same quads: one in many worlds, the other in one. */
const COLLECTION = 'collection';
const SINGLE = 'single';
const SIDES = [COLLECTION, SINGLE] as const;
type Side = (typeof SIDES)[number];

/** What happens before every query. */
const MODES = ['no commits', 'a commit before every query'] as const;
export type Mode = (typeof MODES)[number];

const WARM_ROUNDS = 2;

/** CPU in milliseconds, one a round. */
export interface SideCost {
  /** The join alone. */
  readonly joinCpuMs: number[];
  /** The whole call: opening the dataset too, which brings what commits left behind into order. */
  readonly callCpuMs: number[];
}

export interface JoinCost {
  readonly mode: Mode;
  readonly join: string;
  /** The same in the collection and in the one world, and in every round. */
  readonly solutions: number;
  readonly sides: Readonly<Record<Side, SideCost>>;
}

export interface CollectionResult {
  readonly costs: readonly JoinCost[];
  /** After all queries: with what the collection's queries made the store keep. */
  readonly bytesPerQuad: Readonly<Record<Side, number>>;
  readonly quads: number;
}

export const collectionBenchmark: Benchmark<typeof OPTIONS> = {
  name: 'collection',
  summary: 'joins over many worlds at once, against the same quads in one world',
  options: OPTIONS,
  async run(values, progress) {
    const { worlds, quads, rounds, seed } = values;
    const { costs, bytesPerQuad } = await measureCollection(values, progress);
    return {
      settings: [
        `${figure(worlds)} worlds of ${figure(quads)} generated academic quads, seed ${seed}, in one namespace; the same ${figure(worlds * quads)} quads in one world of another`,
        `${rounds} rounds after ${WARM_ROUNDS} warm-ups; index nested-loop joins on cursors, through the seam of SPARQL engines, counting solutions`,
      ],
      tables: [...MODES.map((mode) => tableOf(mode, costs)), memoryTable(bytesPerQuad)],
      notes: [
        'Figures are median (least-most) of CPU (user and system, all threads). Join: inside the evaluation; call: the whole query, with opening the dataset. Ratios are collection over one world, of medians.',
        'A commit is a write of one triple that no join sees: into one world of the collection, at random, and into the one world. It is not part of the CPU shown; background work that it leaves may be.',
        'Solutions are counted on both sides and must be the same.',
      ],
    };
  },
};

/** Throws when the two sides, or two rounds, do not count the same solutions. */
export async function measureCollection(
  { worlds, quads, rounds, seed }: CollectionSettings,
  progress: (message: string) => void,
): Promise<CollectionResult> {
  const joins = new CursorJoinEngine(COLLECTION_JOINS);
  const engine = await WorldsEngine.open({ sparql: joins, textIndex: null });
  progress('importing');
  for (let world = 0; world < worlds; world++) {
    const source = { slug: `world-${world}`, namespace: COLLECTION };
    await engine.createWorld(source);
    await importText(engine, source, [documentOf(seed, quads, world)]);
  }
  const single = { slug: 'all', namespace: SINGLE };
  await engine.createWorld(single);
  await importText(
    engine,
    single,
    Array.from({ length: worlds }, (_, world) => documentOf(seed, quads, world)),
  );
  await engine.settle();

  const random = new RandomNumbers(seed);
  let commits = 0;
  const commit = async (side: Side) => {
    const slug = side === SINGLE ? single.slug : `world-${random.below(worlds)}`;
    await engine.write({ source: { slug, namespace: side }, insert: [noteQuad(commits++)] });
  };
  const costs: JoinCost[] = [];
  for (const mode of MODES) {
    for (const { name: join } of COLLECTION_JOINS) {
      progress(`${mode}: ${join}`);
      costs.push(await measureJoin(mode, join));
    }
  }
  const bytesPerQuad = { [COLLECTION]: await bytesOf(COLLECTION), [SINGLE]: await bytesOf(SINGLE) };
  await engine.close();
  return { costs, bytesPerQuad, quads: worlds * quads };

  async function measureJoin(mode: Mode, join: string): Promise<JoinCost> {
    const sides: Record<Side, SideCost> = {
      [COLLECTION]: { joinCpuMs: [], callCpuMs: [] },
      [SINGLE]: { joinCpuMs: [], callCpuMs: [] },
    };
    let solutions: number | undefined;
    await becomeIdle();
    for (let round = -WARM_ROUNDS; round < rounds; round++) {
      for (const side of SIDES) {
        if (mode === 'a commit before every query') await commit(side);
        const watch = new Stopwatch();
        await engine.ask({ query: join, namespace: side });
        const call = watch.lap();
        const run = joins.takeRun();
        solutions ??= run.solutions;
        if (run.solutions !== solutions) {
          throw new Error(`${join}: ${run.solutions} solutions in the ${side} namespace, ${solutions} before.`);
        }
        if (round < 0) continue;
        sides[side].joinCpuMs.push(run.lap.cpuMs);
        sides[side].callCpuMs.push(call.cpuMs);
      }
    }
    return { mode, join, solutions: solutions!, sides };
  }

  async function bytesOf(namespace: Side): Promise<number> {
    const { bytes, quads: held } = await engine.stats({ namespace });
    return bytes / held;
  }
}

function documentOf(seed: number, quads: number, world: number): string {
  return [...academicLines({ seed: seed + world, quads, base: `https://data.example/${world}/` })].join('');
}

async function importText(
  engine: WorldsEngine,
  source: { slug: string; namespace: string },
  documents: readonly string[],
): Promise<void> {
  const pieces = async function* () {
    yield* documents;
  };
  await engine.import({ source, data: pieces(), contentType: 'application/n-triples' });
}

function tableOf(mode: Mode, costs: readonly JoinCost[]): Table {
  return {
    title: `With ${mode}, CPU ms`,
    columns: [
      '',
      'solutions',
      'collection, join',
      'one world, join',
      'ratio',
      'collection, call',
      'one world, call',
      'ratio of calls',
    ],
    rows: costs
      .filter((cost) => cost.mode === mode)
      .map(({ join, solutions, sides: { collection, single } }) => {
        const ratio = (of: (side: SideCost) => readonly number[]) =>
          figure(quantile(of(collection), 0.5) / quantile(of(single), 0.5), 2);
        return [
          join,
          figure(solutions),
          spread(statistics(collection.joinCpuMs), 2),
          spread(statistics(single.joinCpuMs), 2),
          ratio(({ joinCpuMs }) => joinCpuMs),
          spread(statistics(collection.callCpuMs), 2),
          spread(statistics(single.callCpuMs), 2),
          ratio(({ callCpuMs }) => callCpuMs),
        ];
      }),
  };
}

function memoryTable(bytesPerQuad: CollectionResult['bytesPerQuad']): Table {
  return {
    title: 'Own columns after all queries',
    columns: ['', 'B/quad'],
    rows: [
      ['collection', figure(bytesPerQuad[COLLECTION], 1)],
      ['one world', figure(bytesPerQuad[SINGLE], 1)],
    ],
  };
}
