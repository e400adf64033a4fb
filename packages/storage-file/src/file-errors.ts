import { WorldsError } from '@rdf-worlds/core';
import { codeOf } from './file-system.ts';
import { UnknownOutcome } from './unknown-outcome.ts';

const REMEDIES: Record<string, string> = {
  ENOSPC: 'The disk is full: free some space, then try again.',
  EDQUOT: 'The disk quota is used up: free some space, then try again.',
  EROFS: 'The file system is read-only: choose another path, or mount it for writing.',
  EACCES: 'This process has no permission: allow it to read and write there, or choose another path.',
  EPERM: 'This process has no permission: allow it to read and write there, or choose another path.',
  ENOENT: 'It is missing: was it moved or deleted? Put it back, or restore a backup.',
  ENOTDIR: 'A part of the path is not a directory: choose another path.',
  EMFILE: 'This process has too many files open: raise its limit (ulimit -n).',
  ENFILE: 'The system has too many files open: raise its limit.',
  EIO: 'The disk reported an I/O error: check the system log, replace the disk, and restore a backup.',
  EBUSY: 'Another program is using it: close that program, then try again.',
  ENAMETOOLONG: 'The path is too long: choose a shorter one.',
};

/**
 * Converts a file-system error to the one callers receive: what failed, where, and the remedy.
 * Returns a `WorldsError` unchanged.
 */
export function fileError(error: unknown, what: string, path: string): WorldsError {
  if (error instanceof WorldsError) return error;
  if (error instanceof UnknownOutcome) return fileError(error.cause, what, path);
  const { message } = error as NodeJS.ErrnoException;
  const code = codeOf(error) ?? '';
  return new WorldsError('INTERNAL', `${what} failed at ${path}. ${REMEDIES[code] ?? message}`, { cause: error });
}

/**
 * Returns the error for a failed append that may nevertheless be in the log, with the reason for
 * the doubt.
 */
export function inDoubt(cause: WorldsError, why: string): WorldsError {
  return new WorldsError('IN_DOUBT', `${cause.message} It is unknown whether the commit is durable, because ${why}.`, {
    cause,
  });
}

/** Returns the error for stored data that differs from what was written. */
export function corrupt(path: string, offset: number | undefined, what: string, cause?: unknown): WorldsError {
  const place = offset === undefined ? path : `${path} at byte ${offset}`;
  return new WorldsError('CORRUPT', `${place}: ${what} Restore a backup; keep the file for examination.`, { cause });
}

/**
 * Converts EIO to CORRUPT: data that the disk cannot read is as lost as damaged data. Returns other
 * errors unchanged. Used where damage is distinguished from other failures.
 */
export function unreadableAsCorrupt(error: unknown, path: string): unknown {
  return codeOf(error) === 'EIO' ? corrupt(path, undefined, 'the disk cannot read a part of it.', error) : error;
}

export function newerVersion(path: string, version: number, known: number): WorldsError {
  return new WorldsError(
    'UNSUPPORTED',
    `${path} has format version ${version}; this release reads up to ${known}. Use the release that wrote it, or a later one.`,
  );
}

/** Runs file operations and converts their errors with {@link fileError}. */
export async function telling<T>(what: string, path: string, run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    throw fileError(error, what, path);
  }
}
