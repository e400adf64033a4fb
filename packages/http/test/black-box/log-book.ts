import { inspect } from 'node:util';

/** A logger that keeps what it is told. */
export class LogBook {
  readonly entries: { readonly level: string; readonly details: unknown; readonly message: unknown }[] = [];

  readonly debug = (details: unknown, message?: unknown) => this.#note('debug', details, message);
  readonly info = (details: unknown, message?: unknown) => this.#note('info', details, message);
  readonly warn = (details: unknown, message?: unknown) => this.#note('warn', details, message);
  readonly error = (details: unknown, message?: unknown) => this.#note('error', details, message);

  /** Everything, as somebody who reads the log would see it. */
  text(): string {
    return this.entries.map((entry) => inspect(entry, { depth: 10, maxStringLength: null })).join('\n');
  }

  #note(level: string, details: unknown, message: unknown): void {
    this.entries.push({ level, details, message });
  }
}
