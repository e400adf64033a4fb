/** Receives the engine's log entries. Compatible with pino and `console`. */
export interface Logger {
  debug(details: object, message: string): void;
  warn(details: object, message: string): void;
  error(details: object, message: string): void;
}

/** Discards all entries. */
export const silentLogger: Logger = { debug: () => {}, warn: () => {}, error: () => {} };
