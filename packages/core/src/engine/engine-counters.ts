import type { CommitObserver } from './commit.ts';

/** Counters of an engine. They are kept when the counted namespaces leave memory. */
export class EngineCounters implements CommitObserver {
  commits = 0;
  checkpoints = 0;

  visible(): void {
    this.commits++;
  }
}
