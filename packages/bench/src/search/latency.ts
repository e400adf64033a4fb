import { becomeIdle } from '../idle.ts';
import { quantile } from '../statistics.ts';
import { type Lap, Stopwatch } from '../stopwatch.ts';

/** Something that answers queries of one class. */
export interface Answerer<Query> {
  readonly name: string;
  ask(query: Query): unknown;
}

export interface LatencySettings {
  readonly rounds: number;
  /** One that is slow leaves out the last queries of a round, after so much CPU time. */
  readonly budgetMs: number;
  /**
   * Before it is measured each one is asked everything, and again until it used so much CPU time:
   * short queries take thousands of calls until V8 has compiled what they run.
   */
  readonly warmMs: number;
}

/** What one answerer took: for each query a lap a round; none for those that it had no time for. */
export interface Latencies {
  readonly name: string;
  readonly laps: readonly (readonly Lap[])[];
}

/** A slow one gets at least so many. */
const LEAST_QUERIES = 5;

/** Asks every query of every answerer in turn, another one first each round, when all are warm. */
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

/** Asks until the budget is used up; gives the CPU time used. */
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
 * The median, over the queries, of the median of each one's laps; of the queries that `among`
 * answered, where given.
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

/** How many times as long a peer takes for the queries that it answered. */
export function latencyRatio(peer: Latencies, own: Latencies, measure: keyof Lap): number {
  return medianLatency(peer, measure) / medianLatency(own, measure, peer);
}
