import { throwIfAborted, WorldsError } from '../model/worlds-error.ts';
import { raceAbort } from '../storage/abort-race.ts';
import type { Embedder, EmbedOptions } from '../storage/embedder.ts';
import type { TermId } from '../storage/term-source.ts';
import type { VectorHit, VectorIndex, VectorIndexFactory, VectorSearchOptions } from '../storage/vector-index.ts';
import { IdMap } from './id-map.ts';
import type { ReadWriteLock } from './read-write-lock.ts';

/** Texts in one call of an embedder: large enough to be worth a request, small enough to lose on an abort. */
const BATCH_SIZE = 64;

/**
 * The vectors of the literals that documents use, keyed by the literal's id. A literal that is new only becomes pending:
 * embedding is slow, may be remote and may fail, so it is no part of a commit. `catchUp` embeds what is pending, and what
 * it has embedded before it fails or is aborted stays.
 */
export class LiteralVectors {
  private readonly embedder: Embedder;
  private readonly factory: VectorIndexFactory;
  private readonly lock: ReadWriteLock;
  private index: VectorIndex | undefined;
  /** A set: the values mean nothing. */
  private readonly waiting = new IdMap();
  /** The batch that is being embedded, so that searches side by side do not pay for the same texts twice. */
  private running: Promise<void> | undefined;

  /** `lock` is taken exclusively while vectors enter the index. Throws INVALID_ARGUMENT for an embedder without a number of dimensions. */
  constructor(embedder: Embedder, factory: VectorIndexFactory, lock: ReadWriteLock) {
    if (!Number.isInteger(embedder.dimensions) || embedder.dimensions < 1)
      throw new WorldsError(
        'INVALID_ARGUMENT',
        `The embedder "${embedder.id}" says that it has ${embedder.dimensions} dimensions; set them to the length of its vectors.`,
      );
    this.embedder = embedder;
    this.factory = factory;
    this.lock = lock;
  }

  /** How many literals wait for their vector. */
  get pending(): number {
    return this.waiting.size;
  }

  /** How many literals have one. */
  get size(): number {
    return this.index?.size ?? 0;
  }

  /** A document uses this literal from now on. Needs the lock, exclusively. */
  add(literal: TermId): void {
    if (!this.index?.has(literal)) this.waiting.set(literal, 0);
  }

  /** No document uses it any more. Needs the lock, exclusively. */
  remove(literal: TermId): void {
    this.waiting.delete(literal);
    this.index?.delete(literal);
  }

  /**
   * Embeds what is pending, in batches. Must be called without the lock: nobody waits for an embedder but who needs its vectors.
   * Throws UNSUPPORTED when the embedder fails or gives something else than it should, ABORTED by the signal.
   */
  async catchUp(textOf: (literal: TermId) => string, signal: AbortSignal | undefined): Promise<void> {
    while (this.waiting.size > 0) {
      throwIfAborted(signal);
      if (this.running) {
        // Another search embeds. Its failure is reported to that one; this one looks what is still pending and tries itself.
        const settled = this.running.catch(() => undefined);
        await raceAbort(settled, signal);
        continue;
      }
      this.running = this.embedBatch(textOf, signal);
      try {
        await this.running;
      } finally {
        this.running = undefined;
      }
    }
  }

  async embedQuery(query: string, signal: AbortSignal | undefined): Promise<Float32Array> {
    const [vector] = await this.embed([query], 'query', signal);
    return vector;
  }

  /** Needs the lock. */
  async search(vector: Float32Array, options: VectorSearchOptions): Promise<VectorHit[]> {
    return this.index ? this.index.search(vector, options) : [];
  }

  private async embedBatch(textOf: (literal: TermId) => string, signal: AbortSignal | undefined): Promise<void> {
    const index = await this.openIndex();
    const literals = this.waiting.take(BATCH_SIZE);
    // All of them may have gone while the index was made.
    if (literals.length === 0) return;
    const vectors = await this.embed(literals.map(textOf), 'document', signal);
    const release = await this.lock.write(signal);
    try {
      for (const [at, literal] of literals.entries()) {
        // Its last document may have gone while the embedder worked.
        if (!this.waiting.has(literal)) continue;
        index.set(literal, vectors[at]);
        this.waiting.delete(literal);
      }
    } finally {
      release();
    }
  }

  private async openIndex(): Promise<VectorIndex> {
    if (this.index) return this.index;
    const { id, dimensions } = this.embedder;
    const index = await this.factory(dimensions);
    if (index.dimensions !== dimensions)
      throw new WorldsError(
        'UNSUPPORTED',
        `The vector index has ${index.dimensions} dimensions, the embedder "${id}" has ${dimensions}; its factory must make an index of the dimensions that it is given.`,
      );
    this.index = index;
    return index;
  }

  private async embed(
    texts: readonly string[],
    kind: EmbedOptions['kind'],
    signal: AbortSignal | undefined,
  ): Promise<Float32Array[]> {
    const work = (async () => this.embedder.embed(texts, signal ? { kind, signal } : { kind }))();
    let vectors: unknown;
    try {
      vectors = await raceAbort(work, signal);
    } catch (error) {
      throwIfAborted(signal);
      throw new WorldsError(
        'UNSUPPORTED',
        `The embedder "${this.embedder.id}" failed on ${texts.length} text(s): ${error instanceof Error ? error.message : String(error)}. ` +
          'Search again when it works, or set embedder: null to search by text alone.',
        { cause: error },
      );
    }
    return this.checked(vectors, texts.length);
  }

  /** A plug-in's word is not enough: one vector of NaN would make every later ranking meaningless. */
  private checked(vectors: unknown, expected: number): Float32Array[] {
    const { dimensions } = this.embedder;
    if (!Array.isArray(vectors)) throw this.lie(`something that is no array for ${expected} text(s)`);
    if (vectors.length !== expected) throw this.lie(`${vectors.length} vector(s) for ${expected} text(s)`);
    return vectors.map((vector: unknown) => {
      if (!Array.isArray(vector) && !ArrayBuffer.isView(vector)) throw this.lie('a vector that is no array');
      const numbers = vector as ArrayLike<unknown>;
      if (numbers.length !== dimensions) throw this.lie(`a vector of length ${numbers.length}`);
      const checked = new Float32Array(dimensions);
      for (let at = 0; at < dimensions; at++) {
        const component = numbers[at];
        if (typeof component !== 'number') throw this.lie(`a vector with a component that is no number (${component})`);
        checked[at] = component;
        // After rounding to 32 bits: 1e300 is finite, but not in the index.
        if (!Number.isFinite(checked[at])) throw this.lie(`a vector with the component ${component}`);
      }
      return checked;
    });
  }

  private lie(what: string): WorldsError {
    const { id, dimensions } = this.embedder;
    return new WorldsError(
      'UNSUPPORTED',
      `The embedder "${id}" gave ${what}; embed() must give one vector of ${dimensions} finite 32-bit numbers a text, in order. ` +
        'Mend it (are its dimensions those of its model?), or set embedder: null to search by text alone.',
    );
  }
}
