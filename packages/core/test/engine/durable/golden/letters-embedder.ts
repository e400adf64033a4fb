import type { Embedder } from '../../../../src/embedders.ts';

/** Vectors by the letters of a text; notes the documents that it is asked for. */
export class LettersEmbedder implements Embedder {
  readonly id = 'letters of the golden files';
  readonly dimensions = 26;
  readonly documents: string[] = [];

  async embed(texts: readonly string[], { kind }: { kind: 'query' | 'document' }): Promise<Float32Array[]> {
    if (kind === 'document') this.documents.push(...texts);
    return texts.map((text) => {
      const vector = new Float32Array(26).fill(1 / 64);
      for (const letter of text.toLowerCase()) {
        const at = letter.charCodeAt(0) - 97;
        if (at >= 0 && at < 26) vector[at]++;
      }
      return vector;
    });
  }
}
