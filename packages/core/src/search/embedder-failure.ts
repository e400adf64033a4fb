import { WorldsError, type WorldsErrorOptions } from '../model/worlds-error.ts';

/** On the prototype, and the same symbol in all realms and copies of the library. */
const BRAND = Symbol.for('rdf-worlds.EmbedderFailure');

/**
 * An embedder failed, or gave something else than it should: UNSUPPORTED. The message may name its
 * endpoint: it is for whoever runs the engine, not for those who search.
 */
export class EmbedderFailure extends WorldsError {
  /**
   * As that of {@link WorldsError}: the service must know the failure whatever copy it comes from,
   * to keep its message back.
   */
  static override [Symbol.hasInstance](value: unknown): value is EmbedderFailure {
    // biome-ignore lint/complexity/noThisInStatic: subclasses inherit this, and are told apart by their prototypes
    if (this !== EmbedderFailure) return super[Symbol.hasInstance](value);
    return typeof value === 'object' && value !== null && BRAND in value;
  }

  constructor(message: string, options?: WorldsErrorOptions) {
    super('UNSUPPORTED', message, options);
  }
}

Object.defineProperty(EmbedderFailure.prototype, BRAND, { value: true });
