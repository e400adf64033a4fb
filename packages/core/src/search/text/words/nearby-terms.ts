import type { WordTable } from './word-table.ts';

/** A term that replaces a query word which is incomplete or not in the index. */
export interface NearbyTerm {
  readonly term: number;
  /** Weight, above 0 and at most 1. */
  readonly weight: number;
}

/**
 * The best `capacity` terms of a stream of spellings: those in the most documents, ties by
 * (language, text), so that the choice depends only on the documents. Several spellings of a term
 * count once, with the best weight.
 */
export class NearbyTerms {
  private readonly table: WordTable;
  private readonly capacity: number;
  private readonly documentsOf: (term: number) => number;
  /** Best first. */
  private readonly kept: { term: number; weight: number; documents: number }[] = [];

  /**
   * @param documentsOf returns how many of the documents that count contain a term; at most
   * `table.documents[term]`
   */
  constructor(table: WordTable, capacity: number, documentsOf: (term: number) => number) {
    this.table = table;
    this.capacity = capacity;
    this.documentsOf = documentsOf;
  }

  /** A spelling whose term is in fewer documents is rejected. */
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
