import type { WorldsError } from '@rdf-worlds/core';
import { fileError } from './file-errors.ts';

/**
 * Receives a failure of background work that no call reports, or null once that work succeeds
 * again.
 */
export type BackgroundListener = (error: WorldsError | null) => void;

/**
 * Tracks work on a namespace's files whose failure fails no call, because the work is retried
 * later.
 */
export class BackgroundWork {
  readonly #directory: string;
  readonly #listener: BackgroundListener;
  /** The kinds of work whose last attempt failed. */
  readonly #failing = new Set<string>();

  constructor(directory: string, listener: BackgroundListener) {
    this.#directory = directory;
    this.#listener = listener;
  }

  /** @param what names the work; starts the sentence of the error message */
  failed(what: string, error: unknown): void {
    this.#failing.add(what);
    this.#listener(fileError(error, what, this.#directory));
  }

  succeeded(what: string): void {
    if (this.#failing.delete(what) && this.#failing.size === 0) this.#listener(null);
  }
}
