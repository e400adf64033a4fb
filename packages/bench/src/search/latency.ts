import { becomeIdle } from '../idle.ts';
import { quantile } from '../statistics.ts';
import { type Lap, Stopwatch } from '../stopwatch.ts';

/** A system that answers queries of one class. */
export interface Answerer<Query> {
  readonly name: string;
  ask(query: Query): unknown;
}

export interface LatencySettings {
  readonly rounds: number;
  /** CPU time per round; a slow system skips the remaining queries once it is used up. */
  readonly budgetMs: number;
  /**
   * Minimum CPU time of the warm-up, in which all queries are repeated: V8 compiles the code of
   * short queries only after thousands of calls.
   */
  readonly warmMs: number;
}

/** The laps of one system: for each query one per round, or none if there was no time for it. */
export interface Latencies {
  readonly name: string;
  readonly laps: readonly (readonly Lap[])[];
}

/** Minimum number of queries, even for a slow system. */
const LEAST_QUERIES = 5;

/** Warms up every system, then asks each all queries in turn, rotating the order each round. */
export async function measureLatencies<Query>(
  answerers: readonly Answerer<Query>[],
  queries: readonly Query[],
  { rounds, budgetMs, warmMs }: LatencySettings,
): Promise<Latencies[]> {
  for (const answerer of answerers) {
    let usedMs = 0;
    do usedMs += await askAll(answerer, queries, budgetMs);
    while (usedMs < warmMs);
  }
  const laps = answerers.map(() => queries.map((): Lap[] => []));
  for (let round = 0; round < rounds; round++) {
    await becomeIdle();
    for (let turn = 0; turn < answerers.length; turn++) {
      const at = (turn + round) % answerers.length;
      await askAll(answerers[at], queries, budgetMs, (lap, number) => laps[at][number].push(lap));
    }
  }
  return answerers.map(({ name }, at) => ({ name, laps: laps[at] }));
}

/** Asks queries until the budget is used up; returns the CPU time used. */
async function askAll<Query>(
  answerer: Answerer<Query>,
  queries: readonly Query[],
  budgetMs: number,
  record?: (lap: Lap, number: number) => void,
): Promise<number> {
  let usedMs = 0;
  for (const [number, query] of queries.entries()) {
    if (usedMs > budgetMs && number >= LEAST_QUERIES) break;
    const watch = new Stopwatch();
    await answerer.ask(query);
    const lap = watch.lap();
    usedMs += lap.cpuMs;
    record?.(lap, number);
  }
  return usedMs;
}

/**
 * Returns the median over the queries of the median of each one's laps; if `among` is given, only
 * over the queries that it answered.
 */
export function medianLatency({ laps }: Latencies, measure: keyof Lap, among?: Latencies): number {
  const medians = laps.flatMap((own, query) =>
    own.length === 0 || among?.laps[query].length === 0
      ? []
      : [
          quantile(
            own.map((lap) => lap[measure]),
            0.5,
          ),
        ],
  );
  return quantile(medians, 0.5);
}

/** Returns the ratio of a peer's latency to ours, over the queries that the peer answered. */
export function latencyRatio(peer: Latencies, own: Latencies, measure: keyof Lap): number {
  return medianLatency(peer, measure) / medianLatency(own, measure, peer);
}
