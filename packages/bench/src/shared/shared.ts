import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type pg from 'pg';
import { PostgresServer } from '../../../storage-postgres/test/postgres-server.ts';
import { UsageError } from '../arguments.ts';
import type { Benchmark } from '../benchmark.ts';
import { runChild } from '../child-run.ts';
import { figure, spread } from '../figure.ts';
import { type OptionValues, SEED_OPTION } from '../option.ts';
import type { Report } from '../report.ts';
import { quantile, statistics } from '../statistics.ts';
import type { Lap } from '../stopwatch.ts';
import type { Table } from '../table.ts';
import { IN_FLIGHT, type LoadResult } from './commit-load.ts';
import { type Moments, PACE_MS } from './lag.ts';
import type { ReadLoadResult } from './read-load.ts';
import { nowMs, poolOf, type SharedPlace } from './shared-place.ts';
import type { SharedWork } from './shared-tasks.ts';

const OPTIONS = {
  server: {
    kind: 'file',
    meaning: 'folder of the socket of a running server, whose user and database are postgres; else one is started',
  },
  quads: { kind: 'integer', default: 1_000_000, min: 100, meaning: 'quads of the world that is read and opened' },
  seconds: { kind: 'integer', default: 5, min: 1, meaning: 'of each load' },
  rounds: { kind: 'integer', default: 3, min: 1, meaning: 'measured rounds' },
  seed: SEED_OPTION,
} as const;

type Values = OptionValues<typeof OPTIONS>;

const PROCESSES = [1, 2, 4];
const READ = 'bench/read';
const NOTES = 'bench/notes';
export const sharedBenchmark: Benchmark<typeof OPTIONS> = {
  name: 'shared',
  summary: 'several processes on one PostgreSQL database or one directory: commits, lag, reads, opening',
  options: OPTIONS,
  async run(values, progress): Promise<Report> {
    const folder = await mkdtemp(join(tmpdir(), 'rdf-worlds-shared-'));
    // As a server is by default: a commit is on the disk when it is acknowledged.
    const started = values.server ? undefined : await PostgresServer.start(['fsync=on']).catch(missing);
    const server = started?.address ?? { host: values.server!, user: 'postgres', database: 'postgres' };
    try {
      return await new SharedRun(values, server, folder, progress).report();
    } finally {
      await started?.dispose();
      await rm(folder, { recursive: true, force: true });
    }
  },
};

function missing(cause: unknown): never {
  throw new UsageError(cause instanceof Error ? cause.message : String(cause));
}

const child = <Result>(work: SharedWork) => runChild<Result>('shared-child', work);

interface Filled {
  readonly quads: number;
  readonly revision: number;
}

class SharedRun {
  readonly #values: Values;
  readonly #server: pg.PoolConfig;
  readonly #folder: string;
  readonly #progress: (message: string) => void;
  readonly #pool: pg.Pool;
  #schemas = 0;
  /** For processes to start and to open the place, several at a time. */
  #startMs = 0;
  /** The same, of the filled world. */
  #openMs = 0;

  constructor(values: Values, server: pg.PoolConfig, folder: string, progress: (message: string) => void) {
    this.#values = values;
    this.#server = server;
    this.#folder = folder;
    this.#progress = progress;
    this.#pool = poolOf(server);
  }

