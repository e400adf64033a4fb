/** The documents of one language in one group. */
export interface GroupCount {
  readonly group: number;
  readonly language: number;
  readonly documents: number;
  readonly length: number;
}

/**
 * Number of documents and words by group and language, from which the statistics of a scope are
 * computed.
 */
export class GroupCounts {
  private readonly counts = new Map<number, { documents: number; length: number }>();

  add(group: number, language: number, length: number): void {
    const key = group * 256 + language;
    const known = this.counts.get(key);
    if (known) {
      known.documents++;
      known.length += length;
    } else this.counts.set(key, { documents: 1, length });
  }

  /** Removes a document, which must have been added. */
  remove(group: number, language: number, length: number): void {
    const key = group * 256 + language;
    const known = this.counts.get(key)!;
    known.documents--;
    known.length -= length;
    if (known.documents === 0) this.counts.delete(key);
  }

  documents(group: number, language: number): number {
    return this.counts.get(group * 256 + language)?.documents ?? 0;
  }

  /** Sums over distinct groups. */
  sum(groups: ArrayLike<number>, language: number): { readonly documents: number; readonly length: number } {
    let documents = 0;
    let length = 0;
    for (let at = 0; at < groups.length; at++) {
      const own = this.counts.get(groups[at] * 256 + language);
      if (!own) continue;
      documents += own.documents;
      length += own.length;
    }
    return { documents, length };
  }

  *[Symbol.iterator](): Generator<GroupCount> {
    for (const [key, { documents, length }] of this.counts)
      yield { group: Math.floor(key / 256), language: key % 256, documents, length };
  }

  /** Sets the counts of a group and language that has none. */
  set({ group, language, documents, length }: GroupCount): void {
    this.counts.set(group * 256 + language, { documents, length });
  }

  clear(): void {
    this.counts.clear();
  }
}
