import fs from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { WorldsError } from '@rdf-worlds/core';
import type { DirectoryLock } from './file-system.ts';
import { HeldLock, isGivenUp } from './held-lock.ts';
import { type LockFile, type LockHolder, lockFilesOf, parseLock, readLockText } from './lock-file.ts';
import { DEFAULT_LEASE_MS, type LockOptions, MAX_LEASE_MS } from './lock-options.ts';
import { rootsOf } from './namespaces-root.ts';
import { lifeOf, ownIdentity, type ProcessIdentity } from './process-identity.ts';

/** How long a lock file may be empty: it is made and written in two steps. */
const WRITING_MS = 500;

/** A lock that may be taken over. */
interface EndedLock {
  /** The text on which that was decided. */
  readonly text: string;
  /** Whether its holder is known to have ended. Otherwise it may wake up and go on. */
  readonly isKnownToHaveEnded: boolean;
  /** What its file requires, if that can be read. */
  readonly requiredEpoch: number;
}

/**
 * Takes the directory for this process, by the protocol of
 * docs/decisions/0010-a-lease-with-fencing.md.
 *
 * The file `lock-N` of the highest number says who has the directory. A process that finds its
 * holder gone makes `lock-(N+1)`, which only one can: no lock is removed while another process
 * takes it. The numbers ascend for as long as the directory lives. Throws CONFLICT if the directory
 * is in use.
 */
export async function lockDirectory(directory: string, options: LockOptions = {}): Promise<DirectoryLock> {
  const { leaseMs = DEFAULT_LEASE_MS, takeOver = false } = options;
  const own = ownIdentity();
  for (;;) {
    const names = fs.readdirSync(directory);
    const [newest] = lockFilesOf(directory, names);
    const before = newest && (await endedLock(directory, newest, own, { leaseMs, takeOver }));
    if (newest && !before) continue; // It changed hands meanwhile.
    const [root] = rootsOf(directory, names);
    // After a power cut the root of a lock may be there without the lock.
    const number = Math.max(newest?.number ?? 0, root?.epoch ?? 0) + 1;
    // A root without any lock: somebody deleted the lock files, perhaps that of a running process.
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
      await lock.withdraw(); // Otherwise it would be renewed for nobody.
      throw error;
    }
    if (!older) {
      await lock.withdraw(); // Making it took so long that it was taken over.
      continue;
    }
    try {
      // Before anything is read, and in ascending order: see HeldLock.
      for (const { path } of older) fs.rmSync(path, { force: true });
    } catch (error) {
      // It stays, so that no number is given twice; what failed first is what the caller must know.
      await lock.release().catch(() => undefined);
      throw error;
    }
    return lock;
  }
}

/**
 * The lock files before one that was made, in ascending order; undefined if it is no longer the
 * newest.
 */
function olderThan(directory: string, number: number): readonly LockFile[] | undefined {
  const [first, ...older] = lockFilesOf(directory, fs.readdirSync(directory));
  return first?.number === number ? older.reverse() : undefined;
}

/** Undefined if the lock is no longer the newest. Throws CONFLICT if it is held. */
async function endedLock(
  directory: string,
  lock: LockFile,
  own: ProcessIdentity,
  { leaseMs, takeOver }: Required<LockOptions>,
): Promise<EndedLock | undefined> {
  const deadline = performance.now() + WRITING_MS;
  for (;;) {
    // The next holder makes its lock before it removes this one, and may end in between.
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
 * Whether the lock stays as it is for a whole lease, by the clock of this process alone. False if
 * it is to be looked at again: it was released, removed or followed by another. Throws CONFLICT as
 * soon as it is renewed.
 */
async function expires(lock: LockFile, text: string, directory: string, leaseMs: number): Promise<boolean> {
  const start = performance.now();
  const pollMs = Math.min(250, Math.max(5, leaseMs / 20));
  for (;;) {
    // The time before the look: a pause in between must not count.
    const hasExpired = performance.now() - start >= leaseMs;
    const [newest] = lockFilesOf(directory, fs.readdirSync(directory));
    if (newest?.number !== lock.number) return false;
    const now = readLockText(lock.path);
    if (now === undefined) return false;
    const content = now === text ? undefined : parseLock(now);
    if (content && 'pid' in content) throw renewing(directory, lock.path, now);
    if (content) return false;
    // A text that has changed and is incomplete is still being written.
    if (hasExpired) return now === text;
    await wait(pollMs);
  }
}

/** A damaged or unreasonable lease counts as the longest one. */
function leaseOf({ leaseMs }: LockHolder): number {
  return typeof leaseMs === 'number' && leaseMs <= MAX_LEASE_MS ? leaseMs : MAX_LEASE_MS;
}

/** Whether the holder has shown since that it is running. */
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
    `${directory} is in use by process ${holder.pid}${self ? ', this one, in another thread or another copy of the library' : ''} (${path}). Close it there, or use another directory.`,
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
    `${directory} is in use by ${who} (${path}). Close it there, or use another directory.`,
  );
}

function withoutLease(directory: string, path: string, { pid, host }: LockHolder): WorldsError {
  return new WorldsError(
    'CONFLICT',
    `${directory} is in use by process ${pid} of machine or container ${host}, which cannot be looked at from here; its lock is of an earlier release and has no lease (${path}). If that process has ended, open the directory with takeOver: true (rdf-worlds: --take-over); otherwise close it there, or use another directory.`,
  );
}
