import { type MemoryBudget, textBytes } from '../model/memory-budget.ts';
import type { TermId, TermSource } from '../storage/term-source.ts';

/** What a key takes besides its text. */
const KEY_BYTES = 96;

/** New blank nodes by a label or another key: one key, one node. */
export class BlankNodes {
  private readonly terms: TermSource;
  private readonly ids = new Map<string, TermId>();
  private readonly memory: MemoryBudget | undefined;

  /** @param memory keys are claimed of it, where they may be many */
  constructor(terms: TermSource, memory?: MemoryBudget) {
    this.terms = terms;
    this.memory = memory;
  }

  of(key: string): TermId {
    let id = this.ids.get(key);
    if (id === undefined) {
      this.memory?.claimMemory(KEY_BYTES + textBytes(key.length));
      id = this.terms.blankNode();
      this.ids.set(key, id);
    }
    return id;
  }

  /** From here on every key is a new node. */
  clear(): void {
    this.ids.clear();
  }
}
