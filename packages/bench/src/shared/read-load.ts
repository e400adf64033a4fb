import type { WorldsEngine } from '@rdf-worlds/core';
import { academicDocument } from '../academic-data.ts';
import { Stopwatch } from '../stopwatch.ts';
import { nowMs, type SharedPlace, until, withEngine } from './shared-place.ts';

export interface FillSharedWork {
  readonly task: 'fill';
  readonly place: SharedPlace;
  readonly source: string;
  readonly quads: number;
  readonly seed: number;
}

export interface ReadLoadWork {
  readonly task: 'reads';
  readonly place: SharedPlace;
  readonly source: string;
  readonly startMs: number;
  readonly milliseconds: number;
}

export interface PairedReadsWork {
  readonly task: 'paired';
  /** A private directory, and a place that another process writes to. */
  readonly places: readonly SharedPlace[];
  readonly source: string;
  readonly rounds: number;
  /** Reads per round and place. */
  readonly reads: number;
}

export interface OpeningWork {
  readonly task: 'open';
  readonly place: SharedPlace;
  readonly source: string;
}

const QUERY = 'SELECT ?p ?o { ?s a ?class ; ?p ?o } LIMIT 10';

export function fillShared({
  place,
  source,
  quads,
  seed,
}: FillSharedWork): Promise<{ quads: number; revision: number }> {
  return withEngine(place, async (engine) => {
    const [namespace, slug] = source.split('/');
    await engine.createWorld({ namespace, slug });
    await engine.createWorld({ namespace, slug: 'notes' });
    const data = academicDocument({ seed, quads, base: 'https://data.example/' });
    await engine.import({ source, data, contentType: 'application/n-triples' });
    await engine.checkpoint({ namespace });
    const { revision } = (await engine.getWorld({ source }))!;
    return { quads: (await engine.stats({ namespace })).quads, revision };
  });
}

async function read(engine: WorldsEngine, source: string): Promise<void> {
  const rows = await (await engine.select({ sources: [source], query: QUERY })).array();
  if (rows.length !== 10) throw new Error(`A read returned ${rows.length} rows.`);
}

export interface ReadLoadResult {
  readonly reads: number;
  readonly wallMs: number;
  readonly cpuMs: number;
}

/** Queries one after the other. */
export function loadReads({ place, source, startMs, milliseconds }: ReadLoadWork): Promise<ReadLoadResult> {
  return withEngine(place, async (engine) => {
    for (let warm = 0; warm < 500; warm++) await read(engine, source);
    await until(startMs);
    const watch = new Stopwatch();
    let reads = 0;
    const endMs = nowMs() + milliseconds;
    while (nowMs() < endMs) {
      await read(engine, source);
      reads++;
      // Commits of others arrive between two reads.
      if (reads % 20 === 0) await new Promise((resolve) => setImmediate(resolve));
    }
    return { reads, ...watch.lap() };
  });
}

/** Returns the CPU time of each round of reads, in microseconds a read, by place. */
export async function pairReads({ places, source, rounds, reads }: PairedReadsWork): Promise<number[][]> {
  const [first, second] = places;
  return withEngine(first, (one) =>
    withEngine(second, async (other) => {
      const times: number[][] = [[], []];
      for (let round = -5; round < rounds; round++) {
        // The order alternates.
        for (const at of round % 2 === 0 ? [0, 1] : [1, 0]) {
          const engine = at === 0 ? one : other;
          await new Promise((resolve) => setImmediate(resolve));
          const watch = new Stopwatch();
          for (let n = 0; n < reads; n++) await read(engine, source);
          const { cpuMs } = watch.lap();
          if (round >= 0) times[at].push((cpuMs * 1000) / reads);
        }
      }
      return times;
    }),
  );
}

/** The time from opening the place to the first answer. */
export async function measureOpening({ place, source }: OpeningWork): Promise<{ wallMs: number; cpuMs: number }> {
  const watch = new Stopwatch();
  return withEngine(place, async (engine) => {
    await read(engine, source);
    return watch.lap();
  });
}
