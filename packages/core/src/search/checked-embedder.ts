import type { Embedder, EmbedOptions, TrainableEmbedder } from '../contracts/embedder.ts';
import { isError } from '../model/any-realm.ts';
import { throwIfAborted, WorldsError } from '../model/worlds-error.ts';
import { EmbedderFailure } from './embedder-failure.ts';
import { EmbedderLie } from './embedder-lie.ts';
import { withTimeLimit } from './time-limit.ts';

/** Timeout of a batch of documents, as a multiple of that of a query. */
const DOCUMENT_PATIENCE = 10;

/**
 * Validates the results of an embedder, because one NaN vector would make every later ranking
 * meaningless, and applies a timeout.
 */
export class CheckedEmbedder {
  private readonly embedder: Embedder;
  private readonly timeoutMs: number;

  /** `timeoutMs` applies to a query. Throws INVALID_ARGUMENT if `embedder` is malformed. */
  constructor(embedder: Embedder, timeoutMs: number) {
    checkEmbedder(embedder);
    this.embedder = embedder;
    this.timeoutMs = timeoutMs;
  }

  get id(): string {
    return this.embedder.id;
  }

  get dimensions(): number {
    return this.embedder.dimensions;
  }

  /** Texts per call: large enough to be worth a request, small enough to lose in a failure. */
  get batchSize(): number {
    return this.embedder.batchSize ?? 64;
  }

  /**
   * Returns how much of a query its vector represents. Throws as `embed`; EmbedderLie for anything
   * but a number from 0 to 1.
   */
  async coverage(query: string): Promise<number> {
    const { embedder, id } = this;
    if (!embedder.coverage) return 1;
    let coverage: unknown;
    try {
      coverage = await embedder.coverage(query);
    } catch (error) {
      throw new EmbedderFailure(`The embedder "${id}" failed on a query: ${messageOf(error)}`, { cause: error });
    }
    if (typeof coverage === 'number' && coverage >= 0 && coverage <= 1) return coverage;
    throw new EmbedderLie(`The embedder "${id}" returned the coverage ${String(coverage)}, not a number from 0 to 1.`);
  }

  /**
   * Returns one vector per text. Throws UNSUPPORTED if the embedder fails, EmbedderLie if it
   * returns malformed vectors, TIMEOUT if it does not answer in time, ABORTED when the signal
   * fires.
   */
  async embed(texts: readonly string[], { signal, ...options }: EmbedOptions): Promise<Float32Array[]> {
    const { id } = this;
    const timeoutMs = options.kind === 'query' ? this.timeoutMs : this.timeoutMs * DOCUMENT_PATIENCE;
    const tooLate = () => this.tooLate(timeoutMs);
    let vectors: unknown;
    try {
      vectors = await withTimeLimit((stop) => this.embedder.embed(texts, { ...options, signal: stop }), {
        timeoutMs,
        tooLate,
        signal,
      });
    } catch (error) {
      throwIfAborted(signal);
      if (error instanceof EmbedderLie || isTimeout(error)) throw error;
      throw new EmbedderFailure(
        `The embedder "${id}" failed on ${texts.length} text(s): ${messageOf(error)} ` +
          'Search again once it works, or set embedder: null to search full text only.',
        { cause: error },
      );
    }
    return this.checked(vectors, texts);
  }

  private checked(vectors: unknown, texts: readonly string[]): Float32Array[] {
    const { dimensions } = this;
    const expected = texts.length;
    if (!Array.isArray(vectors)) throw this.lie(`something that is not an array for ${expected} text(s)`);
    if (vectors.length !== expected) throw this.lie(`${vectors.length} vector(s) for ${expected} text(s)`);
    // Detects an array that is reused for each text and ends up with the vector of the last one.
    if (new Set(vectors).size < new Set(texts).size) throw this.lie('the same array for different texts');
    return vectors.map((vector: unknown) => {
      if (!Array.isArray(vector) && !ArrayBuffer.isView(vector)) throw this.lie('a vector that is not an array');
      const numbers = vector as ArrayLike<unknown>;
      if (numbers.length !== dimensions) throw this.lie(`a vector of length ${numbers.length}`);
      const checked = new Float32Array(dimensions);
      for (let at = 0; at < dimensions; at++) {
        const component = numbers[at];
        if (typeof component !== 'number')
          throw this.lie(`a vector with a component that is not a number (${component})`);
        checked[at] = component;
        // Checked after rounding to 32 bits: 1e300 is finite, but not in the index.
        if (!Number.isFinite(checked[at])) throw this.lie(`a vector with the component ${component}`);
      }
      return checked;
    });
  }

  private lie(what: string): EmbedderLie {
    const { id, dimensions } = this;
    return new EmbedderLie(
      `The embedder "${id}" returned ${what}; embed() must return one vector of ${dimensions} finite 32-bit numbers for each text, in order. ` +
        'Fix it (do its dimensions match those of its model?), or set embedder: null to search full text only.',
    );
  }

  private tooLate(timeoutMs: number): WorldsError {
    return new WorldsError(
      'TIMEOUT',
      `The embedder "${this.id}" did not respond within ${timeoutMs} ms. Check that it can be reached, give it more time ` +
        '(embedderTimeoutMs), or set embedder: null to search full text only.',
    );
  }
}

/** Throws INVALID_ARGUMENT for a malformed embedder; the message names what is missing. */
export function checkEmbedder(embedder: Embedder | TrainableEmbedder): void {
  const { id, dimensions, batchSize, embed, train } = Object(embedder) as Partial<Embedder & TrainableEmbedder>;
  if (typeof embed !== 'function' && typeof train !== 'function')
    throw wrong(
      `The embedder is ${typeof embedder === 'object' ? 'an object' : `a ${typeof embedder}`} without embed(); pass an object with id, dimensions and embed(texts), or one of the adapters of @rdf-worlds/core.`,
    );
  if (typeof id !== 'string' || id === '')
    throw wrong(
      'The embedder has no id; set it to the name of its model, because vectors of different ids are never compared.',
    );
  if (!Number.isInteger(dimensions) || dimensions! < 1)
    throw wrong(`The embedder "${id}" has ${dimensions} as its dimensions; set them to the length of its vectors.`);
  if (batchSize !== undefined && !(Number.isInteger(batchSize) && batchSize >= 1))
    throw wrong(
      `The embedder "${id}" has the batchSize ${batchSize}; set it to the maximum number of texts per call, or omit it.`,
    );
}

function wrong(message: string): WorldsError {
  return new WorldsError('INVALID_ARGUMENT', message);
}

function messageOf(error: unknown): string {
  const message = isError(error) ? error.message : String(error);
  return /[.!?]$/.test(message) ? message : `${message}.`;
}

function isTimeout(error: unknown): boolean {
  return error instanceof WorldsError && error.code === 'TIMEOUT';
}
