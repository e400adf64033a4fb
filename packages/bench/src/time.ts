import { WorldsEngine } from '@rdf-worlds/core';
import type { Benchmark } from './benchmark.ts';
import { figure, spread } from './figure.ts';
import { collectGarbage } from './garbage-collection.ts';
import { noteQuad } from './note-quad.ts';
import { settledMemory } from './settled-memory.ts';
import { statistics } from './statistics.ts';
import { Stopwatch } from './stopwatch.ts';

const OPTIONS = {
  quads: { kind: 'integer', default: 1_000_000, min: 1000, meaning: 'quads of the world' },
  commits: { kind: 'integer', default: 10_000, min: 101, meaning: 'commits of one quad after its import' },
  rounds: { kind: 'integer', default: 9, min: 1, meaning: 'rounds of each measurement' },
} as const;

/** Repetitions of a query in one measurement. */
const REPEATS = 20;
const MEBIBYTE = 1 << 20;

/** A star of four properties per subject; every tenth subject knows another one. */
function document(quads: number, blank: boolean): string {
  const lines: string[] = [];
  for (let i = 0; lines.length < quads; i++) {
    const subject = blank && i % 2 === 0 ? `_:n${i}` : `<https://data.example/person/${i}>`;
    lines.push(
      `${subject} <https://vocabulary.example/name> "Person ${i}" .`,
      `${subject} <https://vocabulary.example/age> "${i % 90}" .`,
      `${subject} <https://vocabulary.example/city> <https://data.example/city/${i % 500}> .`,
      `${subject} <https://vocabulary.example/knows> <https://data.example/person/${(i * 7919) % 250_000}> .`,
    );
  }
  return lines.slice(0, quads).join('\n');
}

const QUERIES = {
  lookup: 'SELECT ?p ?o { <https://data.example/person/1001> ?p ?o }',
  join: `SELECT (COUNT(*) AS ?n) {
    ?a <https://vocabulary.example/city> <https://data.example/city/77> ; <https://vocabulary.example/knows> ?b .
    ?b <https://vocabulary.example/age> ?age }`,
} as const;

export const timeBenchmark: Benchmark<typeof OPTIONS> = {
  name: 'time',
  summary: 'queries of the past, forks and differences',
  options: OPTIONS,
  async run({ quads, commits, rounds }, progress) {
    progress(`a world of ${quads} quads, then ${commits} commits`);
    const engine = await WorldsEngine.open({ history: { keepRevisions: commits }, textIndex: null });
    await engine.createWorld({ slug: 'people' });
    await engine.import({ source: 'people', data: document(quads, false) });
    const base = (await engine.getNamespace())!.revision;
    for (let i = 0; i < commits; i++) await engine.write({ source: 'people', insert: [noteQuad(i)] });
    await engine.settle();
    const { history } = await engine.stats();

    const queries = await measureQueries(engine, { base, commits, rounds }, progress);
    const copies = [];
    for (const blank of [false, true]) copies.push(await measureCopies(blank, { quads, rounds }, progress));
    await engine.close();
    return {
      settings: [`${figure(quads)} quads, ${figure(commits)} commits of one quad, median of ${rounds} rounds`],
      tables: [
        {
          title: 'A query of the past, microseconds of CPU time',
          columns: ['', 'first', ...Object.keys(QUERIES)],
          rows: queries,
        },
        {
          title: 'Fork and difference',
          columns: [
            '',
            'fork ms',
            'M quads/s',
            'fork MiB',
            'same ms',
            'after 1,000 changes ms',
            'of an import ms',
            'MiB',
          ],
          rows: copies,
        },
      ],
      notes: [
        `"first" is one lookup before anything is remembered of that revision; the others are repeated.`,
        `The history of ${figure(history!.commits)} commits takes ${figure(history!.bytes / MEBIBYTE, 1)} MiB.`,
        '"same" compares a world with its fork; "of an import" compares it with another import of the same document and 1,000 changes. The last column is what that difference allocates.',
      ],
    };
  },
};