  async report(): Promise<Report> {
    const { quads, seconds, rounds, seed } = this.#values;
    try {
      const [{ version }] = (await this.#pool.query('SELECT version()')).rows;
      const commits = await this.#commits();
      const database = this.#newPlace();
      const directory: SharedPlace = { kind: 'directory', path: join(this.#folder, 'worlds') };
      this.#progress(`filling ${quads} quads`);
      const filled: Filled[] = [];
      for (const place of [database, directory])
        filled.push(await child<Filled>({ task: 'fill', place, source: READ, quads, seed }));
      if (filled[0].quads !== filled[1].quads) throw new Error('The database and the directory differ.');
      const openedMs = nowMs();
      await child({ task: 'open', place: database, source: READ });
      this.#openMs = 2000 + 4 * (nowMs() - openedMs);
      const tables = [commits, await this.#reads(database), await this.#openings(database, directory)];
      tables.push(await this.#lags(database, directory, filled[0].revision), await this.#paired());
      return {
        settings: [
          `${String(version).split(' on ')[0]}, fsync on, one machine for all; 10 connections a process`,
          `${rounds} rounds; loads of ${seconds} s with ${IN_FLIGHT} writes of one triple in flight a process; ${figure(filled[0].quads)} quads, seed ${seed}`,
        ],
        tables,
        notes: [
          'Figures are median (least-most) of the rounds. Raw is INSERT of one row with as many bytes as a commit has in the log, as many in flight over as many connections, in the same round.',
          'Lag is from the acknowledgement of a commit in one process to the change feed of another, at 200 commits a second.',
          'Paired reads alternate in one process between a private directory and a place to which another process commits 200 times a second; applying these commits is part of both.',
        ],
      };
    } finally {
      await this.#pool.end();
    }
  }

  #newPlace(): SharedPlace & { readonly kind: 'postgres' } {
    return { kind: 'postgres', server: this.#server, schema: `bench_${process.pid}_${++this.#schemas}` };
  }

  async #commits(): Promise<Table> {
    const { rounds, seconds } = this.#values;
    const milliseconds = seconds * 1000;
    const place = this.#newPlace();
    for (const source of ['bench', 'n0', 'n1', 'n2', 'n3']) {
      const begunMs = nowMs();
      await child({ task: 'fill', place, source: `${source}/read`, quads: 10, seed: 1 });
      this.#startMs = Math.max(this.#startMs, 1000 + 3 * (nowMs() - begunMs));
    }
    await this.#pool.query('CREATE TABLE IF NOT EXISTS bench_raw (id bigserial PRIMARY KEY, data bytea NOT NULL)');
    const bytes = await this.#bytesOf(place);
    const results = new Map<string, { rates: number[]; ratios: number[]; cpuUs: number[]; slowestMs: number[] }>();
    let first = 0;
    for (let round = 1; round <= rounds; round++) {
      for (const processes of PROCESSES) {
        this.#progress(`commits of ${processes} processes, round ${round} of ${rounds}`);
        const ids = Array.from({ length: processes }, (_, at) => at);
        const run = async (kind: string, workOf: (at: number, startMs: number) => SharedWork, rawRate?: number) => {
          const startMs = nowMs() + this.#startMs;
          const all = await Promise.all(ids.map((at) => child<LoadResult>(workOf(at, startMs))));
          const done = all.reduce((sum, each) => sum + each.done, 0);
          const rate = (1000 * done) / Math.max(...all.map(({ wallMs }) => wallMs));
          const name = `${kind}, ${processes} ${processes === 1 ? 'process' : 'processes'}`;
          const row = results.get(name) ?? { rates: [], ratios: [], cpuUs: [], slowestMs: [] };
          results.set(name, row);
          row.rates.push(rate);
          row.cpuUs.push((1000 * all.reduce((sum, { cpuMs }) => sum + cpuMs, 0)) / done);
          row.slowestMs.push(Math.max(...all.map(({ slowestMs }) => slowestMs)));
          if (rawRate !== undefined) row.ratios.push(rate / rawRate);
          return rate;
        };
        const raw = await run('raw INSERT', (_, startMs) => {
          return { task: 'raw', server: this.#server, table: 'bench_raw', bytes, startMs, milliseconds };
        });
        const commit = (source: string, startMs: number): SharedWork => {
          first += 1_000_000;
          return { task: 'commits', place, source, first, startMs, milliseconds };
        };
        await run('one namespace', (_, startMs) => commit(NOTES, startMs), raw);
        await run('a namespace each', (at, startMs) => commit(`n${at}/notes`, startMs), raw);
      }
    }
    return {
      title: `Commits of one triple, ${figure(bytes)} bytes in the log`,
      columns: ['load', 'a second', 'of raw', 'CPU us each', 'slowest ms'],
      rows: [...results].map(([name, { rates, ratios, cpuUs, slowestMs }]) => [
        name,
        spread(statistics(rates)),
        ratios.length > 0 ? spread(statistics(ratios), 2) : '-',
        spread(statistics(cpuUs)),
        spread(statistics(slowestMs)),
      ]),
    };
  }

  /** The bytes of one commit in the log. */
  async #bytesOf(place: SharedPlace & { readonly kind: 'postgres' }): Promise<number> {
    await child({ task: 'commits', place, source: NOTES, first: 0, startMs: nowMs(), milliseconds: 1000 });
    const { rows } = await this.#pool.query(
      `SELECT sum(byte_length) / sum(records) AS bytes FROM ${place.schema}.worlds_records`,
    );
    return Math.round(Number(rows[0].bytes));
  }

  async #reads(place: SharedPlace): Promise<Table> {
    const { rounds, seconds } = this.#values;
    const rates = new Map<number, number[]>(PROCESSES.map((processes) => [processes, []]));
    for (let round = 1; round <= rounds; round++) {
      for (const processes of PROCESSES) {
        this.#progress(`reads of ${processes} processes, round ${round} of ${rounds}`);
        const startMs = nowMs() + this.#openMs;
        const work: SharedWork = { task: 'reads', place, source: READ, startMs, milliseconds: seconds * 1000 };
        const all = await Promise.all(Array.from({ length: processes }, () => child<ReadLoadResult>(work)));
        rates.get(processes)!.push(all.reduce((sum, { reads, wallMs }) => sum + (1000 * reads) / wallMs, 0));
      }
    }
    return {
      title: 'Queries of ten rows, one after the other in each process',
      columns: ['processes', 'a second'],
      rows: [...rates].map(([processes, each]) => [`${processes}`, spread(statistics(each))]),
    };
  }

  async #openings(database: SharedPlace & { readonly kind: 'postgres' }, directory: SharedPlace): Promise<Table> {
    const laps = { database: [] as Lap[], directory: [] as Lap[], raw: [] as Lap[] };
    for (let round = 1; round <= this.#values.rounds; round++) {
      this.#progress(`opening, round ${round} of ${this.#values.rounds}`);
      laps.raw.push(await this.#readParts(database.schema));
      laps.database.push(await child({ task: 'open', place: database, source: READ }));
      laps.directory.push(await child({ task: 'open', place: directory, source: READ }));
    }
    const row = (name: string, each: readonly Lap[]) => [
      name,
      spread(statistics(each.map(({ wallMs }) => wallMs))),
      spread(statistics(each.map(({ cpuMs }) => cpuMs))),
    ];
    return {
      title: 'Opening, to the first answer of a fresh process',
      columns: ['from', 'ms', 'CPU ms'],
      rows: [
        row('PostgreSQL', laps.database),
        row('a directory', laps.directory),
        row('raw SELECT of the same bytes', laps.raw),
      ],
    };
  }

  async #readParts(schema: string): Promise<Lap> {
    const started = performance.now();
    const before = process.cpuUsage();
    const { rows } = await this.#pool.query(`SELECT blob, part FROM ${schema}.worlds_parts ORDER BY blob, part`);
    for (const { blob, part } of rows)
      await this.#pool.query(
        `SELECT encode(data, 'base64') AS data FROM ${schema}.worlds_parts WHERE blob = $1 AND part = $2`,
        [blob, part],
      );
    const { user, system } = process.cpuUsage(before);
    return { wallMs: performance.now() - started, cpuMs: (user + system) / 1000 };
  }

