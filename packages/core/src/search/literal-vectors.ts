import { setImmediate } from '#platform';
import { raceAbort } from '../contracts/abort-race.ts';
import type { Embedder, TrainableEmbedder, TrainingText } from '../contracts/embedder.ts';
import { Slicer } from '../contracts/slicer.ts';
import type { TermId } from '../contracts/term-source.ts';
import type { VectorHit, VectorIndexFactory, VectorSearchOptions } from '../contracts/vector-index.ts';
import { isError } from '../model/any-realm.ts';
import { throwIfAborted, WorldsError } from '../model/worlds-error.ts';
import { CheckedEmbedder, checkEmbedder } from './checked-embedder.ts';
import { EmbedderLie } from './embedder-lie.ts';
import { mayPass } from './embedders/retry.ts';
import type { KeptVectors } from './kept-vectors.ts';
import { LearningTexts } from './learning-texts.ts';
import type { ReadWriteLock } from './read-write-lock.ts';
import { RetryPause } from './retry-pause.ts';
import { VectorGeneration } from './vector-generation.ts';

/** A query is truncated to this many UTF-16 units before it is embedded. */
const MAX_QUERY_LENGTH = 8192;

/** What a search does if the embedder is unavailable: continue by text alone, or fail. */
export type OnEmbedderFailure = 'degrade' | 'fail';

/** Reports embedding outcomes that no caller sees. */
export interface EmbeddingOutcomes {
  /** Embedding failed in the background, or a search had to do without it. */
  failed(cause: unknown): void;
  /** The embedder answered again, or every literal has its vector. */
  succeeded(): void;
}

export interface LiteralVectorsOptions {
  readonly embedder: Embedder | TrainableEmbedder;
  readonly vectorIndex: VectorIndexFactory;
  /** Held exclusively while vectors are added to the index. */
  readonly lock: ReadWriteLock;
  /** Returns the text of an added literal. */
  readonly textOf: (literal: TermId) => TrainingText;
  /** Whether only vectors can answer a query: searches then wait for them, and fail without. */
  readonly required: boolean;
  readonly onFailure: OnEmbedderFailure;
  /** Timeout for embedding a query; a batch of documents may take ten times as long. */
  readonly timeoutMs: number;
  /** Vectors computed earlier. Not used for trainable embedders, which recompute theirs. */
  readonly kept?: KeptVectors;
  /** Called when embedding fails in the background, and when it works again. */
  readonly logger?: { warn(details: object, message: string): void };
  readonly onEmbedding?: EmbeddingOutcomes;
}

/** A query as a vector of one model, or the reason why there is none. */
export interface EmbeddedQuery {
  /** Null if vector search is impossible: no model yet, no vectors yet, or embedder unavailable. */
  readonly vector: Float32Array | null;
  readonly generation: VectorGeneration | undefined;
  /** How much of the query the vector represents, 0 to 1; undefined without a vector. */
  readonly coverage?: number | undefined;
  /** Why the embedder was unavailable; null if it was available. */
  readonly failure: string | null;
}

/** Status of the vectors. */
export interface VectorStatus {
  /**
   * The model whose vectors are searched; null if there is none, or it covers too little of the
   * text.
   */
  readonly model: string | null;
  /** Number of literals waiting for their vector. */
  readonly pending: number;
  /** Why the embedder is unavailable now; null if it is available. */
  readonly failure: string | null;
}

/**
 * Vectors of the literals used by documents, keyed by literal id. A new literal only becomes
 * pending: embedding is slow, may be remote and may fail, so it is not part of a commit, and a text
 * search does not wait for it. It runs in the background, batch by batch.
 *
 * A trainable embedder is trained once there are enough texts, and again when the amount of text
 * has doubled or halved. The vectors of a new model are built alongside the old ones and replace
 * them when complete.
 */
export class LiteralVectors {
  private readonly options: LiteralVectorsOptions;
  private readonly learning: LearningTexts | undefined;
  private current: VectorGeneration | undefined;
  /** A new model in the making. */
  private next: VectorGeneration | undefined;
  private running: Promise<void> | undefined;
  private readonly retry = new RetryPause(() => this.start());
  /**
   * Maximum texts per call. Reduced after a refused call, so that a text which the embedder rejects
   * blocks as few others as possible.
   */
  private batchLimit = Infinity;
  private readonly closing = new AbortController();

  /** Throws INVALID_ARGUMENT for a malformed embedder. */
  constructor(options: LiteralVectorsOptions) {
    this.options = options;
    const { embedder } = options;
    checkEmbedder(embedder);
    if ('train' in embedder) this.learning = new LearningTexts(embedder, options.textOf);
    else this.current = this.generationOf(embedder, Infinity);
  }

  /** Number of literals waiting for their vector. */
  get pending(): number {
    if (this.learning?.isDue(this.newest?.learntFrom)) return this.learning.size;
    return this.newest?.waiting.size ?? 0;
  }

  /** Memory of the vectors and of the queue of pending literals, in bytes. */
  get memoryBytes(): number {
    return (this.current?.memoryBytes ?? 0) + (this.next?.memoryBytes ?? 0) + (this.learning?.memoryBytes ?? 0);
  }

