import type { WordTable } from './word-table.ts';

/**
 * A term that stands in for a word of the query that was not written in full, or not as the index
 * knows it.
 */
export interface NearbyTerm {
  readonly term: number;
  /** How much it counts, above 0 and at most 1. */
  readonly weight: number;
}

/**
 * The best `capacity` terms of a stream of spellings: those in the most documents, of equals the
 * first in the order of (language, text), so that the choice depends on the documents alone.
 * Several spellings of a term count once, by the best weight.
 */
export class NearbyTerms {
  private readonly table: WordTable;
  private readonly capacity: number;
  private readonly documentsOf: (term: number) => number;
  /** Best first. */
  private readonly kept: { term: number; weight: number; documents: number }[] = [];

  /**
   * @param documentsOf how many documents that count hold a term, at most so many as there are at
   *   all
   */
  constructor(table: WordTable, capacity: number, documentsOf: (term: number) => number) {
    this.table = table;
    this.capacity = capacity;
    this.documentsOf = documentsOf;
  }

  /** A spelling whose term is in fewer documents is not taken. */
  get leastDocuments(): number {
    return this.kept.length < this.capacity ? 0 : this.kept[this.capacity - 1].documents;
  }

  offer(spelling: number, weight: number): void {
    const { table, kept, capacity } = this;
    const term = table.stemOf[spelling];
    if (table.documents[term] < this.leastDocuments) return;
    const documents = this.documentsOf(term);
    if (documents === 0 || documents < this.leastDocuments) return;
    const known = kept.find((each) => each.term === term);
    if (known) {
      if (weight > known.weight) known.weight = weight;
      return;
    }
    let at = kept.length;
    while (at > 0 && this.isBefore(term, documents, kept[at - 1])) at--;
    if (at === capacity) return;
    if (kept.length === capacity) kept.pop();
    kept.splice(at, 0, { term, weight, documents });
  }

  get terms(): readonly NearbyTerm[] {
    return this.kept;
  }

  private isBefore(term: number, documents: number, other: { term: number; documents: number }): boolean {
    if (documents !== other.documents) return documents > other.documents;
    return this.table.compare(term, other.term) < 0;
  }
}
