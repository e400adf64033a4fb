import type { CommitObserver } from './commit.ts';

/** Counters of an engine, which outlive the namespaces that they count. */
export class EngineCounters implements CommitObserver {
  commits = 0;
  checkpoints = 0;

  visible(): void {
    this.commits++;
  }
}
