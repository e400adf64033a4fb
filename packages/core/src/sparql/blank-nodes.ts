import type { TermId, TermSource } from '../contracts/term-source.ts';
import { type MemoryBudget, textBytes } from '../model/memory-budget.ts';

/** Approximate bytes per key, without its text. */
const KEY_BYTES = 96;

/** Creates one new blank node per label or other key. */
export class BlankNodes {
  private readonly terms: TermSource;
  private readonly ids = new Map<string, TermId>();
  private readonly memory: MemoryBudget | undefined;

  /** @param memory budget charged for keys, for callers that may have many */
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

  /** Forgets all keys, so that each yields a new node again. */
  clear(): void {
    this.ids.clear();
  }
}
