import type { TermAmount } from '../../quads/dictionary-compaction.ts';

/** What a compaction is asked to do. */
export interface CompactionWork {
  /** Decides whether to proceed once the dead terms are known. */
  readonly isWorthwhile: (dead: TermAmount, all: TermAmount) => boolean;
  /** Also frees what is kept only for `changes`, which then starts at the current revision. */
  readonly forgetChanges?: boolean;
  /** Also frees what is kept only for the history, which then starts at the current revision. */
  readonly forgetHistory?: boolean;
  readonly signal?: AbortSignal;
}
