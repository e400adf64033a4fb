import { nativeEngine, WorldsEngine } from '@rdf-worlds/core';
import type { SparqlEngine } from '@rdf-worlds/core/plugin';
import { academicLines } from './academic-data.ts';
import type { Benchmark } from './benchmark.ts';
import { COLLECTION_JOINS } from './collection-joins.ts';
import { CursorJoinEngine } from './cursor-join-engine.ts';
import { figure, spread } from './figure.ts';
import { becomeIdle } from './idle.ts';
import { noteQuad } from './note-quad.ts';
import { type OptionValues, SEED_OPTION } from './option.ts';
import { RandomNumbers } from './random-numbers.ts';
import { ACADEMIC_QUERIES } from './sparql/academic-queries.ts';
import { freshText, type NamedQuery, wantsAnyRows } from './sparql/named-query.ts';
import { readAll } from './sparql/worlds-store.ts';
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

interface CollectionSettings extends OptionValues<typeof OPTIONS> {
  /**
   * A shorter query is repeated until it has used this much CPU time in milliseconds, up to the
   * maximum number of repetitions. By default {@link LAP_MS}.
   */
  readonly lapMs?: number;
}

/** Two namespaces with the same quads: in many worlds, and in a single world. */
const COLLECTION = 'collection';
const SINGLE = 'single';
const SIDES = [COLLECTION, SINGLE] as const;
type Side = (typeof SIDES)[number];

/** The event before each query. */
const MODES = ['no commits', 'a commit before every query'] as const;
export type Mode = (typeof MODES)[number];

const WARM_ROUNDS = 2;
const LAP_MS = 10;
const MAX_REPETITIONS = 200;

/** Queries about one resource refer to the first world, whose data have their own base. */
const QUERIES: readonly NamedQuery[] = ACADEMIC_QUERIES.map(({ name, text }) => ({
  name,
  text: text.replaceAll('<https://data.example/', `<${baseOf(0)}`),
}));

/** CPU time in milliseconds, one value per round. */
export interface SideCost {
  /** The join alone. */
  readonly joinCpuMs: number[];
  /** The whole call, including opening the dataset, which merges what commits left behind. */
  readonly callCpuMs: number[];
}

export interface JoinCost {
  readonly mode: Mode;
  readonly join: string;
  /** The same on both sides and in every round. */
  readonly solutions: number;
  readonly sides: Readonly<Record<Side, SideCost>>;
}

export interface QueryCost {
  readonly mode: Mode;
  readonly query: string;
  /** The same on both sides and in every round. */
  readonly rows: number;
  /** CPU milliseconds of one query with every term read; one value per round. */
  readonly cpuMs: Readonly<Record<Side, number[]>>;
}

export interface CollectionResult {
  /** Joins on cursors. */
  readonly costs: readonly JoinCost[];
  /** SPARQL queries. */
  readonly queries: readonly QueryCost[];
  /** After all queries, including what the store caches because of them. */
  readonly bytesPerQuad: Readonly<Record<Side, number>>;
  readonly quads: number;
}

export const collectionBenchmark: Benchmark<typeof OPTIONS> = {
  name: 'collection',
  summary: 'joins over many worlds at once, against the same quads in one world',
  options: OPTIONS,
  async run(values, progress) {
    const { worlds, quads, rounds, seed } = values;
    const { costs, queries, bytesPerQuad } = await measureCollection(values, progress);
    return {
      settings: [
        `${figure(worlds)} worlds of ${figure(quads)} generated academic quads, seed ${seed}, in one namespace; the same ${figure(worlds * quads)} quads in one world of another`,
        `${rounds} rounds after ${WARM_ROUNDS} warm-ups; queries in SPARQL, every term read, each time in a text of its own; index nested-loop joins on cursors, through the seam of SPARQL engines, counting solutions`,
      ],
      tables: [
        ...MODES.map((mode) => queryTable(mode, queries)),
        ...MODES.map((mode) => tableOf(mode, costs)),
        memoryTable(bytesPerQuad),
      ],
      notes: [
        'Figures are median (least-most) of CPU (user and system, all threads). Join: inside the evaluation; call: the whole query, with opening the dataset. Ratios are collection over one world: of joins those of the medians, of queries the median of the rounds.',
        'A commit is a write of one triple that no join sees: into one world of the collection, at random, and into the one world. It is not part of the CPU shown; background work that it leaves may be.',
        'Solutions, rows and characters are counted on both sides and must be the same.',
      ],
    };
  },
};

