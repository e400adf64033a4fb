import fs from 'node:fs';
import { join } from 'node:path';
import type { ProcessIdentity } from './process-identity.ts';

/** The content of a holder's lock file. */
export interface LockHolder extends ProcessIdentity {
  readonly since: string;
  /** Undefined in files of releases without leases, which are never renewed. */
  readonly leaseMs?: number;
  /**
   * Changes with every renewal. Has a fixed width, so that one write of equal length replaces it.
   */
  readonly beat?: string;
  /** See {@link DirectoryLock.requiredEpoch}. */
  readonly requiredEpoch?: number;
}

export interface ReleasedLock {
  readonly released: true;
  readonly requiredEpoch?: number;
}

export interface LockFile {
  readonly number: number;
  readonly path: string;
}

const LOCK_NAME = /^lock-(\d{1,15})$/;

export const lockPath = (directory: string, number: number): string => join(directory, `lock-${number}`);

export const isLockName = (name: string): boolean => LOCK_NAME.test(name);

/** Returns the lock files among the names of a directory, highest number first. */
export function lockFilesOf(directory: string, names: readonly string[]): LockFile[] {
  return names
    .flatMap((name) => {
      const found = LOCK_NAME.exec(name);
      return found ? [{ number: Number(found[1]), path: join(directory, name) }] : [];
    })
    .sort((a, b) => b.number - a.number);
}

/** Returns the text of a lock file; undefined if it is missing. */
export function readLockText(path: string): string | undefined {
  try {
    return fs.readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/**
 * Parses the text of a lock file. Returns undefined if it is incomplete: its writer was interrupted
 * or is still writing.
 */
export function parseLock(text: string): LockHolder | ReleasedLock | undefined {
  try {
    const content: unknown = JSON.parse(text);
    return typeof content === 'object' && content !== null ? (content as LockHolder | ReleasedLock) : undefined;
  } catch {
    return undefined;
  }
}
