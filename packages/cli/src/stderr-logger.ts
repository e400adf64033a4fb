import type { Logger } from '@rdf-worlds/core';

/** A line of JSON on standard error for each entry; with `isVerbose` one for each request too. */
export function stderrLogger({ isVerbose }: { readonly isVerbose: boolean }): Logger {
  const write = (level: string) => (details: object, message: string) => {
    const line = { level, time: new Date().toISOString(), message, ...details };
    process.stderr.write(`${JSON.stringify(line, withErrors)}\n`);
  };
  return { debug: isVerbose ? write('debug') : () => {}, warn: write('warn'), error: write('error') };
}

/** JSON shows nothing of an error by itself. */
function withErrors(_key: string, value: unknown): unknown {
  if (!(value instanceof Error)) return value;
  const { message, stack, cause } = value;
  return { message, stack, cause };
}
