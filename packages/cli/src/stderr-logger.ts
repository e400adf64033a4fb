import { hostname } from 'node:os';
import type { Logger } from '@rdf-worlds/core';
import { jsonLine } from './json-line.ts';

/** As pino numbers them. */
const LEVELS = { debug: 20, warn: 40, error: 50 };

/**
 * A line of JSON in the shape of pino on standard error for each entry; with `isVerbose` one for
 * each request too.
 */
export function stderrLogger({ isVerbose }: { readonly isVerbose: boolean }): Logger {
  const origin = { pid: process.pid, hostname: hostname() };
  const write = (level: keyof typeof LEVELS) => (details: object, msg: string) => {
    process.stderr.write(`${jsonLine({ level: LEVELS[level], time: Date.now(), ...origin, ...details, msg })}\n`);
  };
  return { debug: isVerbose ? write('debug') : () => {}, warn: write('warn'), error: write('error') };
}
