import { WorldsError } from '@rdf-worlds/core';

/** Code of a {@link NotSent} without another. */
const NO_CONNECTION = 'NO_CONNECTION';

/**
 * What to do about an error of the server, by SQLSTATE
 * (https://www.postgresql.org/docs/15/errcodes-appendix.html), or of the connection, by its code.
 */
const REMEDIES: Readonly<Record<string, string>> = {
  '25006': 'The server is read-only, as a standby is: connect to the primary.',
  '28000': 'The server refused the role: check user and pg_hba.conf of the server.',
  '28P01': 'The server refused the password: check user and password of the pool.',
  '3D000': 'There is no such database: create it (CREATE DATABASE), or name another one in the pool.',
  '3F000':
    'The schema is gone: was it dropped? Restore it from a backup, or open the storage again to start with empty tables.',
  '42P01': 'A table is gone: was it dropped? Restore it from a backup.',
  '42501':
    'The role has no permission: grant it USAGE on the schema, and SELECT, INSERT, UPDATE and DELETE on its tables; the tables are created by a role with CREATE on the schema.',
  '53100': 'The disk of the server is full: free some space, then try again.',
  '53200': 'The server is out of memory: try again, or give it more.',
  '53300': 'The server has no connection left: lower `max` of the pools, or raise max_connections.',
  '57014': 'The statement was cancelled, as by statement_timeout: raise it for this role.',
  '57P01': 'The server is shutting down: try again when it is back.',
  '57P03': 'The server is starting up or shutting down: try again later.',
  ECONNREFUSED: 'Nothing answers there: is the server running? Check host and port of the pool.',
  ENOENT: 'There is no such socket: is the server running? Check host and port of the pool.',
  ENOTFOUND: 'There is no such host: check the host of the pool.',
  EAI_AGAIN: 'The host cannot be looked up now: check the network, then try again.',
  ETIMEDOUT: 'The server does not answer: check the network, then try again.',
  [NO_CONNECTION]:
    'No connection could be had in time: check the network, whether the server is running, and `max` of the pool, then try again.',
  ECONNRESET: 'The connection was lost: check the server and the network, then try again.',
};

/** Errors after which the same statement may succeed, and which prove that it had no effect. */
const CERTAIN_AND_TRANSIENT = new Set([
  '40001', // serialization_failure
  '40P01', // deadlock_detected
  '53300', // too_many_connections
  '57P03', // cannot_connect_now
  '55P03', // lock_not_available
  ...['ECONNREFUSED', 'ENOENT', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH'],
]);

/**
 * Errors of the server after which the outcome of a statement is unknown: class 08 (connection),
 * and those of a server that stops. A stopping server may have committed.
 */
const UNKNOWN = /^(08|57P01|57P02|40003|58|XX)/;

const SQLSTATE = /^[0-9A-Z]{5}$/;

/** No connection was available, so the statement was not sent and has no effect. */
export class NotSent extends Error {
  readonly code: string;

  constructor(cause: unknown) {
    super((cause instanceof Error && cause.message) || String(cause), { cause });
    this.code = codeOf(cause) || NO_CONNECTION;
  }
}

/** There was no answer in time. A statement that was sent may still have its effect. */
export class NoAnswer extends Error {
  readonly code = 'ETIMEDOUT';

  constructor(afterMs: number) {
    super(`no answer after ${afterMs} ms`);
  }
}

/**
 * What is known of a statement that failed: `refused` had no effect and will fail again, `again`
 * had no effect and may be repeated, `unknown` may have had its effect, or may have it later.
 */
export type FailedOutcome = 'refused' | 'again' | 'unknown';

export function outcomeOf(error: unknown): FailedOutcome {
  if (error instanceof WorldsError) return 'refused';
  if (error instanceof NotSent) return outcomeOf(error.cause) === 'refused' ? 'refused' : 'again';
  const code = codeOf(error);
  if (CERTAIN_AND_TRANSIENT.has(code)) return 'again';
  if (SQLSTATE.test(code) && !code.startsWith('E')) return UNKNOWN.test(code) ? 'unknown' : 'refused';
  // Connections are lost with many errors, some without a code.
  return 'unknown';
}

/** Returns the SQLSTATE or the code of the operating system; '' without one. */
export function codeOf(error: unknown): string {
  const { code, errors } = (error ?? {}) as { code?: unknown; errors?: unknown };
  if (typeof code === 'string') return code;
  // `localhost` has several addresses, and each failed.
  return Array.isArray(errors) && errors.length > 0 ? codeOf(errors[0]) : '';
}

/**
 * Converts an error of the database to the one that callers get. Returns a WorldsError unchanged.
 */
export function databaseError(error: unknown, what: string): WorldsError {
  if (error instanceof WorldsError) return error;
  const code = codeOf(error);
  const message = (error instanceof Error && error.message) || String(error);
  const said = `${what} failed: ${message.replace(/\.?$/, '.')}`;
  // Lost connections often have no code.
  const remedy = REMEDIES[code || 'ECONNRESET'];
  return new WorldsError(code === '53300' ? 'OVERLOADED' : 'INTERNAL', remedy ? `${said} ${remedy}` : said, {
    cause: error,
  });
}

/** CORRUPT: stored bytes are not those written. */
export function corrupt(where: string, what: string): WorldsError {
  return new WorldsError('CORRUPT', `${where}: ${what} Restore a backup of the database.`);
}
