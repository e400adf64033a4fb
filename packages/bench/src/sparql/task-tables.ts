import { figure, significantDigits, spread } from '../figure.ts';
import { type Statistics, statistics } from '../statistics.ts';
import type { Table } from '../table.ts';
import type { PeerKind } from './peers.ts';
import { type Measure, meanRatio, ratioOf } from './ratio.ts';
import type { PeerLaps, TaskResult, TaskRounds } from './task-rounds.ts';

/** A table with one row per task: the time of each peer, and its ratio to the first peer's. */
export function taskTable(
  title: string,
  results: readonly TaskResult[],
  peers: readonly PeerKind[],
  measure: Measure,
): Table {
  const [reference, ...others] = peers;
  return {
    title,
    columns: ['', 'rows', 'characters', reference.name, ...others.flatMap(({ name }) => [name, 'ratio'])],
    rows: results.map((result) => [
      result.task.name,
      figure(result.answers[0]!.rows),
      result.task.anyRows ? 'any' : figure(result.answers[0]!.chars),
      timeCell(result.laps[0], measure),
      ...others.flatMap((_, other) => {
        const ratio = ratioOf(result, other + 1, measure);
        return [timeCell(result.laps[other + 1], measure), ratio ? ratioCell(ratio) : ''];
      }),
    ]),
  };
}

/**
 * A table of the tasks at which a peer is faster than the first one, in laps or in first laps, the
 * worst first.
 */
export function lossTable(results: readonly TaskRounds[], peers: readonly PeerKind[]): Table {
  const losses = results.flatMap((result) =>
    peers.slice(1).flatMap(({ name }, other) =>
      LAP_KINDS.flatMap(({ kind, of }) => {
        const laps = of(result);
        const ratio = ratioOf(laps, other + 1, 'cpuMs');
        return ratio && ratio.median < 1 ? [{ name, kind, laps, other, ratio }] : [];
      }),
    ),
  );
  losses.sort((a, b) => a.ratio.median - b.ratio.median);
  return {
    title: `Losses: CPU, ms (${losses.length === 0 ? 'none' : losses.length})`,
    columns: ['', 'lap', 'peer', peers[0].name, 'the peer', 'ratio'],
    rows: losses.map(({ name, kind, laps, other, ratio }) => [
      laps.task.name,
      kind,
      name,
      timeCell(laps.laps[0], 'cpuMs'),
      timeCell(laps.laps[other + 1], 'cpuMs'),
      ratioCell(ratio),
    ]),
  };
}

const LAP_KINDS: readonly { readonly kind: string; readonly of: (result: TaskRounds) => TaskResult }[] = [
  { kind: 'warm', of: (result) => result },
  { kind: 'first', of: firstLapsOf },
];

/** Returns the result with its first laps as its laps. */
export function firstLapsOf(result: TaskRounds): TaskResult {
  return { ...result, laps: result.firstLaps };
}

/** A table of the mean ratios of the peers' times to the first peer's. */
export function meanTable(
  results: readonly TaskResult[],
  peers: readonly PeerKind[],
  title = 'All queries: geometric mean of the ratios',
): Table {
  const cells = (peer: number, measure: Measure) => {
    const ratio = meanRatio(results, peer, measure);
    return ratio ? [figure(ratio.mean, 2), `${figure(ratio.least, 2)} (${ratio.leastOf})`] : ['-', '-'];
  };
  return {
    title,
    columns: ['', 'queries', 'CPU', 'least', 'wall', 'least'],
    rows: peers
      .slice(1)
      .map(({ name }, other) => [
        name,
        figure(meanRatio(results, other + 1, 'cpuMs')?.count ?? 0),
        ...cells(other + 1, 'cpuMs'),
        ...cells(other + 1, 'wallMs'),
      ]),
  };
}

export function timeCell(laps: PeerLaps, measure: Measure): string {
  if (laps === 'no answer') return '-';
  if (laps === 'shared store' || laps === 'not asked') return '';
  const values = statistics(laps.map((lap) => lap[measure]));
  return spread(values, significantDigits(values.median));
}

export function ratioCell(ratio: Statistics): string {
  return spread(ratio, significantDigits(ratio.median));
}