  async #lags(database: SharedPlace, directory: SharedPlace, revision: number): Promise<Table> {
    const { rounds, seconds } = this.#values;
    const writes = (seconds * 1000) / PACE_MS;
    const rows: string[][] = [];
    const pairs: [string, SharedPlace, SharedPlace][] = [
      ['PostgreSQL', database, database],
      ['a directory', directory, followerOf(directory)],
    ];
    for (const [name, place, reader] of pairs) {
      const p50: number[] = [];
      const p99: number[] = [];
      let last = revision;
      for (let round = 1; round <= rounds; round++) {
        this.#progress(`lag of ${name}, round ${round} of ${rounds}`);
        last += writes;
        const startMs = nowMs() + this.#openMs;
        const [acknowledged, seen] = await Promise.all([
          child<Moments>({ task: 'paced', place, source: NOTES, startMs, first: last, writes }),
          child<Moments>({ task: 'follow', place: reader, namespace: 'bench', last }),
        ]);
        const at = new Map(acknowledged);
        const lags = seen.flatMap(([revision, atMs]) =>
          at.has(revision) ? [Math.max(0, atMs - at.get(revision)!)] : [],
        );
        if (lags.length < writes / 2) throw new Error(`${lags.length} of ${writes} commits were followed.`);
        p50.push(quantile(lags, 0.5));
        p99.push(quantile(lags, 0.99));
      }
      rows.push([name, spread(statistics(p50), 1), spread(statistics(p99), 1)]);
    }
    return { title: 'Lag at 200 commits a second', columns: ['place', 'p50 ms', 'p99 ms'], rows };
  }

  async #paired(): Promise<Table> {
    const rows: string[][] = [];
    const { quads, seconds, seed } = this.#values;
    const [own, written]: SharedPlace[] = ['private', 'written'].map((name) => {
      return { kind: 'directory', path: join(this.#folder, name) };
    });
    for (const place of [own, written])
      await child({ task: 'fill', place, source: READ, quads: Math.min(quads, 100_000), seed });
    const copy = this.#newPlace();
    await child({ task: 'fill', place: copy, source: READ, quads: Math.min(quads, 100_000), seed });
    const pairs: [string, SharedPlace, SharedPlace][] = [
      ['PostgreSQL', copy, copy],
      ['a follower of a directory', written, followerOf(written)],
    ];
    for (const [name, place, reader] of pairs) {
      this.#progress(`paired reads of ${name}`);
      const writes = Math.max(20, seconds) * (1000 / PACE_MS);
      const writing = child({
        task: 'paced',
        place,
        source: NOTES,
        startMs: nowMs() + this.#startMs,
        first: 0,
        writes,
      });
      writing.catch(() => undefined); // Awaited below.
      await new Promise((resolve) => setTimeout(resolve, this.#startMs));
      const places = [own, reader];
      const [private_, shared] = await child<number[][]>({
        task: 'paired',
        places,
        source: READ,
        rounds: 40,
        reads: 200,
      });
      await writing;
      const ratios = private_.map((us, round) => shared[round] / us);
      rows.push([
        name,
        figure(statistics(private_).median, 1),
        figure(statistics(shared).median, 1),
        `${figure(statistics(ratios).median, 3)} (${figure(quantile(ratios, 0.25), 3)}-${figure(quantile(ratios, 0.75), 3)})`,
      ]);
    }
    return {
      title: 'CPU of a query of ten rows at the head, paired with a private directory',
      columns: ['place', 'private us', 'shared us', 'ratio, quartiles'],
      rows,
    };
  }
}

function followerOf(place: SharedPlace): SharedPlace {
  if (place.kind !== 'directory') return place;
  return { kind: 'follower', path: place.path };
}
