import type { Attack } from './attack.ts';
import type { Observation } from './watched.ts';

const MIB = 1 << 20;

/** What an attack may do to the server and to another tenant. */
export const FIGURES = {
  /** After the deadline of a request, until its answer has ended. */
  graceMs: 1000,
  /** Of the other tenant's point queries. */
  victimP99Ms: 50,
  /** The 99th percentile of fewer queries is their maximum, which has a bound of its own. */
  victimQueries: 100,
  victimMaxMs: 250,
  peakBytes: 1.2 * 1024 * MIB,
  /** CPU time without a yield. */
  longestMs: 50,
  /** Sizes 1 and 16: n log n of thousands, and as much again for caches and collections. */
  growth: 16 * 2,
  /** CPU time below which growth is noise. */
  noiseMs: 60,
} as const;

export interface Seen {
  readonly size: number;
  readonly observation: Observation;
}

/** What is wrong whatever the machine does beside. */
export function countedFaults({ statuses: allowed }: Attack, { size, observation }: Seen): readonly string[] {
  const { statuses, isBroken, closedWith, isAlive, peakBytes, errors, victimFailures } = observation;
  if (!isAlive) return [`${size}x: the process ended`];
  const faults: string[] = [];
  const others = [...new Set(statuses)].filter((status) => !allowed.includes(status));
  const why = closedWith ? ` (${closedWith})` : '';
  if (others.length > 0) faults.push(`${size}x: answered ${others.join(', ')}${why}, not ${allowed.join(', ')}`);
  if (isBroken && !statuses.includes(0) && !allowed.some((status) => status === 400 || status === 503))
    faults.push(`${size}x: the answer broke off`);
  if (peakBytes > FIGURES.peakBytes) faults.push(`${size}x: ${Math.round(peakBytes / MIB)} MiB resident`);
  if (errors.length > 0) faults.push(`${size}x: logged ${errors[0]}`);
  if (victimFailures.length > 0) faults.push(`${size}x: the other tenant got ${victimFailures[0]}`);
  return faults;
}

/** What costs too much CPU time. */
export function costFaults({ cost = 'size' }: Attack, seen: readonly Seen[]): readonly string[] {
  const faults: string[] = [];
  for (const { size, observation } of seen) {
    const { longestMs } = observation;
    if (longestMs > FIGURES.longestMs) faults.push(`${size}x: ${Math.round(longestMs)} ms of CPU without a yield`);
  }
  const [first, last] = [seen[0], seen[seen.length - 1]];
  if (cost === 'size' && first.size === 1 && last.size === 16) {
    const most = FIGURES.growth * Math.max(first.observation.cpuMs, FIGURES.noiseMs);
    if (last.observation.cpuMs > most)
      faults.push(`CPU grew from ${Math.round(first.observation.cpuMs)} to ${Math.round(last.observation.cpuMs)} ms`);
  }
  return faults;
}

/** What takes too long by the clock of a machine that does nothing else. */
export function timeFaults(seen: readonly Seen[], timeoutMs: number): readonly string[] {
  const faults: string[] = [];
  for (const { size, observation } of seen) {
    const { wallMs, victimMs } = observation;
    if (wallMs > timeoutMs + FIGURES.graceMs) faults.push(`${size}x: answered after ${Math.round(wallMs)} ms`);
    const max = Math.max(0, ...victimMs);
    if (max > FIGURES.victimMaxMs) faults.push(`${size}x: the other tenant waited ${Math.round(max)} ms`);
  }
  const all = seen.flatMap(({ observation }) => observation.victimMs);
  const p99 = all.length < FIGURES.victimQueries ? 0 : percentile(all, 0.99);
  if (p99 > FIGURES.victimP99Ms) faults.push(`the other tenant waited ${Math.round(p99)} ms (p99)`);
  return faults;
}

export function percentile(values: readonly number[], part: number): number {
  if (values.length === 0) return 0;
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil(part * sorted.length) - 1)];
}

/** A line of the table: what the largest size cost, and what the others saw. */
export function tableLine({ name }: Attack, seen: readonly Seen[]): string {
  const of = (item: (observation: Observation) => number) =>
    seen.map(({ observation }) => String(Math.round(item(observation)))).join('/');
  const statuses = seen.map(({ observation }) => [...new Set(observation.statuses)].join('+')).join('/');
  const victim = seen.flatMap(({ observation }) => observation.victimMs);
  return [
    name,
    statuses,
    of(({ wallMs }) => wallMs),
    of(({ cpuMs }) => cpuMs),
    of(({ longestMs }) => longestMs),
    of(({ peakBytes }) => peakBytes / MIB),
    `${Math.round(percentile(victim, 0.99))}/${Math.round(Math.max(0, ...victim))}`,
  ].join(' | ');
}

export const TABLE_HEAD =
  'attack | statuses | ms | CPU ms | longest ms without a yield | MiB | p99 and most ms of the other tenant';
