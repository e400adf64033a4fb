import type { WorldsError } from '@rdf-worlds/core';
import { fileError } from './file-errors.ts';

/** Receives a failure that fails no call, or null when that work succeeds again. */
export type BackgroundListener = (error: WorldsError | null) => void;

/** The work on a namespace's files whose failure fails no call, since it is repeated later. */
export class BackgroundWork {
  readonly #directory: string;
  readonly #listener: BackgroundListener;
  /** What failed when it was last tried. */
  readonly #failing = new Set<string>();

  constructor(directory: string, listener: BackgroundListener) {
    this.#directory = directory;
    this.#listener = listener;
  }

  /** @param what names the work, as the beginning of a sentence */
  failed(what: string, error: unknown): void {
    this.#failing.add(what);
    this.#listener(fileError(error, what, this.#directory));
  }

  succeeded(what: string): void {
    if (this.#failing.delete(what) && this.#failing.size === 0) this.#listener(null);
  }
}
