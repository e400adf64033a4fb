import fs from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { WorldsError } from '@rdf-worlds/core';
import type { DirectoryLock } from './file-system.ts';
import { HeldLock, isGivenUp } from './held-lock.ts';
import { type LockFile, type LockHolder, lockFilesOf, parseLock, readLockText } from './lock-file.ts';
import { DEFAULT_LEASE_MS, type LockOptions, MAX_LEASE_MS } from './lock-options.ts';
import { rootsOf } from './namespaces-root.ts';
import { lifeOf, ownIdentity, type ProcessIdentity } from './process-identity.ts';

/** How long a lock file may be empty: creating and writing it are two steps. */
const WRITING_MS = 500;

/** A lock that may be taken over. */
interface EndedLock {
  /** The text of the lock file when that was decided. */
  readonly text: string;
  /** Whether its holder has certainly ended. Otherwise it may resume. */
  readonly isKnownToHaveEnded: boolean;
  /** The epoch that its file requires, if the file is readable. */
  readonly requiredEpoch: number;
}

/**
 * Locks the directory for this process, by the protocol of
 * docs/decisions/0010-a-lease-with-fencing.md.
 *
 * The file `lock-N` with the highest number names the holder. A process that finds the holder gone
 * creates `lock-(N+1)`, which only one process can: no lock is ever removed while another process
 * is acquiring it. The numbers ascend during the lifetime of the directory. Throws CONFLICT if the
 * directory is in use.
 */
export async function lockDirectory(directory: string, options: LockOptions = {}): Promise<DirectoryLock> {
  const { leaseMs = DEFAULT_LEASE_MS, takeOver = false } = options;
  const own = ownIdentity();
  for (;;) {
    const names = fs.readdirSync(directory);
    const [newest] = lockFilesOf(directory, names);
    const before = newest && (await endedLock(directory, newest, own, { leaseMs, takeOver }));
    if (newest && !before) continue; // The holder changed meanwhile.
    const [root] = rootsOf(directory, names);
    // After a power cut, the root created under a lock may exist without the lock.
    const number = Math.max(newest?.number ?? 0, root?.epoch ?? 0) + 1;
    // A root without any lock: the lock files were deleted, possibly that of a running process.
    const isFencing = before ? !before.isKnownToHaveEnded : root !== undefined;
    const requiredEpoch = isFencing ? number : (before?.requiredEpoch ?? 0);
    const since = new Date().toISOString();
    const lock = await HeldLock.make(directory, number, { ...own, since, leaseMs, requiredEpoch });
    if (!lock) continue;
    let older: readonly LockFile[] | undefined;
    try {
      older = olderThan(directory, lock.number);
      if (older && newest && before && isFencing && isRenewed(newest, before.text))
        throw renewing(directory, newest.path, before.text);
    } catch (error) {
      await lock.withdraw(); // Otherwise it would be renewed without a holder.
      throw error;
    }
    if (!older) {
      await lock.withdraw(); // Creating it took so long that another process took it over.
      continue;
    }
    try {
      // Before anything is read, and in ascending order: see HeldLock.
      for (const { path } of older) fs.rmSync(path, { force: true });
    } catch (error) {
      // The file stays, so that no number is reused. The caller needs the first failure.
      await lock.release().catch(() => undefined);
      throw error;
    }
    return lock;
  }
}

/**
 * Returns the lock files older than a newly created one, in ascending order; undefined if that one
 * is no longer the newest.
 */
function olderThan(directory: string, number: number): readonly LockFile[] | undefined {
  const [first, ...older] = lockFilesOf(directory, fs.readdirSync(directory));
  return first?.number === number ? older.reverse() : undefined;
}

/**
 * Returns the lock if it may be taken over; undefined if it is no longer the newest. Throws
 * CONFLICT if it is held.
 */
