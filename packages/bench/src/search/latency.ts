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
}

/** What one answerer took: for each query a lap a round; none for those that it had no time for. */
export interface Latencies {
  readonly name: string;
  readonly laps: readonly (readonly Lap[])[];
}

/** A slow one gets at least so many. */
const LEAST_QUERIES = 5;

/** Asks every query of every answerer in turn, another one first each round, after one round that does not count. */
export async function measureLatencies<Query>(
  answerers: readonly Answerer<Query>[],
  queries: readonly Query[],
  { rounds, budgetMs }: LatencySettings,
): Promise<Latencies[]> {
  const laps = answerers.map(() => queries.map((): Lap[] => []));
  for (let round = -1; round < rounds; round++) {
    await becomeIdle();
    for (let turn = 0; turn < answerers.length; turn++) {
      const at = (turn + round + 1) % answerers.length;
      let usedMs = 0;
      for (const [number, query] of queries.entries()) {
        if (usedMs > budgetMs && number >= LEAST_QUERIES) break;
        const watch = new Stopwatch();
        await answerers[at].ask(query);
        const lap = watch.lap();
        usedMs += lap.cpuMs;
        if (round >= 0) laps[at][number].push(lap);
      }
    }
  }
  return answerers.map(({ name }, at) => ({ name, laps: laps[at] }));
}

/** The median, over the queries, of the median of each one's laps; of the queries that `among` answered, where given. */
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
