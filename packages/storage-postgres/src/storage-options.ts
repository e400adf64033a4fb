import { WorldsError } from '@rdf-worlds/core';
import type { PostgresStoreOptions } from './postgres-store.ts';
import { checkSchemaName } from './schema-name.ts';

/** The options that a caller may give or leave out. */
export type GivenStorageOptions = {
  readonly [Option in keyof PostgresStoreOptions]?: PostgresStoreOptions[Option] | undefined;
};

/** Fills in defaults. Throws INVALID_ARGUMENT for a value that is not allowed. */
export function storageOptions({
  schema = 'rdf_worlds',
  retryTimeoutMs = 10_000,
  statementTimeoutMs = 10_000,
  pollMs = 50,
}: GivenStorageOptions): PostgresStoreOptions {
  checkSchemaName(schema);
  checkRange('retryTimeoutMs', retryTimeoutMs, 0, 3_600_000);
  checkRange('statementTimeoutMs', statementTimeoutMs, 100, 3_600_000);
  checkRange('pollMs', pollMs, 5, 60_000);
  return { schema, retryTimeoutMs, statementTimeoutMs, pollMs };
}

function checkRange(name: string, value: number, least: number, most: number): void {
  if (!Number.isSafeInteger(value) || value < least || value > most)
    throw new WorldsError('INVALID_ARGUMENT', `${name} must be an integer from ${least} to ${most}, not ${value}.`);
}
