import { figure, spread } from '../figure.ts';
import type { Report } from '../report.ts';
import { quantile, statistics } from '../statistics.ts';
import type { Lap } from '../stopwatch.ts';
import type { Table } from '../table.ts';
import { type CommitRates, IN_FLIGHT } from './commit-rate.ts';
import type { CrowdMemory } from './crowded-memory.ts';
import type { ImportLap, ReopenLap } from './import-and-reopen.ts';

/** The measurements of all rounds. */
export interface DurableLaps {
  readonly memory: readonly ImportLap[];
  readonly disk: readonly ImportLap[];
  /** After the checkpoint. */
  readonly diskBytes: number;
  readonly reopened: readonly ReopenLap[];
  readonly oxigraph: readonly { readonly quads: number; readonly load: Lap }[];
  /** Reopened with a text index. */
  readonly searched: ReopenLap;
  readonly rates: CommitRates;
}

export interface DurableInput {
  readonly name: string;
  readonly megabytes: number;
  readonly rounds: number;
  readonly commits: number;
}

export function durableReport(input: DurableInput, laps: DurableLaps): Report {
  const { rates } = laps;
  return {
    settings: [
      `${input.name}: ${figure(input.megabytes, 1)} MiB, uncompressed; ${figure(laps.memory[0].quads)} distinct quads; text index off but for the searches`,
      `${input.rounds} rounds in turn, each import and each reopening in a fresh process; files are in the page cache`,
      `commits of one triple, ${figure(rates.bytesPerCommit)} bytes in the log: ${figure(input.commits)} one after the other, ${figure(20 * input.commits)} with ${IN_FLIGHT} in flight, each round`,
    ],
    tables: [importTable(laps), searchTable(laps.searched), commitTable(rates)],
    notes: [
      'Figures are median (least-most). The ratio of imports is of rates: 1 is as fast as in memory. The ratio of reopening and loading is to the import on disk: a fifth of it is 0.20.',
      'Oxigraph is its WebAssembly build, which has no storage: loading is what it does each time that a process begins. In a process that has loaded much before it is several times as fast (`load`).',
      'Every commit is durable when it is answered. Raw is an append of as many bytes and an fdatasync by node:fs: async hands both to a thread and lets the event loop go on, as the storage does; sync stops the event loop until the disk has answered.',
    ],
  };
}

const wall = (laps: readonly Lap[]) => laps.map(({ wallMs }) => wallMs);
const cpu = (laps: readonly Lap[]) => laps.map(({ cpuMs }) => cpuMs);

function importTable({ memory, disk, diskBytes, reopened, oxigraph }: DurableLaps): Table {
  const { quads } = memory[0];
  const imports = disk.map((lap) => lap.import);
  const row = (name: string, laps: readonly Lap[], ratios: readonly number[]) => [
    name,
    spread(statistics(wall(laps))),
    spread(statistics(cpu(laps))),
    spread(statistics(wall(laps).map((ms) => quads / ms))),
    ratios.length > 0 ? spread(statistics(ratios), 2) : '-',
  ];
  const toImport = (laps: readonly Lap[]) => laps.map(({ wallMs }, round) => wallMs / imports[round].wallMs);
  return {
    title: `Import and reopening; ${figure(diskBytes / quads, 1)} bytes per quad on disk after the checkpoint`,
    columns: ['', 'wall ms', 'CPU ms', 'k quads per wall s', 'ratio'],
    rows: [
      row(
        'import in memory',
        memory.map((lap) => lap.import),
        [],
      ),
      row(
        'import on disk',
        imports,
        imports.map(({ wallMs }, round) => memory[round].import.wallMs / wallMs),
      ),
      row(
        'checkpoint after it',
        disk.map((lap) => lap.checkpoint!),
        [],
      ),
      row(
        'reopening, to the first answer',
        reopened.map(({ open }) => open),
        toImport(reopened.map(({ open }) => open)),
      ),
      row(
        'Oxigraph, loading',
        oxigraph.map(({ load }) => load),
        toImport(oxigraph.map(({ load }) => load)),
      ),
    ],
  };
}