/** Runs the measurement. Throws if sides or rounds disagree on the number of solutions. */
export async function measureCollection(
  { worlds, quads, rounds, seed, lapMs = LAP_MS }: CollectionSettings,
  progress: (message: string) => void,
): Promise<CollectionResult> {
  const joins = new CursorJoinEngine(COLLECTION_JOINS);
  const native = nativeEngine();
  const sparql: SparqlEngine = {
    name: 'cursor joins and SPARQL',
    prepare: (text, options) => (joins.knows(text) ? joins.prepare(text) : native.prepare(text, options)),
  };
  const engine = await WorldsEngine.open({ sparql, textIndex: null });
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
  const queries: QueryCost[] = [];
  for (const mode of MODES) {
    for (const query of QUERIES) {
      progress(`${mode}: ${query.name}`);
      queries.push(await measureQuery(mode, query));
    }
    for (const { name: join } of COLLECTION_JOINS) {
      progress(`${mode}: ${join}`);
      costs.push(await measureJoin(mode, join));
    }
  }
  const bytesPerQuad = { [COLLECTION]: await bytesOf(COLLECTION), [SINGLE]: await bytesOf(SINGLE) };
  await engine.close();
  return { costs, queries, bytesPerQuad, quads: worlds * quads };

  async function measureQuery(mode: Mode, query: NamedQuery): Promise<QueryCost> {
    const cpuMs: Record<Side, number[]> = { [COLLECTION]: [], [SINGLE]: [] };
    const repetitions: Record<Side, number> = { [COLLECTION]: 1, [SINGLE]: 1 };
    const isAny = wantsAnyRows(query);
    let first: string | undefined;
    let rows = 0;
    await becomeIdle();
    for (let round = -WARM_ROUNDS; round < rounds; round++) {
      for (const side of SIDES) {
        let total = 0;
        for (let time = 0; time < repetitions[side]; time++) {
          if (mode === 'a commit before every query') await commit(side);
          const watch = new Stopwatch();
          const answer = await readAll(await engine.query({ query: freshText(query.text), namespace: side }));
          total += watch.lap().cpuMs;
          rows = answer.rows;
          const counted = isAny ? `${rows} rows` : `${rows} rows with ${answer.chars} characters`;
          first ??= counted;
          if (counted !== first)
            throw new Error(`${query.name}: ${counted} in the ${side} namespace, ${first} before.`);
        }
        const each = total / repetitions[side];
        repetitions[side] = Math.min(MAX_REPETITIONS, Math.ceil(lapMs / each));
        if (round >= 0) cpuMs[side].push(each);
      }
    }
    return { mode, query: query.name, rows, cpuMs };
  }

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
  return [...academicLines({ seed: seed + world, quads, base: baseOf(world) })].join('');
}

function baseOf(world: number): string {
  return `https://data.example/${world}/`;
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

function queryTable(mode: Mode, costs: readonly QueryCost[]): Table {
  return {
    title: `SPARQL, with ${mode}, CPU ms`,
    columns: ['', 'rows', 'collection', 'one world', 'ratio'],
    rows: costs
      .filter((cost) => cost.mode === mode)
      .map(({ query, rows, cpuMs: { collection, single } }) => [
        query,
        figure(rows),
        spread(statistics(collection), 2),
        spread(statistics(single), 2),
        figure(
          quantile(
            collection.map((cpuMs, round) => cpuMs / single[round]),
            0.5,
          ),
          2,
        ),
      ]),
  };
}

function tableOf(mode: Mode, costs: readonly JoinCost[]): Table {
  return {
    title: `Joins on cursors, with ${mode}, CPU ms`,
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
