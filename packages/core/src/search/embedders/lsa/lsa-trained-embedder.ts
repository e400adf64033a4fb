import type { EmbedderModel, EmbedOptions, TrainedEmbedder } from '../../../contracts/embedder.ts';
import { Slicer } from '../../../contracts/slicer.ts';
import { type LsaModel, modelHash, modelToParts } from './lsa-model.ts';
import type { TermAnalyzer, TermAnalyzerOf } from './term-analyzer.ts';

/**
 * Embeds texts with a trained model: a text is the weighted sum of its terms' vectors, or zero if
 * it has no known term.
 */
export class LsaTrainedEmbedder implements TrainedEmbedder {
  readonly id: string;
  readonly dimensions: number;
  readonly batchSize = 256;
  private readonly learnt: LsaModel;
  private readonly numberOf: ReadonlyMap<string, number>;
  private readonly analyzerOf: TermAnalyzerOf;
  private readonly analyzers = new Map<string, Promise<TermAnalyzer>>();

  constructor(learnt: LsaModel, analyzerOf: TermAnalyzerOf) {
    this.learnt = learnt;
    this.analyzerOf = analyzerOf;
    this.dimensions = learnt.dimensions;
    this.id = `lsa-${learnt.dimensions}-${modelHash(learnt)}`;
    this.numberOf = new Map(learnt.terms.map((term, number) => [term, number]));
  }

  get model(): EmbedderModel {
    return modelToParts(this.learnt);
  }

  async embed(texts: readonly string[], { kind, languages, signal }: EmbedOptions): Promise<Float32Array[]> {
    const slicer = new Slicer(signal);
    const vectors: Float32Array[] = [];
    for (const [at, text] of texts.entries()) {
      // A query may be in any language of the texts; a term found in several languages counts once.
      const possible = kind === 'query' ? this.learnt.languages : [languages?.[at] ?? ''];
      const counts = new Map<number, number>();
      for (const language of possible) this.count(text, await this.analyzer(language), counts);
      vectors.push(this.sum(counts));
      if (slicer.due) await slicer.pause();
    }
    return vectors;
  }

  /**
   * Returns the length of a query's projection on the space of the model, as part of its own
   * length. The term vectors are orthonormal columns, so that a term's vector is the projection of
   * its axis. Words that the model does not know are outside.
   */
  async coverage(query: string): Promise<number> {
    const counts = new Map<number, number>();
    let unknown = Number.POSITIVE_INFINITY;
    for (const language of this.learnt.languages) {
      const analyze = await this.analyzer(language);
      this.count(query, analyze, counts);
      unknown = Math.min(unknown, new Set(analyze(query).filter((term) => !this.numberOf.has(term))).size);
    }
    let whole = Number.isFinite(unknown) ? unknown : 0;
    for (const [number, count] of counts) whole += ((1 + Math.log(count)) * this.learnt.weights[number]) ** 2;
    if (whole === 0) return 1;
    const projected = this.sum(counts).reduce((sum, value) => sum + value * value, 0);
    return Math.sqrt(Math.min(1, projected / whole));
  }

  private analyzer(language: string): Promise<TermAnalyzer> {
    let analyzer = this.analyzers.get(language);
    if (!analyzer) {
      analyzer = this.analyzerOf(language);
      this.analyzers.set(language, analyzer);
    }
    return analyzer;
  }

  private count(text: string, analyze: TermAnalyzer, counts: Map<number, number>): void {
    const here = new Map<number, number>();
    for (const term of analyze(text)) {
      const number = this.numberOf.get(term);
      if (number !== undefined) here.set(number, (here.get(number) ?? 0) + 1);
    }
    for (const [number, count] of here) counts.set(number, Math.max(count, counts.get(number) ?? 0));
  }

  private sum(counts: ReadonlyMap<number, number>): Float32Array {
    const { dimensions } = this;
    const { weights, vectors } = this.learnt;
    const sum = new Float64Array(dimensions);
    for (const [number, count] of counts) {
      const factor = (1 + Math.log(count)) * weights[number];
      const start = number * dimensions;
      for (let at = 0; at < dimensions; at++) sum[at] += factor * vectors[start + at];
    }
    return Float32Array.from(sum);
  }
}
