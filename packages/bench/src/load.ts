import type { Benchmark } from './benchmark.ts';
import { CHUNK_BYTES } from './byte-chunks.ts';
import { figure, spread } from './figure.ts';
import { chooseLoadInput, type LoadInput, type LoadInputChoice, openLoadInput } from './load-input.ts';
import { type LoadMemory, measureLoadMemory } from './load-memory.ts';
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

/** Of these the memory is measured and the event loop watched; the others hold the same. */
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
  readonly memory: readonly (LoadMemory & { readonly loader: string })[];
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
  const memory: (LoadMemory & { loader: string })[] = [];
  for (const loader of MEMORY_LOADERS) {
    progress(`memory: ${loader}`);
    memory.push({ loader, ...(await measureLoadMemory({ loader, input: choice })) });
  }
  return { input, rounds: laps, memory, responsiveness };
}

function reportOf({ input, rounds: laps, memory, responsiveness }: LoadResult, rounds: number): Report {
  const quads = laps[0].quads;
  return {
    settings: [
      `${input.name}: ${figure(input.bytes.length / 2 ** 20, 1)} MiB in memory, uncompressed; ${figure(quads)} distinct quads`,
      `${rounds} rounds after 1 warm-up, loaders in turn in one process; text index off; chunks of ${CHUNK_BYTES / 1024} KiB`,
    ],
    tables: [speedTable(laps), memoryTable(laps, memory), responsivenessTable(responsiveness)],
    notes: [
      'Figures are median (least-most). CPU is user and system time of all threads; the ratio is of CPU, round by round, a peer over RDF Worlds: above 1 the peer is slower.',
      'Oxigraph is its WebAssembly build, all or nothing and checked as our import is; unchecked: no_transaction and lenient.',
      'Responsiveness comes from imports of its own. A write is one triple, due every 10 ms whether the one before was answered or not; its latency counts from when it was due.',
      'RSS growth is measured in a fresh process a loader, with the document in memory before and after.',
    ],
  };
}

function speedTable(laps: readonly LoaderLaps[]): Table {
  const [own] = laps;
  return {
    title: 'Speed',
    columns: ['', 'k quads per CPU s', 'k quads per wall s', 'CPU s', 'CPU ratio'],
    rows: laps.map(({ loader, quads, laps: own_ }) => {
      const cpu = own_.map(({ cpuMs }) => cpuMs);
      const wall = own_.map(({ wallMs }) => wallMs);
      const ratios = cpu.map((ms, round) => ms / own.laps[round].cpuMs);
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

function memoryTable(laps: readonly LoaderLaps[], memory: LoadResult['memory']): Table {
  return {
    title: 'Memory',
    columns: ['', 'own columns, B/quad', 'RSS growth, B/quad', 'RSS growth, MiB', 'peak RSS with document, MiB'],
    rows: memory.map(({ loader, quads, rssGrowth, peakRss }) => {
      const bytes = laps.find((each) => each.loader === loader)?.bytes;
      return [
        loader,
        bytes === undefined ? '-' : figure(bytes / quads, 1),
        figure(rssGrowth / quads, 1),
        figure(rssGrowth / 2 ** 20, 1),
        figure(peakRss / 2 ** 20, 1),
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
