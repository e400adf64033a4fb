import { WorldsError, type WorldsErrorOptions } from '../model/worlds-error.ts';

/** An embedder failed, or gave something else than it should: UNSUPPORTED. The message may name its endpoint: it is for whoever runs the engine, not for those who search. */
export class EmbedderFailure extends WorldsError {
  constructor(message: string, options?: WorldsErrorOptions) {
    super('UNSUPPORTED', message, options);
  }
}
