import { geometricMean, quantile, type Statistics, statistics } from '../statistics.ts';
import type { Lap } from '../stopwatch.ts';
import type { TaskResult } from './task-rounds.ts';

export type Measure = keyof Lap;

/**
 * Ratios are capped to this in a mean, so that one query that takes a peer hours does not dominate
 * it.
 */
export const MAX_RATIO = 100;

/**
 * Returns the statistics of a peer's time relative to the first peer's, by round; undefined if it
 * has no laps.
 */
export function ratioOf({ laps }: TaskResult, peer: number, measure: Measure): Statistics | undefined {
  const [reference, own] = [laps[0], laps[peer]];
  if (typeof reference === 'string' || typeof own === 'string') return undefined;
  return statistics(own.map((lap, round) => lap[measure] / reference[round][measure]));
}

export interface MeanRatio {
  /** Mean of the medians, each at most {@link MAX_RATIO}. */
  readonly mean: number;
  readonly least: number;
  /** The task with the smallest ratio. */
  readonly leastOf: string;
  /** Number of tasks included. */
  readonly count: number;
}

/** Returns the mean ratio over the tasks that the peer answered; undefined if there are none. */
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

/** Returns the median of a peer's laps; undefined if it has none. */
export function medianOf({ laps }: TaskResult, peer: number, measure: Measure): number | undefined {
  const own = laps[peer];
  return typeof own === 'string'
    ? undefined
    : quantile(
        own.map((lap) => lap[measure]),
        0.5,
      );
}
