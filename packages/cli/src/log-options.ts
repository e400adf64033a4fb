import type { Logger } from '@rdf-worlds/core';
import type { WorldsHandlerOptions } from '@rdf-worlds/http';
import { Option } from 'commander';
import type { Arguments } from './arguments.ts';
import { AuditFile } from './audit-file.ts';
import { integer } from './option-value.ts';

/** Options for logging requests. */
export const LOG_OPTIONS: readonly Option[] = [
  new Option('--verbose', 'log every request, not only failures'),
  new Option('--audit-log <FILE>', 'append an entry for each 401, 403, and write request; - for standard error'),
  new Option(
    '--slow-query-ms <N>',
    'log text and plan of queries and updates that take at least this many milliseconds',
  ).argParser(integer(0, Number.MAX_SAFE_INTEGER)),
  new Option('--slow-query-literals', 'log strings and numbers of slow queries instead of ?; they may be confidential'),
];

export interface RequestLogs {
  readonly options: Pick<WorldsHandlerOptions, 'auditLog' | 'slowQueries'>;
  close(): void;
}

/** Opens the logs that the options enable. Throws the system's errors for the audit log file. */
export function openLogs(given: Arguments, logger: Logger): RequestLogs {
  const path = given.text('audit-log');
  const audit = path === undefined ? undefined : new AuditFile(path, logger);
  const thresholdMs = given.integer('slow-query-ms');
  const literals = given.flag('slow-query-literals');
  return {
    options: {
      auditLog: audit?.write,
      slowQueries: thresholdMs === undefined ? undefined : { thresholdMs, literals },
    },
    close: () => audit?.close(),
  };
}