async function measureQueries(
  engine: WorldsEngine,
  { base, commits, rounds }: { base: number; commits: number; rounds: number },
  progress: (message: string) => void,
): Promise<string[][]> {
  const back = [undefined, 1, 100, commits];
  const moments = back.map((ago) => (ago === undefined ? undefined : base + commits - ago));
  const firsts = await Promise.all(back.map(() => '-'));
  for (const [i, at] of moments.entries()) {
    if (at === undefined) continue;
    const watch = new Stopwatch();
    await run(engine, QUERIES.lookup, at);
    firsts[i] = figure(watch.lap().cpuMs * 1000);
  }
  const times = moments.map(() => Object.keys(QUERIES).map((): number[] => []));
  for (let round = 0; round < rounds; round++) {
    progress(`queries, round ${round + 1} of ${rounds}`);
    for (const [i, at] of moments.entries()) {
      for (const [k, query] of Object.values(QUERIES).entries()) {
        const watch = new Stopwatch();
        for (let repeat = 0; repeat < REPEATS; repeat++) await run(engine, query, at);
        times[i][k].push((watch.lap().cpuMs * 1000) / REPEATS);
      }
    }
  }
  return moments.map((_, i) => [
    back[i] === undefined ? 'now' : `${figure(back[i])} commits ago`,
    firsts[i],
    ...times[i].map((laps) => spread(statistics(laps))),
  ]);
}

async function run(engine: WorldsEngine, query: string, at: number | undefined): Promise<void> {
  await (await engine.select({ query, sources: ['people'], at })).array();
}

async function measureCopies(
  blank: boolean,
  { quads, rounds }: { quads: number; rounds: number },
  progress: (message: string) => void,
): Promise<string[]> {
  const engine = await WorldsEngine.open({ textIndex: null });
  const data = document(quads, blank);
  for (const slug of ['people', 'again']) {
    await engine.createWorld({ slug });
    await engine.import({ source: slug, data });
  }
  await engine.settle();
  const forks: number[] = [];
  let bytes = 0;
  for (let round = 0; round < rounds; round++) {
    progress(`forks ${blank ? 'with' : 'without'} blank nodes, round ${round + 1} of ${rounds}`);
    const before = (await settledMemory()).held;
    const watch = new Stopwatch();
    await engine.fork({ source: 'people', slug: 'fork' });
    forks.push(watch.lap().cpuMs);
    bytes = (await settledMemory()).held - before;
    if (round < rounds - 1) {
      await engine.deleteWorld({ source: 'fork' });
      await engine.compact();
    }
  }
  const changes = Array.from({ length: 1000 }, (_, i) => noteQuad(i));
  const diff = async (to: string) => {
    const laps: number[] = [];
    for (let round = 0; round < rounds; round++) {
      const watch = new Stopwatch();
      await engine.diff({ source: 'people', to: { source: to } });
      laps.push(watch.lap().cpuMs);
    }
    return spread(statistics(laps), 1);
  };
  progress(`differences ${blank ? 'with' : 'without'} blank nodes`);
  const same = await diff('fork');
  await engine.write({ source: 'fork', insert: changes });
  const changed = await diff('fork');
  // Blank nodes of other worlds are paired by canonical forms, which is another matter.
  let imported = '-';
  let allocated = '-';
  if (!blank) {
    await engine.write({ source: 'again', insert: changes });
    imported = await diff('again');
    collectGarbage();
    const before = process.memoryUsage().arrayBuffers;
    await engine.diff({ source: 'people', to: { source: 'again' } });
    allocated = figure((process.memoryUsage().arrayBuffers - before) / MEBIBYTE);
  }
  await engine.close();
  const { median } = statistics(forks);
  return [
    blank ? 'half of the subjects blank' : 'no blank nodes',
    spread(statistics(forks), 1),
    figure(quads / median / 1000, 1),
    figure(bytes / MEBIBYTE, 1),
    same,
    changed,
    imported,
    allocated,
  ];
}
