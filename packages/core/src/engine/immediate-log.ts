import type { Commit } from './commit.ts';
import type { CommitLog } from './commit-log.ts';
import type { NamespaceState } from './namespace-state.ts';

/** Log of a namespace without storage: publishes each commit immediately. */
export class ImmediateLog implements CommitLog {
  readonly appended = 0;
  readonly tail = undefined;
  readonly lastAppended = undefined;
  readonly isShared = false;
  readonly isInDoubt = false;
  private readonly namespace: NamespaceState;

  constructor(namespace: NamespaceState) {
    this.namespace = namespace;
  }

  append(commit: Commit): void {
    this.namespace.show(commit);
  }

  dependentFailure(cause: unknown): unknown {
    return cause;
  }

  async clearDoubt(): Promise<void> {
    // No append ever fails.
  }

  confirm(): undefined {
    // Nobody else has the namespace.
  }
}
