/**
 * How many documents of each group and language there are, and how many words they have: what a
 * scope's own statistics are made of.
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

  /** Takes a document away that is there. */
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

  /** Over different groups. */
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

  clear(): void {
    this.counts.clear();
  }
}