  /** Whether texts are being embedded now. */
  get isWorking(): boolean {
    return this.running !== undefined;
  }

  get status(): VectorStatus {
    const { failure } = this.retry;
    return { model: this.usable()?.embedder.id ?? null, pending: this.pending, failure: failure?.message ?? null };
  }

  /**
   * Registers a literal as used by a document; `length` is that of its text. Requires the lock,
   * held exclusively.
   */
  add(literal: TermId, length: number): void {
    this.learning?.add(literal, length);
    this.current?.add(literal);
    this.next?.add(literal);
  }

  /** Unregisters a literal that no document uses any more. Requires the lock, held exclusively. */
  remove(literal: TermId): void {
    this.current?.remove(literal);
    this.next?.remove(literal);
    if (!this.learning) return;
    this.learning.remove(literal);
    // The few texts left cannot support a model, and the knowledge in the model about the deleted
    // ones should disappear too.
    if (this.learning.isTooLittle) this.current = this.next = undefined;
  }

  /** Embeds pending literals in the background, unless embedding failed a short while ago. */
  start(): void {
    if (this.running || this.closing.signal.aborted || this.retry.isPausing || this.pending === 0) return;
    // Deferred: the caller may be in the middle of an operation.
    setImmediate(() => {
      if (this.closing.signal.aborted) return;
      this.drain().catch((error) => {
        if (!this.closing.signal.aborted) this.warn(error, 'Embedding failed and will be retried.');
      });
    });
  }

  /**
   * Waits until nothing is pending. Vectors made before a failure are kept. Must be called without
   * the lock. Throws UNSUPPORTED or TIMEOUT if the embedder fails, ABORTED when the signal fires,
   * which ends the wait but not the work.
   */
  async flush(signal?: AbortSignal): Promise<void> {
    throwIfAborted(signal);
    while (this.pending > 0 || this.next) {
      await raceAbort(this.drain(), signal);
      throwIfAborted(signal);
    }
  }

  /**
   * Embeds a query. The vector is null if there is nothing to search with it, or if the embedder is
   * unavailable and searches may degrade. Must be called without the lock. Throws as `flush`.
   */
  async embedQuery(query: string, signal: AbortSignal | undefined): Promise<EmbeddedQuery> {
    const { required, onFailure } = this.options;
    const mayDegrade = !required && onFailure === 'degrade' && !(this.retry.failure instanceof EmbedderLie);
    if (required || (!mayDegrade && this.retry.failure)) await this.flush(signal);
    else this.start();
    const generation = this.usable();
    const without = (failure: Error | undefined) => ({ vector: null, generation, failure: failure?.message ?? null });
    // A failure caused by particular texts must not keep others, or queries, from the embedder.
    const isRefusal = this.retry.failure !== undefined && !isOutage(this.retry.failure);
    if (!generation?.index || generation.index.size === 0 || (mayDegrade && this.retry.isPausing && !isRefusal))
      return without(this.retry.failure);
    try {
      const text = query.slice(0, MAX_QUERY_LENGTH).toWellFormed();
      const [vector] = await generation.embedder.embed([text], { kind: 'query', ...(signal && { signal }) });
      const coverage = await generation.embedder.coverage(text);
      if (!isRefusal) this.worked();
      return { vector, generation, failure: null, coverage };
    } catch (error) {
      throwIfAborted(signal);
      // A failure caused by one query must not keep others from the embedder.
      if (isOutage(error)) this.retry.failed(error as Error);
      if (!mayDegrade || error instanceof EmbedderLie) throw error;
      this.warn(error, 'The query could not be embedded; searching full text only.');
      return without(error as Error);
    }
  }

  /**
   * Like {@link embedQuery}, for a search that must reveal nothing about texts outside its worlds.
   * Nothing may be pending, because a literal shared with another world may already have its
   * vector. A trained model reflects all worlds, so it is not used. Throws UNSUPPORTED if only a
   * trained model could answer.
   */
  async embedCanonicalQuery(
    query: string,
    signal: AbortSignal | undefined,
    byTextAlone: boolean,
  ): Promise<EmbeddedQuery> {
    const { required, onFailure, embedder } = this.options;
    const without = { vector: null, generation: undefined, failure: null };
    if (this.learning) {
      if (!required) return without;
      throw new WorldsError(
        'UNSUPPORTED',
        `The model of the embedder ${embedder.id} is trained on all worlds of the namespace, so a search that must not reveal anything about other worlds requires a text index.`,
      );
    }
    if (byTextAlone && !required) return without;
    try {
      await this.flush(signal);
    } catch (error) {
      throwIfAborted(signal);
      if (required || onFailure === 'fail') throw error;
      return { ...without, failure: (error as Error).message };
    }
    return this.embedQuery(query, signal);
  }

  /**
   * Returns whether a query's vector belongs to the model that is currently searched. Requires the
   * lock.
   *
   * @param complete whether every literal must have its vector
   */
  isCurrent({ vector, generation }: EmbeddedQuery, complete = false): boolean {
    return vector === null || (generation === this.current && !(complete && this.pending > 0));
  }

