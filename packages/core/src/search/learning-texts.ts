import { isError } from '../model/any-realm.ts';
import { throwIfAborted } from '../model/worlds-error.ts';
import type { Embedder, TrainableEmbedder, TrainingText } from '../storage/embedder.ts';
import type { Slicer } from '../storage/slicer.ts';
import type { TermId } from '../storage/term-source.ts';
import { EmbedderFailure } from './embedder-failure.ts';
import { IdMap } from './id-map.ts';

/** Ids between two looks at the clock. */
const STRIDE = 8192;

/**
 * The literals that an embedder learns from: how much text there is, and whether to learn again.
 */
export class LearningTexts {
  private readonly embedder: TrainableEmbedder;
  private readonly textOf: (literal: TermId) => TrainingText;
  /** From a literal to the length of its text. */
  private readonly lengths = new IdMap();
  private largest = 0;
  private total = 0;

  constructor(embedder: TrainableEmbedder, textOf: (literal: TermId) => TrainingText) {
    this.embedder = embedder;
    this.textOf = textOf;
  }

  /** How many literals there are. */
  get size(): number {
    return this.lengths.size;
  }

  get memoryBytes(): number {
    return this.lengths.memoryBytes;
  }

  /** The length of all their texts. */
  get length(): number {
    return this.total;
  }

  /** Half of what it takes to learn, so that a model does not come and go with one text. */
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
   * Whether to learn, where the newest model learnt from so much text: there is none, or the text
   * has doubled since, or is half gone.
   */
  isDue(learntFrom: number | undefined): boolean {
    if (this.size < this.embedder.minTexts) return false;
    return learntFrom === undefined || this.total >= learntFrom * 2 || this.total * 2 <= learntFrom;
  }

  /**
   * Learns from all texts, in the order of their ids: the same texts give the same model, whatever
   * came and went before. Throws UNSUPPORTED when that fails, ABORTED by the signal.
   */
  async learn(signal: AbortSignal, slicer: Slicer): Promise<{ embedder: Embedder; learntFrom: number }> {
    const literals = new Uint32Array(this.size);
    let length = 0;
    await this.visitAll((literal) => {
      // More may come while this pauses; they are for the next time.
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
