/** Capacity of the cache: words, and spellings near them; about 200 KB. */
const MAX_WORDS = 1024;
const MAX_SPELLINGS = 32_768;

/** Spellings by their distance from a word. */
export type SpellingsByDistance = readonly Uint32Array[];

/**
 * Cache of the spellings near recently corrected words, independent of the worlds searched: a word
 * missing from one small world is often looked up in many, letter by letter. Valid while the
 * spelling lists are unchanged.
 */
export class KeptSpellings {
  private readonly words = new Map<string, SpellingsByDistance>();
  private spellings = 0;
  private changes = -1;

  /**
   * Returns the cached spellings of a word, or the result of `find`. `changes` is the version of
   * the lists; a new version clears the cache.
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
    // A single word may have more neighbours than the cache can hold.
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
