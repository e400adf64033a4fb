import { WorldsEngine } from '@rdf-worlds/core';
import { type AcademicDataSettings, academicPieces } from './academic-data.ts';
import type { Benchmark } from './benchmark.ts';
import { CHUNK_BYTES } from './byte-chunks.ts';
import { figure } from './figure.ts';
import { becomeIdle } from './idle.ts';
import { noteQuad } from './note-quad.ts';
import { SEED_OPTION } from './option.ts';
import { PacedCalls, type PacedCallsResult } from './paced-calls.ts';
import { settledMemory } from './settled-memory.ts';
import { quantile, statistics } from './statistics.ts';
import { Stopwatch } from './stopwatch.ts';

const OPTIONS = {
  quads: { kind: 'integer', default: 10_000_000, min: 1, meaning: 'generated quads' },
  seed: SEED_OPTION,
} as const;

/** Interval of the queries during the import. */
const TICK_MS = 10;
const NOTES = 100;
/** Queries before the import, so that their code is compiled. */
const WARM_QUERIES = 500;

export interface StreamResult {
  readonly quads: number;
  /** Of the generator alone. */
  readonly generatorCpuMs: number;
  /** Of the import with the generator and the queries. */
  readonly cpuMs: number;
  readonly wallMs: number;
  readonly queries: PacedCallsResult;
  /** Growth of the RSS, in bytes: the most during the import, and what is left afterwards. */
  readonly peakGrowth: number;
  readonly rssGrowth: number;
  /** The engine's own count of its memory, in bytes. */
  readonly columns: number;
}

export const streamBenchmark: Benchmark<typeof OPTIONS> = {
  name: 'stream',
  summary: 'import of a long stream into memory, and queries of another namespace meanwhile',
  options: OPTIONS,
  async run(values, progress) {
    const result = await measureStream(values, progress);
    const { quads, wallMs, cpuMs, generatorCpuMs, queries, peakGrowth, rssGrowth, columns } = result;
    const { latenciesMs } = queries;
    const mebibytes = (bytes: number) => figure(bytes / 2 ** 20);
    return {
      settings: [
        `${figure(values.quads)} generated academic quads, seed ${values.seed}, generated while they are read, in chunks of ${CHUNK_BYTES / 1024} KiB; text index off`,
        `a query of one triple every ${TICK_MS} ms in another namespace; its latency counts from when it was due`,
      ],
      tables: [
        {
          title: 'Import',
          columns: ['', 'import'],
          rows: [
            ['wall, s', figure(wallMs / 1000, 1)],
            ['CPU, s', figure(cpuMs / 1000, 1)],
            ['of it the generator alone, s', figure(generatorCpuMs / 1000, 1)],
            ['k quads per wall s', figure(quads / wallMs)],
            ['RSS growth at most, MiB', mebibytes(peakGrowth)],
            ['RSS growth afterwards, MiB', mebibytes(rssGrowth)],
            ['own columns, B/quad', figure(columns / quads, 1)],
            ['queries meanwhile', figure(queries.due)],
            ['latency p50, ms', figure(quantile(latenciesMs, 0.5), 1)],
            ['p99, ms', figure(quantile(latenciesMs, 0.99), 1)],
            ['worst, ms', figure(statistics(latenciesMs).max, 1)],
          ],
        },
      ],
      notes: ['CPU is user and system time of all threads, with those of the generator and the queries.'],
    };
  },
};

/** Runs the measurement once. Throws if the engine does not hold all quads afterwards. */
export async function measureStream(
  { quads, seed }: AcademicDataSettings,
  progress: (message: string) => void,
): Promise<StreamResult> {
  progress('generating');
  const generating = new Stopwatch();
  for (const _ of academicPieces({ quads, seed }, CHUNK_BYTES));
  const generatorCpuMs = generating.lap().cpuMs;

  const engine = await WorldsEngine.open({ textIndex: null });
  const imported = { slug: 'imported', namespace: 'importing' };
  const asked = { slug: 'notes', namespace: 'asking' };
  await engine.createWorld(imported);
  await engine.createWorld(asked);
  await engine.write({ source: asked, insert: Array.from({ length: NOTES }, (_, number) => noteQuad(number)) });
  const ask = async (number: number) => {
    const { subject, predicate } = noteQuad(number % NOTES);
    const query = `SELECT ?text { <${subject.value}> <${predicate.value}> ?text }`;
    const rows = await (await engine.select({ query, sources: [asked] })).array();
    if (rows.length !== 1) throw new Error(`${rows.length} rows for note ${number % NOTES}, not 1.`);
  };
  for (let number = 0; number < WARM_QUERIES; number++) await ask(number);
  await becomeIdle();

  progress('importing');
  const before = await settledMemory();
  const watch = new Stopwatch();
  const calls = new PacedCalls(TICK_MS, ask);
  await engine.import({ source: imported, data: pieces({ quads, seed }), contentType: 'application/n-triples' });
  const { wallMs, cpuMs } = watch.lap();
  const queries = await calls.stop();
  const peakRss = process.resourceUsage().maxRSS * 1024;
  await engine.settle();
  const after = await settledMemory();
  const { quads: held, bytes: columns } = await engine.stats();
  if (held !== quads + NOTES) throw new Error(`There are ${held} quads, not ${quads} and ${NOTES} notes.`);
  await engine.close();
  const [peakGrowth, rssGrowth] = [peakRss - before.rss, after.rss - before.rss];
  return { quads, generatorCpuMs, cpuMs, wallMs, queries, peakGrowth, rssGrowth, columns };
}

async function* pieces(settings: AcademicDataSettings): AsyncGenerator<Uint8Array> {
  yield* academicPieces(settings, CHUNK_BYTES);
}
