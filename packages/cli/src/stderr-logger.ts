import { hostname } from 'node:os';
import type { Logger } from '@rdf-worlds/core';
import { jsonLine } from './json-line.ts';

/** pino's level numbers. */
const LEVELS = { debug: 20, warn: 40, error: 50 };

/**
 * Logs to standard error, one line of JSON per entry in pino's format. `isVerbose` includes an
 * entry for each request.
 */
export function stderrLogger({ isVerbose }: { readonly isVerbose: boolean }): Logger {
  const origin = { pid: process.pid, hostname: hostname() };
  const write = (level: keyof typeof LEVELS) => (details: object, msg: string) => {
    process.stderr.write(`${jsonLine({ level: LEVELS[level], time: Date.now(), ...origin, ...details, msg })}\n`);
  };
  return { debug: isVerbose ? write('debug') : () => {}, warn: write('warn'), error: write('error') };
}
