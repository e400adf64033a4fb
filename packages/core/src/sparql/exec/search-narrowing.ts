import { NO_TERM, type TermId } from '../../contracts/term-source.ts';
import { PAUSE, type Pause } from './batch.ts';
import { type Execution, isPause } from './execution.ts';
import type { Operator } from './operator.ts';

/** Approximate bytes per remembered triple. */
const KEY_BYTES = 100;

/** Restricts a search to triples whose parts occur in other patterns. */
export interface Narrowing {
  readonly subjects: ReadonlySet<TermId> | undefined;
  readonly predicates: ReadonlySet<TermId> | undefined;
  has(subject: TermId, predicate: TermId, object: TermId): boolean;
}

/**
 * Runs the patterns next to a search to completion and collects the parts of a hit that they bind.
 * `ends` must start with subject, predicate and object.
 */
export function* narrowingOf(
  among: Operator,
  ends: readonly { readonly slot: number }[],
  execution: Execution,
): Generator<Pause, Narrowing, void> {
  const parts = [0, 1, 2].filter((part) => ends[part].slot >= 0 && among.certain.has(ends[part].slot));
  const sets = parts.map(() => new Set<TermId>());
  const keys = new Set<string>();
  let isEmpty = true;
  for (const rows of execution.run(among)) {
    if (isPause(rows)) {
      yield PAUSE;
      continue;
    }
    isEmpty = false;
    const columns = parts.map((part) => rows.columns[ends[part].slot]!);
    for (let row = 0; row < rows.length; row++) {
      sets.forEach((set, at) => {
        if (set.has(columns[at][row])) return;
        execution.claimMemory(KEY_BYTES);
        set.add(columns[at][row]);
      });
      if (parts.length < 2) continue;
      const key = columns.map((column) => column[row]).join();
      if (keys.has(key)) continue;
      execution.claimMemory(KEY_BYTES);
      keys.add(key);
    }
    if (execution.pauseDue) yield PAUSE;
  }
  const only = (part: number) => (parts.includes(part) ? sets[parts.indexOf(part)] : undefined);
  return {
    subjects: only(0),
    predicates: only(1),
    has: (...triple) => {
      if (isEmpty) return false;
      if (parts.length === 0) return true;
      if (parts.length === 1) return sets[0].has(triple[parts[0]] ?? NO_TERM);
      return keys.has(parts.map((part) => triple[part]).join());
    },
  };
}
