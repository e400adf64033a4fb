import type { TextHit, TextIndex, TextSearchOptions } from '../../src/contracts/text-index.ts';
import { docSetHas } from '../../src/search/doc-set.ts';

/**
 * The plainest TextIndex: it scores every document by how many words it shares with the query, rare
 * ones more. It is strict about how it is used, pauses in the middle of a search, and can be told
 * to fail.
 */
export class NaiveTextIndex implements TextIndex {
  /** A text that cannot be added or removed. */
  failsOn: string | undefined;
  /** Gives documents that the filter forbids. */
  ignoresFilter = false;
  readonly texts = new Map<number, string>();
  private searches = 0;

  get size(): number {
    return this.texts.size;
  }

  add(doc: number, text: string, _language: string): void {
    this.mustBeIdle();
    if (this.texts.has(doc)) throw new Error(`document ${doc} is in use`);
    this.texts.set(doc, text);
    // After the half of the work.
    if (text === this.failsOn) throw new Error(`the index failed on "${text}"`);
  }

  remove(doc: number, text: string, _language: string): void {
    this.mustBeIdle();
    if (this.texts.get(doc) !== text) throw new Error(`document ${doc} is not "${text}"`);
    if (text === this.failsOn) throw new Error(`the index failed on "${text}"`);
    this.texts.delete(doc);
  }

  async search(query: string, { limit, filter }: TextSearchOptions): Promise<TextHit[]> {
    this.searches++;
    try {
      const wanted = wordsOf(query);
      const frequency = new Map<string, number>();
      for (const text of this.texts.values())
        for (const word of new Set(wordsOf(text))) frequency.set(word, (frequency.get(word) ?? 0) + 1);
      await new Promise((resolve) => setImmediate(resolve));
      const hits: TextHit[] = [];
      for (const [doc, text] of this.texts) {
        if (filter && !this.ignoresFilter && !docSetHas(filter, doc)) continue;
        const words = wordsOf(text);
        let score = 0;
        for (const word of wanted) if (words.includes(word)) score += 1 / frequency.get(word)! / words.length;
        if (score > 0) hits.push({ doc, score: Math.fround(score) });
      }
      return hits.sort((a, b) => b.score - a.score || a.doc - b.doc).slice(0, limit);
    } finally {
      this.searches--;
    }
  }

  private mustBeIdle(): void {
    if (this.searches > 0) throw new Error('the index was changed below a search');
  }
}

export function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}
