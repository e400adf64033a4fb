import { WorldsError } from '@rdf-worlds/core';

/** PostgreSQL cuts longer identifiers off, without an error. */
const MAX_BYTES = 63;

/** Returns an identifier in quotes. */
export function quoted(identifier: string): string {
  return `"${identifier.replaceAll('"', '""')}"`;
}

/** Throws INVALID_ARGUMENT for a name that cannot be the name of a schema of tables. */
export function checkSchemaName(schema: unknown): asserts schema is string {
  const refuse = (why: string): never => {
    throw new WorldsError('INVALID_ARGUMENT', `The schema ${JSON.stringify(schema)} ${why}.`);
  };
  if (typeof schema !== 'string' || schema === '') return refuse('is not a name: pass a non-empty string');
  if (!schema.isWellFormed() || schema.includes('\0')) refuse('has a character that no identifier may have');
  if (Buffer.byteLength(schema) > MAX_BYTES) refuse(`has more than ${MAX_BYTES} bytes: choose a shorter one`);
  // https://www.postgresql.org/docs/15/ddl-schemas.html#DDL-SCHEMAS-CATALOG: reserved
  if (/^pg_/i.test(schema) || schema.toLowerCase() === 'information_schema')
    refuse('is reserved by PostgreSQL: choose another one');
}
