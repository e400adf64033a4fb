import type { Embedder, TrainableEmbedder, TrainingText } from '../contracts/embedder.ts';
import type { Slicer } from '../contracts/slicer.ts';
import type { TermId } from '../contracts/term-source.ts';
import { isError } from '../model/any-realm.ts';
import { throwIfAborted } from '../model/worlds-error.ts';
import { EmbedderFailure } from './embedder-failure.ts';
import { IdMap } from './id-map.ts';

/** Ids between two checks of the clock. */
const STRIDE = 8192;

/**
 * The literals that a trainable embedder learns from. Tracks the amount of text and decides when to
 * retrain.
 */
export class LearningTexts {
  private readonly embedder: TrainableEmbedder;
  private readonly textOf: (literal: TermId) => TrainingText;
  /** Length of each literal's text. */
  private readonly lengths = new IdMap();
  private largest = 0;
  private total = 0;

  constructor(embedder: TrainableEmbedder, textOf: (literal: TermId) => TrainingText) {
    this.embedder = embedder;
    this.textOf = textOf;
  }

  /** Number of literals. */
  get size(): number {
    return this.lengths.size;
  }

  get memoryBytes(): number {
    return this.lengths.memoryBytes;
  }

  /** Total length of their texts. */
  get length(): number {
    return this.total;
  }

  /** True below half of `minTexts`; the margin keeps a model from flapping with a single text. */
  get isTooLittle(): boolean {
    return this.size < this.embedder.minTexts / 2;
  }

  add(literal: TermId, length: number): void {
    if (this.lengths.has(literal)) return;
    this.lengths.set(literal, length);
    this.total += length;
    this.largest = Math.max(this.largest, literal);
  }

  remove(literal: TermId): void {
    this.total -= Math.max(0, this.lengths.get(literal));
    this.lengths.delete(literal);
  }

  /**
   * Returns whether to train. `learntFrom` is the text length that the newest model was trained on;
   * undefined without a model. Retrains when the text has doubled or halved since.
   */
  isDue(learntFrom: number | undefined): boolean {
    if (this.size < this.embedder.minTexts) return false;
    return learntFrom === undefined || this.total >= learntFrom * 2 || this.total * 2 <= learntFrom;
  }

  /**
   * Trains on all texts in id order, so that the same texts give the same model, whatever the
   * history. Throws UNSUPPORTED if training fails, ABORTED when the signal fires.
   */
  async learn(signal: AbortSignal, slicer: Slicer): Promise<{ embedder: Embedder; learntFrom: number }> {
    const literals = new Uint32Array(this.size);
    let length = 0;
    await this.visitAll((literal) => {
      // Literals added during a pause are left for the next training.
      if (length < literals.length) literals[length++] = literal;
    }, slicer);
    const learntFrom = this.total;
    try {
      const texts = { length, at: (index: number) => this.textOf(literals[index]) };
      return { embedder: await this.embedder.train(texts, { signal }), learntFrom };
    } catch (error) {
      throwIfAborted(signal);
      throw new EmbedderFailure(
        `The embedder "${this.embedder.id}" failed to learn from ${length} text(s): ${isError(error) ? error.message : String(error)}`,
        { cause: error },
      );
    }
  }

  /** Calls `visit` with each literal, ascending. */
  async visitAll(visit: (literal: TermId) => void, slicer: Slicer): Promise<void> {
    for (let literal = 0; literal <= this.largest; literal++) {
      if (this.lengths.has(literal)) visit(literal);
      if (literal % STRIDE === STRIDE - 1 && slicer.due) await slicer.pause();
    }
  }
}
