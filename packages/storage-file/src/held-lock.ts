import fs from 'node:fs';
import { clearInterval, setInterval } from 'node:timers';
import { WorldsError } from '@rdf-worlds/core';
import { fileError } from './file-errors.ts';
import { type DirectoryLock, FILE_MODE } from './file-system.ts';
import { type LockHolder, lockFilesOf, lockPath, parseLock, type ReleasedLock, readLockText } from './lock-file.ts';

const BEAT_DIGITS = 12;
const RENEWALS_A_LEASE = 4;

/**
 * Locks that this process has given up although their files still name it as holder, because
 * writing failed. Keyed by path and creation time, since a recreated directory has the same paths.
 */
const givenUp = new Set<string>();
const keyOf = (path: string, { since }: LockHolder): string => `${path} ${since}`;

/** Returns whether a lock of this process no longer has a holder. */
export const isGivenUp = (path: string, holder: LockHolder): boolean => givenUp.has(keyOf(path, holder));

/** A lock file of this process, renewed until it is released or a higher one is found. */
export class HeldLock implements DirectoryLock {
  readonly number: number;
  readonly requiredEpoch: number;
  readonly #directory: string;
  readonly #path: string;
  readonly #holder: LockHolder;
  readonly #byteLength: number;
  #beat = 0;
  #timer: NodeJS.Timeout | undefined;
  #renewal: Promise<void> | undefined;
  /** Why the last renewal failed; the next one may succeed. */
  #renewalFailure: unknown;
  /** Set once another process holds the directory. */
  #supersededBy: string | undefined;

  private constructor(directory: string, number: number, holder: LockHolder) {
    this.#directory = directory;
    this.#path = lockPath(directory, number);
    this.number = number;
    this.requiredEpoch = holder.requiredEpoch ?? 0;
    this.#holder = holder;
    this.#byteLength = this.#text().byteLength;
  }

  /**
   * Creates the lock file and starts renewing it. Returns undefined if a file with this number
   * exists.
   */
  static async make(directory: string, number: number, holder: LockHolder): Promise<HeldLock | undefined> {
    const lock = new HeldLock(directory, number, holder);
    let file: fs.promises.FileHandle;
    try {
      file = await fs.promises.open(lock.#path, 'wx', FILE_MODE);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') return undefined;
      throw error;
    }
    try {
      await file.writeFile(lock.#text());
      await file.sync();
    } catch (error) {
      lock.#remove(); // E.g. on a full disk: an empty lock would keep others waiting.
      throw error;
    } finally {
      // Closing cannot affect synced content.
      await file.close().catch(() => undefined);
    }
    lock.#timer = setInterval(() => lock.#renew(), holder.leaseMs! / RENEWALS_A_LEASE).unref();
    return lock;
  }

  check(): void {
    if (this.#supersededBy === undefined && !this.#isHeld()) this.#supersede();
    if (this.#supersededBy !== undefined)
      throw new WorldsError('CONFLICT', this.#supersededBy, { cause: this.#renewalFailure });
  }

  async release(): Promise<void> {
    await this.#stop();
    const requiredEpoch = this.requiredEpoch || undefined;
    const released: ReleasedLock = { released: true, requiredEpoch };
    await this.#rewrite(Buffer.from(JSON.stringify(released).padEnd(this.#byteLength)), true).catch((error) => {
      // The next holder has removed it.
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
      givenUp.add(keyOf(this.#path, this.#holder));
      throw error;
    });
  }

  /** Removes the lock file before anything was done under the lock. */
  async withdraw(): Promise<void> {
    await this.#stop();
    this.#remove();
  }

  #remove(): void {
    givenUp.add(keyOf(this.#path, this.#holder));
    fs.rmSync(this.#path, { force: true });
    givenUp.delete(keyOf(this.#path, this.#holder));
  }

  async #stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#renewal;
  }

  /**
   * Returns whether this lock is still held. A process that takes the directory over removes this
   * file before it reads anything, so whatever is synced while the file exists will be read. Called
   * twice per batch of commits, so it makes a single system call, by the function for which Node
   * allocates no object. A negative result can have many causes; a second call distinguishes them.
   */
  #isHeld(): boolean {
    if (fs.existsSync(this.#path)) return true;
    try {
      return fs.statSync(this.#path, { throwIfNoEntry: false }) !== undefined;
    } catch (error) {
      throw fileError(error, 'Checking the lock', this.#path);
    }
  }

  #renew(): void {
    this.#renewal ??= this.#renewOnce().finally(() => {
      this.#renewal = undefined;
    });
  }

  /** Never rejects. */
  async #renewOnce(): Promise<void> {
    try {
      this.#beat++;
      await this.#rewrite(this.#text(), false);
      // After the write: an opener creates its lock before it checks for a renewal, so at least one
      // of the two notices the other.
      const [newest] = lockFilesOf(this.#directory, await fs.promises.readdir(this.#directory));
      this.#renewalFailure = undefined;
      if (newest?.number !== this.number) this.#supersede();
    } catch (error) {
      this.#renewalFailure = error;
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') this.#supersede();
    }
  }

  #text(): Buffer {
    return Buffer.from(
      JSON.stringify({
        ...this.#holder,
        beat: this.#beat.toString(16).padStart(BEAT_DIGITS, '0'),
      } satisfies LockHolder),
    );
  }

  /**
   * Overwrites the file in place in one write: a reader finds either the old or the new text. Never
   * creates the file.
   */
  async #rewrite(text: Buffer, isDurable: boolean): Promise<void> {
    const file = await fs.promises.open(this.#path, 'r+');
    try {
      await file.write(text, 0, text.byteLength, 0);
      if (isDurable) await file.sync();
    } finally {
      await file.close();
    }
  }

  #supersede(): void {
    clearInterval(this.#timer);
    this.#supersededBy ??= this.#explanation();
  }

  #explanation(): string {
    const what = `${this.#directory} was taken over by ${this.#successor()}, because this process did not renew its lock in time or was declared to have ended.`;
    return `${what} Acknowledged commits are kept; this process writes nothing more. Close this storage, and reopen it only after the other process has closed it.`;
  }

  #successor(): string {
    try {
      const [newest] = lockFilesOf(this.#directory, fs.readdirSync(this.#directory));
      if (!newest || newest.number <= this.number) return `an unknown process: its lock file ${this.#path} is missing`;
      const content = parseLock(readLockText(newest.path) ?? '');
      return content && 'pid' in content
        ? `process ${content.pid} of machine or container ${content.host} (${newest.path})`
        : `another process (${newest.path})`;
    } catch (error) {
      return `another process, which cannot be identified: ${(error as Error).message}`;
    }
  }
}
