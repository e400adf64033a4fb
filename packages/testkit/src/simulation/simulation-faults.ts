import type { SeededRandom } from '../seeded-random.ts';

/** What goes wrong in a run, and how often. Probabilities are from 0 to 1. */
export interface SimulationFaults {
  /** Longest delay of a message between a process and the storage, in milliseconds. */
  readonly delayMs: number;
  /** Probability that a message takes twenty times as long. */
  readonly slow: number;
  /** Probability that a call fails before it takes effect. */
  readonly failure: number;
  /** Probability that a call takes effect, but its caller gets an error. */
  readonly lostAnswer: number;
  /**
   * Probability that the outcome of an append is unknown (IN_DOUBT): it has taken effect, will take
   * effect later, or never.
   */
  readonly doubt: number;
  /** Probability that a notification of `watch` is lost. */
  readonly lostNotice: number;
  /** Probability that a notification arrives twice. */
  readonly doubleNotice: number;
  /** Time between two looks at a watched head, in milliseconds. Infinity for none. */
  readonly pollMs: number;
  /** Mean time between two crashes, pauses and partitions, in milliseconds. Infinity for none. */
  readonly crashEveryMs: number;
  readonly pauseEveryMs: number;
  readonly partitionEveryMs: number;
  /** Longest pause and partition, in milliseconds. */
  readonly outageMs: number;
}

/** Nothing goes wrong; messages take a millisecond. */
export const NO_FAULTS: SimulationFaults = {
  delayMs: 1,
  slow: 0,
  failure: 0,
  lostAnswer: 0,
  doubt: 0,
  lostNotice: 0,
  doubleNotice: 0,
  pollMs: 200,
  crashEveryMs: Number.POSITIVE_INFINITY,
  pauseEveryMs: Number.POSITIVE_INFINITY,
  partitionEveryMs: Number.POSITIVE_INFINITY,
  outageMs: 0,
};

/**
 * Chooses the faults of a run. Each kind is absent from some runs, since one kind may hide what
 * another would show.
 */
export function randomFaults(random: SeededRandom): SimulationFaults {
  const maybe = (probability: number, value: () => number, otherwise = 0) =>
    random.chance(probability) ? value() : otherwise;
  const never = Number.POSITIVE_INFINITY;
  return {
    delayMs: random.pick([0.5, 3, 10, 40]),
    slow: maybe(0.5, () => 0.03),
    failure: maybe(0.5, () => random.pick([0.01, 0.05])),
    lostAnswer: maybe(0.5, () => random.pick([0.02, 0.1])),
    doubt: maybe(0.5, () => random.pick([0.02, 0.1])),
    lostNotice: maybe(0.6, () => random.pick([0.1, 0.5, 1])),
    doubleNotice: maybe(0.4, () => 0.3),
    pollMs: random.pick([50, 200, 1000]),
    crashEveryMs: maybe(0.5, () => random.pick([300, 1000, 3000]), never),
    pauseEveryMs: maybe(0.4, () => random.pick([500, 2000]), never),
    partitionEveryMs: maybe(0.4, () => random.pick([500, 2000]), never),
    outageMs: random.pick([500, 5000, 60_000]),
  };
}
