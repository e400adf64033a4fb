import type { Benchmark } from './benchmark.ts';
import { CHUNK_BYTES } from './byte-chunks.ts';
import { figure, spread } from './figure.ts';
import { chooseLoadInput, type LoadInput, type LoadInputChoice, openLoadInput } from './load-input.ts';
import { isPlausible, type LoadMemory, measureLoadMemory } from './load-memory.ts';
import {
  measureLoaderLateness,
  measureResponsiveness,
  type Responsiveness,
  SCENARIOS,
  TICK_MS,
} from './load-responsiveness.ts';
import { type LoaderLaps, measureRounds } from './load-rounds.ts';
import { LOADERS } from './loader.ts';
import { SEED_OPTION } from './option.ts';
import type { Report } from './report.ts';
import { quantile, statistics } from './statistics.ts';
import type { Table } from './table.ts';

/** Loaders whose memory is measured; the other loaders produce the same stores. */
const MEMORY_LOADERS = ['RDF Worlds', 'RDF Worlds, stream', 'Oxigraph'];
const BLOCKING_PEER = LOADERS.find(({ name }) => name === 'Oxigraph')!;

const OPTIONS = {
  file: { kind: 'file', meaning: 'RDF file to load, .nt or .nq, also with .gz behind it' },
  quads: { kind: 'integer', default: 0, min: 0, meaning: 'load so many generated quads; 0: the shared LUBM file' },
  rounds: { kind: 'integer', default: 3, min: 1, meaning: 'measured rounds, after one that does not count' },
  seed: SEED_OPTION,
} as const;

export interface LoadResult {
  readonly input: LoadInput;
  readonly rounds: readonly LoaderLaps[];
  /** One per process. */
  readonly memory: readonly LoadMemory[];
  readonly responsiveness: readonly Responsiveness[];
}

export const loadBenchmark: Benchmark<typeof OPTIONS> = {
  name: 'load',
  summary: 'import of a document, against Oxigraph in the same process',
  options: OPTIONS,
  async run({ file, quads, rounds, seed }, progress) {
    const result = await measureLoad(chooseLoadInput({ file, quads, seed }), rounds, progress);
    return reportOf(result, rounds);
  },
};

export async function measureLoad(
  choice: LoadInputChoice,
  rounds: number,
  progress: (message: string) => void,
): Promise<LoadResult> {
  progress('reading the document');
  const input = await openLoadInput(choice);
  const laps = await measureRounds(LOADERS, input, rounds, progress);
  const responsiveness: Responsiveness[] = [];
  for (const scenario of SCENARIOS) {
    progress(`responsiveness: ${scenario.name}`);
    responsiveness.push(await measureResponsiveness(input, scenario));
  }
  progress(`responsiveness: ${BLOCKING_PEER.name}`);
  responsiveness.push(await measureLoaderLateness(BLOCKING_PEER, input));
  const memory = await measureLoadMemory(MEMORY_LOADERS, input, rounds, progress);
  return { input, rounds: laps, memory, responsiveness };
}

function reportOf({ input, rounds: laps, memory, responsiveness }: LoadResult, rounds: number): Report {
  const quads = laps[0].quads;
  return {
    settings: [
      `${input.name}: ${figure(input.bytes.length / 2 ** 20, 1)} MiB in memory, uncompressed; ${figure(quads)} distinct quads`,
      `${rounds} rounds after 1 warm-up, loaders in turn in one process; text index off; chunks of ${CHUNK_BYTES / 1024} KiB`,
    ],
    tables: [speedTable(laps), memoryTable(memory), responsivenessTable(responsiveness)],
    notes: [
      'Figures are median (least-most). CPU is user and system time of all threads; the ratio is of CPU, round by round, a loader over RDF Worlds: above 1 it is slower than that.',
      'Oxigraph is its WebAssembly build, all or nothing and checked as our import is; unchecked: no_transaction and lenient.',
      'Responsiveness comes from imports of its own. A write is one triple, due every 10 ms whether the one before was answered or not; its latency counts from when it was due.',
      'Memory is measured in fresh processes, with the plain document in memory before and after. RSS growth includes pages that the C allocator keeps after an import freed them; how many varies from process to process.',
      '(!): no measurement - the process grew by less than the store holds, so it filled pages that were free before; small documents do that.',
    ],
  };
}

function speedTable(laps: readonly LoaderLaps[]): Table {
  const [reference] = laps;
  return {
    title: 'Speed',
    columns: ['', 'k quads per CPU s', 'k quads per wall s', 'CPU s', 'CPU ratio'],
    rows: laps.map(({ loader, quads, laps: own }) => {
      const cpu = own.map(({ cpuMs }) => cpuMs);
      const wall = own.map(({ wallMs }) => wallMs);
      const ratios = cpu.map((ms, round) => ms / reference.laps[round].cpuMs);
      return [
        loader,
        spread(statistics(cpu.map((ms) => quads / ms))),
        spread(statistics(wall.map((ms) => quads / ms))),
        spread(statistics(cpu.map((ms) => ms / 1000)), 2),
        spread(statistics(ratios), 2),
      ];
    }),
  };
}

function memoryTable(memory: readonly LoadMemory[]): Table {
  return {
    title: 'Memory, B/quad; the last column in MiB',
    columns: ['', 'own columns', 'JS heap and external growth', 'RSS growth', 'peak RSS with document'],
    rows: [...new Set(memory.map(({ loader }) => loader))].map((loader) => {
      const processes = memory.filter((each) => each.loader === loader);
      const perQuad = (bytes: (one: LoadMemory) => number) =>
        spread(statistics(processes.map((each) => bytes(each) / each.quads)), 1);
      // A peer without a count of its own keeps its data outside JavaScript's memory.
      const counts = processes.every(({ bytes }) => bytes !== undefined);
      return [
        loader,
        counts ? perQuad(({ bytes }) => bytes!) : '-',
        counts ? perQuad(({ heldGrowth }) => heldGrowth) : '-',
        `${perQuad(({ rssGrowth }) => rssGrowth)}${processes.every(isPlausible) ? '' : ' (!)'}`,
        spread(statistics(processes.map(({ peakRss }) => peakRss / 2 ** 20)), 0),
      ];
    }),
  };
}

function responsivenessTable(responsiveness: readonly Responsiveness[]): Table {
  return {
    title: 'Responsiveness during one import',
    columns: [
      '',
      'import, wall s',
      `${TICK_MS} ms timer, worst lateness, ms`,
      'writes due',
      'answered before the import',
      'write latency p50, ms',
      'worst, ms',
    ],
    rows: responsiveness.map(({ scenario, importWallMs, timer, writes }) => [
      scenario,
      figure(importWallMs / 1000, 2),
      figure(timer.worstMs, 1),
      ...(writes
        ? [
            figure(writes.due),
            figure(writes.answered),
            figure(quantile(writes.latenciesMs, 0.5), 1),
            figure(statistics(writes.latenciesMs).max, 1),
          ]
        : ['-', '-', '-', '-']),
    ]),
  };
}
