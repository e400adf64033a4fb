import type { Embedder, EmbedOptions } from '../../src/contracts/embedder.ts';
import { wordsOf } from './naive-text-index.ts';

/**
 * A deterministic Embedder: each word counts in the dimension of its hash. It notes what it was
 * asked for.
 */
export class BagOfWordsEmbedder implements Embedder {
  readonly id = 'bag-of-words';
  /**
   * Enough that the few words of a test rarely meet in one dimension; a prime, for the same reason.
   */
  readonly dimensions = 1021;
  readonly calls: { texts: readonly string[]; kind: EmbedOptions['kind'] }[] = [];
  /** Called before each answer; may wait, or throw. */
  before: (texts: readonly string[], options: EmbedOptions) => Promise<void> = async () => undefined;

  async embed(texts: readonly string[], options: EmbedOptions): Promise<Float32Array[]> {
    this.calls.push({ texts, kind: options.kind });
    await this.before(texts, options);
    return texts.map((text) => {
      const vector = new Float32Array(this.dimensions);
      for (const word of wordsOf(text)) {
        let hash = 0x811c9dc5;
        for (let at = 0; at < word.length; at++) hash = Math.imul(hash ^ word.charCodeAt(at), 0x01000193);
        vector[(hash >>> 0) % this.dimensions]++;
      }
      return vector;
    });
  }

  /** The texts of documents that it embedded, in order. */
  get documents(): string[] {
    return this.calls.filter(({ kind }) => kind === 'document').flatMap(({ texts }) => texts);
  }
}
