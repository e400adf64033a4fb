import { WorldsError, type WorldsErrorOptions } from '../model/worlds-error.ts';

/**
 * On the prototype; a registered symbol, hence the same in all realms and copies of the library.
 */
const BRAND = Symbol.for('rdf-worlds.EmbedderFailure');

/**
 * Thrown when an embedder fails or returns malformed vectors: UNSUPPORTED. The message may name its
 * endpoint, so it is meant for the operator, not for users who search.
 */
export class EmbedderFailure extends WorldsError {
  /**
   * As in {@link WorldsError}: the service must recognise the failure from any copy of the library,
   * to withhold its message.
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
