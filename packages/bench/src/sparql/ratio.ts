import { geometricMean, quantile, type Statistics, statistics } from '../statistics.ts';
import type { Lap } from '../stopwatch.ts';
import type { TaskResult } from './task-rounds.ts';

export type Measure = keyof Lap;

/**
 * More than this counts as this in a mean: one query where a peer takes hours would say all
 * otherwise.
 */
export const MAX_RATIO = 100;

/** A peer's time over the first peer's, round by round; undefined where it has no laps. */
export function ratioOf({ laps }: TaskResult, peer: number, measure: Measure): Statistics | undefined {
  const [reference, own] = [laps[0], laps[peer]];
  if (typeof reference === 'string' || typeof own === 'string') return undefined;
  return statistics(own.map((lap, round) => lap[measure] / reference[round][measure]));
}

export interface MeanRatio {
  /** Of the medians, each at most {@link MAX_RATIO}. */
  readonly mean: number;
  readonly least: number;
  /** The task with the least. */
  readonly leastOf: string;
  /** How many tasks it is over. */
  readonly count: number;
}

/** Over the tasks that the peer has an answer to; undefined when there are none. */
export function meanRatio(results: readonly TaskResult[], peer: number, measure: Measure): MeanRatio | undefined {
  const ratios = results.flatMap((result) => {
    const ratio = ratioOf(result, peer, measure);
    return ratio ? [{ name: result.task.name, median: ratio.median }] : [];
  });
  if (ratios.length === 0) return undefined;
  const least = ratios.reduce((one, other) => (other.median < one.median ? other : one));
  return {
    mean: geometricMean(ratios.map(({ median }) => Math.min(median, MAX_RATIO))),
    least: least.median,
    leastOf: least.name,
    count: ratios.length,
  };
}

/** The median of a peer's laps; undefined where it has none. */
export function medianOf({ laps }: TaskResult, peer: number, measure: Measure): number | undefined {
  const own = laps[peer];
  return typeof own === 'string'
    ? undefined
    : quantile(
        own.map((lap) => lap[measure]),
        0.5,
      );
}
