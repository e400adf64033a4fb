/** Receives the engine's log entries. Compatible with pino and `console`. */
export interface Logger {
  /** Logs normal operation, such as the plan of a ranked search. */
  debug(details: object, message: string): void;
  /** Logs a problem that the library works around, such as an embedder that fails. */
  warn(details: object, message: string): void;
  /** Logs a failure, such as that of a checkpoint. */
  error(details: object, message: string): void;
}

/** Discards all entries. */
export const silentLogger: Logger = { debug: () => {}, warn: () => {}, error: () => {} };
