/** What is kept at most: words, and spellings that are near to them; some 200 KB. */
const MAX_WORDS = 1024;
const MAX_SPELLINGS = 32_768;

/** Spellings by their distance from a word. */
export type SpellingsByDistance = readonly Uint32Array[];

/**
 * Which spellings are near to the words that were looked for last, whatever worlds they were looked
 * for in: a word that one small world does not have is often asked of many, and letter by letter.
 * Good as long as the lists are the same.
 */
export class KeptSpellings {
  private readonly words = new Map<string, SpellingsByDistance>();
  private spellings = 0;
  private changes = -1;

  /**
   * What is kept for a word, or else what `find` finds in lists that have changed so many times.
   */
  of(word: string, changes: number, find: () => SpellingsByDistance): SpellingsByDistance {
    const { words } = this;
    if (changes !== this.changes) {
      this.clear();
      this.changes = changes;
    }
    const known = words.get(word);
    if (known) return known;
    const found = find();
    const count = found.reduce((sum, { length }) => sum + length, 0);
    if (words.size === MAX_WORDS || this.spellings + count > MAX_SPELLINGS) this.clear();
    // One word may be near to more than there is room for.
    if (count <= MAX_SPELLINGS) {
      words.set(word, found);
      this.spellings += count;
    }
    return found;
  }

  get byteLength(): number {
    return this.spellings * 4;
  }

  private clear(): void {
    this.words.clear();
    this.spellings = 0;
  }
}
