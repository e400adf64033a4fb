/** Limits of a cache by texts. */
export interface TextLimits {
  readonly texts: number;
  /** Total length in UTF-16 code units. */
  readonly length: number;
}

/**
 * An LRU approximation with two generations. When the newer one reaches half of the limit, it
 * becomes the older one, and the previous older one is dropped, except for entries used since.
 * Entries are never deleted from a Map, because constant changes leave a trail of old tables that
 * keep their contents from the garbage collector.
 */
export class RecentTexts<Value> {
  private readonly most: TextLimits;
  private newer = new Map<string, Value>();
  private older = new Map<string, Value>();
  private newerLength = 0;

  constructor(most: TextLimits) {
    this.most = most;
  }

  get size(): number {
    return this.newer.size + this.older.size;
  }

  get(key: string): Value | undefined {
    const known = this.newer.get(key);
    if (known) return known;
    const old = this.older.get(key);
    if (old) this.put(key, old);
    return old;
  }

  /** @param key must not be in the newer generation */
  put(key: string, value: Value): void {
    if (key.length * 2 > this.most.length) return;
    if ((this.newer.size + 1) * 2 > this.most.texts || (this.newerLength + key.length) * 2 > this.most.length) {
      this.older = this.newer;
      this.newer = new Map();
      this.newerLength = 0;
    }
    this.newer.set(key, value);
    this.newerLength += key.length;
  }
}
