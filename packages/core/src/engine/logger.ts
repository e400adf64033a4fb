/** What the engine reports on its own: compatible with pino and with `console`. */
export interface Logger {
  debug(details: object, message: string): void;
  warn(details: object, message: string): void;
  error(details: object, message: string): void;
}

/** Says nothing. */
export const silentLogger: Logger = { debug: () => {}, warn: () => {}, error: () => {} };