function searchTable({ open, searches }: ReopenLap): Table {
  const [first, next] = searches!;
  const row = (name: string, { wallMs, cpuMs }: Lap) => [name, figure(wallMs, 1), figure(cpuMs, 1)];
  return {
    title: 'Reopening with a text index, once',
    columns: ['', 'wall ms', 'CPU ms'],
    rows: [
      row('reopening, to the first answer', open),
      row('the first search, which makes the index', first),
      row('the next search', next),
    ],
  };
}

function commitTable({ oneAtATime, inFlight, rawAsync, rawSync }: CommitRates): Table {
  const to = (rates: readonly number[], others: readonly number[]) =>
    spread(statistics(rates.map((rate, round) => rate / others[round])), 2);
  return {
    title: 'Durable commits a second',
    columns: ['', 'a second', 'to raw, async', 'to raw, sync'],
    rows: [
      ['one at a time', spread(statistics(oneAtATime)), to(oneAtATime, rawAsync), to(oneAtATime, rawSync)],
      [`${IN_FLIGHT} in flight`, spread(statistics(inFlight)), to(inFlight, rawAsync), to(inFlight, rawSync)],
      ['raw append and fdatasync, async', spread(statistics(rawAsync)), '1.00', to(rawAsync, rawSync)],
      ['raw append and fdatasync, sync', spread(statistics(rawSync)), to(rawSync, rawAsync), '1.00'],
    ],
  };
}

export interface CrowdSettings {
  readonly namespaces: number;
  readonly quads: number;
  readonly capMiB: number;
  readonly diskBytes: number;
  readonly seed: number;
}

const MIB = 2 ** 20;
/** Permitted peak RSS relative to the memory limit, in addition to that of an empty process. */
const TOLERANCE = 1.2;

export function crowdReport(
  { namespaces, quads, capMiB, diskBytes, seed }: CrowdSettings,
  memory: CrowdMemory,
): Report {
  const { peakRss, emptyRss, loads, returns, loadingMs, presentMs, operations, searches, writes } = memory;
  const allowed = TOLERANCE * capMiB * MIB + emptyRss;
  const latency = (name: string, values: readonly number[]) => [
    name,
    figure(values.length),
    ...(values.length > 0
      ? [quantile(values, 0.5), quantile(values, 0.99), statistics(values).max].map((ms) => figure(ms, 2))
      : ['-', '-', '-']),
  ];
  return {
    settings: [
      `${figure(namespaces)} namespaces of ${figure(quads)} generated academic quads, seed ${seed}; ${figure(diskBytes / MIB)} MiB on disk; maxMemoryBytes ${figure(capMiB)} MiB`,
      `${figure(operations)} operations on random namespaces in a fresh process: ${figure(searches)} searches, ${figure(writes)} writes, else queries that count all quads; all were answered, and rightly`,
    ],
    tables: [
      {
        title: 'Memory of the process, MiB',
        columns: ['', 'MiB'],
        rows: [
          ['peak RSS', figure(peakRss / MIB)],
          ['empty process', figure(emptyRss / MIB)],
          [`${TOLERANCE} x ${figure(capMiB)} and the empty process`, figure(allowed / MIB)],
          ['peak RSS is below it', peakRss <= allowed ? 'yes' : 'NO'],
        ],
      },
      {
        title: 'Namespaces in memory',
        columns: ['', 'count'],
        rows: [
          ['came', figure(loads)],
          ['of them, had left before', figure(returns)],
        ],
      },
      {
        title: 'Latency of operations, wall ms',
        columns: ['', 'operations', 'p50', 'p99', 'worst'],
        rows: [latency('a namespace had to come', loadingMs), latency('it was there', presentMs)],
      },
    ],
    notes: [
      'The empty process has an engine in memory that has answered a query, a search and a write: code is loaded, nothing is kept.',
      'A search is the first of its namespace mostly, and makes the text index; that one counts against the limit.',
    ],
  };
}