async function endedLock(
  directory: string,
  lock: LockFile,
  own: ProcessIdentity,
  { leaseMs, takeOver }: Required<LockOptions>,
): Promise<EndedLock | undefined> {
  const deadline = performance.now() + WRITING_MS;
  for (;;) {
    // The next holder creates its lock before it removes this one, and may end in between.
    const [newest] = lockFilesOf(directory, fs.readdirSync(directory));
    const text = newest?.number === lock.number ? readLockText(lock.path) : undefined;
    if (text === undefined) return undefined;
    const content = parseLock(text);
    if (!content) {
      if (performance.now() > deadline) return { text, isKnownToHaveEnded: false, requiredEpoch: 0 };
      await wait(25);
      continue;
    }
    const { requiredEpoch = 0 } = content;
    if ('released' in content) return { text, isKnownToHaveEnded: true, requiredEpoch };
    const life = lifeOf(content, own);
    const isOurs = content.pid === own.pid && life === 'alive';
    if (isOurs && isGivenUp(lock.path, content)) return { text, isKnownToHaveEnded: true, requiredEpoch };
    if (life === 'alive') throw inUse(directory, lock.path, content, own);
    if (life === 'dead') return { text, isKnownToHaveEnded: true, requiredEpoch };
    if (takeOver) return { text, isKnownToHaveEnded: false, requiredEpoch };
    if (content.leaseMs === undefined) throw withoutLease(directory, lock.path, content);
    if (await expires(lock, text, directory, Math.max(leaseMs, leaseOf(content))))
      return { text, isKnownToHaveEnded: false, requiredEpoch };
  }
}

/**
 * Waits to see whether the lock stays unchanged for a whole lease, measured only with this
 * process's clock. Returns false if it must be examined again: it was released, removed or
 * succeeded by another. Throws CONFLICT as soon as it is renewed.
 */
async function expires(lock: LockFile, text: string, directory: string, leaseMs: number): Promise<boolean> {
  const start = performance.now();
  const pollMs = Math.min(250, Math.max(5, leaseMs / 20));
  for (;;) {
    // Taken before the check: a pause in between must not count.
    const hasExpired = performance.now() - start >= leaseMs;
    const [newest] = lockFilesOf(directory, fs.readdirSync(directory));
    if (newest?.number !== lock.number) return false;
    const now = readLockText(lock.path);
    if (now === undefined) return false;
    const content = now === text ? undefined : parseLock(now);
    if (content && 'pid' in content) throw renewing(directory, lock.path, now);
    if (content) return false;
    // A changed but incomplete text is still being written.
    if (hasExpired) return now === text;
    await wait(pollMs);
  }
}

/** Returns the lease of a holder; the maximum if it is damaged or out of range. */
function leaseOf({ leaseMs }: LockHolder): number {
  return typeof leaseMs === 'number' && leaseMs <= MAX_LEASE_MS ? leaseMs : MAX_LEASE_MS;
}

/** Returns whether the holder has renewed the lock since, i.e. is running. */
function isRenewed(lock: LockFile, text: string): boolean {
  const now = readLockText(lock.path);
  if (now === text || now === undefined) return false;
  const content = parseLock(now);
  return !content || !('released' in content);
}

function inUse(directory: string, path: string, holder: LockHolder, own: ProcessIdentity): WorldsError {
  const self = holder.pid === own.pid;
  return new WorldsError(
    'CONFLICT',
    `${directory} is in use by process ${holder.pid}${self ? ', this one, in another thread or another copy of the library' : ''} (${path}). Close it there, open it with readOnly to follow it, or use another directory.`,
  );
}

function renewing(directory: string, path: string, text: string): WorldsError {
  const content = parseLock(text);
  const who =
    content && 'pid' in content
      ? `process ${content.pid} of machine or container ${content.host}, which renews its lock`
      : 'another process, which writes its lock';
  return new WorldsError(
    'CONFLICT',
    `${directory} is in use by ${who} (${path}). Close it there, open it with readOnly to follow it, or use another directory.`,
  );
}

function withoutLease(directory: string, path: string, { pid, host }: LockHolder): WorldsError {
  return new WorldsError(
    'CONFLICT',
    `${directory} is in use by process ${pid} of machine or container ${host}, which cannot be checked from here; its lock was written by an earlier release and has no lease (${path}). If that process has ended, open the directory with takeOver: true (rdf-worlds: --take-over); otherwise close it there, or use another directory.`,
  );
}
