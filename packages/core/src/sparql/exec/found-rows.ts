import { NO_TERM, type TermId } from '../../contracts/term-source.ts';
import type { MemoryBudget } from '../../model/memory-budget.ts';

/** Approximate bytes per row. */
const ROW_BYTES = 64;

/** Results of a text search as columns of ids: subject, predicate, object, graph, score, rank. */
export class FoundRows {
  readonly columns: readonly number[][] = [[], [], [], [], [], []];
  private readonly memory: MemoryBudget;
  private bySubject: Map<TermId, number[]> | undefined;

  constructor(memory: MemoryBudget) {
    this.memory = memory;
  }

  add(row: readonly TermId[]): void {
    this.memory.claimMemory(ROW_BYTES);
    for (let at = 0; at < row.length; at++) this.columns[at].push(row[at]);
  }

  /** Returns the row numbers of a subject; NO_TERM selects all rows. */
  of(subject: TermId): Iterable<number> {
    const [subjects] = this.columns;
    if (subject === NO_TERM) return subjects.keys();
    if (!this.bySubject) {
      this.bySubject = new Map();
      for (const [at, one] of subjects.entries()) {
        const known = this.bySubject.get(one);
        if (known) known.push(at);
        else this.bySubject.set(one, [at]);
      }
    }
    return this.bySubject.get(subject) ?? [];
  }
}