  /**
   * Returns the nearest literals; empty for a query without a vector. Requires the lock and a
   * current query.
   */
  async search({ vector, generation }: EmbeddedQuery, options: VectorSearchOptions): Promise<VectorHit[]> {
    return vector && generation?.index ? generation.index.search(vector, options) : [];
  }

  /** Stops background work; waiting callers get ABORTED. */
  close(): void {
    this.closing.abort(new WorldsError('ABORTED', 'The search was closed while texts were being embedded.'));
    this.retry.close();
  }

  private get newest(): VectorGeneration | undefined {
    return this.next ?? this.current;
  }

  /** Returns the vectors to search, excluding a model trained on less than half of the text. */
  private usable(): VectorGeneration | undefined {
    return this.current && this.current.learntFrom * 2 >= (this.learning?.length ?? 0) ? this.current : undefined;
  }

  private drain(): Promise<void> {
    this.running ??= this.work().finally(() => {
      this.running = undefined;
    });
    return this.running;
  }

  private async work(): Promise<void> {
    const slicer = new Slicer(this.closing.signal);
    try {
      while (this.pending > 0 || this.next) {
        throwIfAborted(this.closing.signal);
        if (this.learning?.isDue(this.newest?.learntFrom)) await this.learn(this.learning, slicer);
        else if (this.newest!.waiting.size > 0) await this.embedBatch(this.newest!);
        else await this.switchToNext();
        if (slicer.due) await slicer.pause();
      }
      this.options.onEmbedding?.succeeded();
    } catch (error) {
      if (!this.closing.signal.aborted) this.retry.failed(error as Error);
      throw error;
    }
  }

  private async learn(learning: LearningTexts, slicer: Slicer): Promise<void> {
    const { embedder, learntFrom } = await learning.learn(this.closing.signal, slicer);
    this.worked();
    // Too much text may have been deleted during training.
    if (learning.isTooLittle) return;
    const next = this.generationOf(embedder, learntFrom);
    this.next = next;
    // Literals added from here on go to `next` as well.
    await learning.visitAll((literal) => next.add(literal), slicer);
  }

  private async embedBatch(generation: VectorGeneration): Promise<void> {
    const { lock } = this.options;
    const { waiting, embedder } = generation;
    const index = await generation.openIndex();
    const literals = waiting.take(Math.min(embedder.batchSize, this.batchLimit));
    // All of them may have been deleted while the index was opened.
    if (literals.length === 0) return;
    let vectors: Float32Array[];
    try {
      vectors = await this.vectorsOf(literals, embedder);
    } catch (error) {
      if (!isOutage(error) && !(error instanceof EmbedderLie)) this.batchLimit = Math.max(1, literals.length >>> 1);
      throw error;
    }
    this.batchLimit = Infinity;
    const release = await lock.write(this.closing.signal);
    try {
      for (const [at, literal] of literals.entries()) {
        // Its last document may have been deleted while the embedder worked.
        if (!waiting.has(literal)) continue;
        index.set(literal, vectors[at]);
        waiting.delete(literal);
      }
    } finally {
      release();
    }
    this.worked();
  }

  /** Returns cached vectors, and embeds the remaining literals, whose vectors are then cached. */
  private async vectorsOf(literals: readonly TermId[], embedder: CheckedEmbedder): Promise<Float32Array[]> {
    const kept = this.learning ? undefined : this.options.kept;
    await kept?.open(embedder.id, embedder.dimensions);
    const vectors = literals.map((literal) => kept?.take(literal));
    const missing = literals.filter((_, i) => vectors[i] === undefined);
    if (missing.length === 0) return vectors as Float32Array[];
    const texts = missing.map(this.options.textOf);
    const made = await embedder.embed(
      texts.map(({ text }) => text),
      { kind: 'document', languages: texts.map(({ language }) => language), signal: this.closing.signal },
    );
    kept?.keep(missing, made);
    let next = 0;
    return vectors.map((vector) => vector ?? made[next++]);
  }

  /** Switches models under the write lock, so that each search sees exactly one model. */
  private async switchToNext(): Promise<void> {
    const { next } = this;
    const release = await this.options.lock.write(this.closing.signal);
    try {
      if (this.next !== next || next?.waiting.size !== 0) return;
      this.current = next;
      this.next = undefined;
    } finally {
      release();
    }
  }

  private generationOf(embedder: Embedder, learntFrom: number): VectorGeneration {
    const { timeoutMs, vectorIndex } = this.options;
    return new VectorGeneration(new CheckedEmbedder(embedder, timeoutMs), vectorIndex, learntFrom);
  }

  private worked(): void {
    this.retry.succeeded();
    this.options.onEmbedding?.succeeded();
  }

  private warn(error: unknown, message: string): void {
    this.options.onEmbedding?.failed(error);
    this.options.logger?.warn({ err: error, embedder: this.options.embedder.id, pending: this.pending }, message);
  }
}

/** Returns whether the embedder is unavailable, as opposed to rejecting particular texts. */
function isOutage(error: unknown): boolean {
  return mayPass(error) || (isError(error) && mayPass(error.cause));
}
