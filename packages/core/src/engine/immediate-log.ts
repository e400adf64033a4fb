import type { Commit } from './commit.ts';
import type { CommitLog } from './commit-log.ts';
import type { NamespaceState } from './namespace-state.ts';

/** The log of a namespace that lives in memory only: a commit is visible at once, and nothing is ever under way. */
export class ImmediateLog implements CommitLog {
  readonly tail = undefined;
  readonly isInDoubt = false;
  private readonly namespace: NamespaceState;

  constructor(namespace: NamespaceState) {
    this.namespace = namespace;
  }

  append(commit: Commit): void {
    this.namespace.show(commit);
  }

  async clearDoubt(): Promise<void> {
    // Nothing ever fails here.
  }
}
