import { percentile } from './figures.ts';
import type { Observation } from './watched.ts';

const MIB = 1 << 20;

/** Most of something over all runs, and the run that it was seen in. */
interface Most {
  readonly value: number;
  readonly run: string;
}

/** What was seen of many attacks, in one line. */
export class Tally {
  private sent = 0;
  private ended = 0;
  private faulty = 0;
  private readonly answers = new Map<string, number>();
  private longestMs: Most = { value: 0, run: '' };
  private peakBytes: Most = { value: 0, run: '' };
  private readonly victimMs: number[] = [];

  /** @param run names the attack, such as by its seed */
  add(run: string, { statuses, isAlive, longestMs, peakBytes, victimMs }: Observation, isFaulty: boolean): void {
    this.sent++;
    if (isFaulty) this.faulty++;
    for (const status of statuses) {
      const kind = status === 0 ? 'none' : `${Math.floor(status / 100)}xx`;
      this.answers.set(kind, (this.answers.get(kind) ?? 0) + 1);
    }
    for (const each of victimMs) this.victimMs.push(each);
    if (!isAlive) {
      this.ended++;
      return;
    }
    if (longestMs > this.longestMs.value) this.longestMs = { value: longestMs, run };
    if (peakBytes > this.peakBytes.value) this.peakBytes = { value: peakBytes, run };
  }

  toString(): string {
    const answers = [...this.answers].sort(([a], [b]) => (a < b ? -1 : 1)).map(([kind, count]) => `${count} ${kind}`);
    const { longestMs, peakBytes, victimMs } = this;
    return [
      `${this.sent} sent, ${this.faulty} with faults, ${this.ended} ended the process`,
      `answers: ${answers.join(', ')}`,
      `longest ${Math.round(longestMs.value)} ms of CPU without a yield (${longestMs.run})`,
      `at most ${Math.round(peakBytes.value / MIB)} MiB resident (${peakBytes.run})`,
      `${victimMs.length} point queries, p99 ${Math.round(percentile(victimMs, 0.99))} ms`,
    ].join('; ');
  }
}
