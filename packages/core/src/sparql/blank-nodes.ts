import type { TermId, TermSource } from '../storage/term-source.ts';

/** New blank nodes by a label or another key: one key, one node. */
export class BlankNodes {
  private readonly terms: TermSource;
  private readonly ids = new Map<string, TermId>();

  constructor(terms: TermSource) {
    this.terms = terms;
  }

  of(key: string): TermId {
    let id = this.ids.get(key);
    if (id === undefined) {
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
