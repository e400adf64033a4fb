import { type Head, sameHead, throwIfAborted } from '@rdf-worlds/core/plugin';
import type { FileSystem } from './file-system.ts';

/** Interval between polls where the file system reports changes, in case it misses one. */
const REPORTING_MS = 1000;
/** The same where it has not reported any change yet. */
const UNKNOWN_MS = 250;
/** The same where it has missed a change, as network file systems do. */
const MISSING_MS = 50;
/** Lower bound of the interval, for each namespace that is followed. */
const MS_PER_NAMESPACE = 2;

/** A namespace whose head other processes move. */
export interface FollowedNamespace {
  /** Its directory, which may move. */
  readonly directory: string;
  head(): Promise<Head>;
}

/**
 * Follows the heads of namespaces in a directory. Reads a head as soon as the file system reports a
 * change. Not every file system does, so it polls too.
 */
export class HeadWatch {
  readonly #fileSystem: FileSystem;
  #intervalMs = UNKNOWN_MS;
  #watched = 0;
  readonly #wakes = new Set<() => void>();

  constructor(fileSystem: FileSystem) {
    this.#fileSystem = fileSystem;
  }

  /**
   * Yields the head of a namespace, then the new head when it has moved, be it by one commit or
   * many. `check` throws if the storage is not open.
   */
  async *watch(namespace: FollowedNamespace, signal: AbortSignal, check: () => void): AsyncGenerator<Head> {
    const listener = new DirectoryListener(this.#fileSystem, () => {
      this.#intervalMs = REPORTING_MS;
    });
    const wake = (): void => listener.notify();
    signal.addEventListener('abort', wake);
    this.#wakes.add(wake);
    this.#watched++;
    let last: Head | undefined;
    try {
      for (;;) {
        check();
        throwIfAborted(signal);
        // Before the head is read, so that no change is missed between the two.
        listener.listenAt(namespace.directory);
        const wasNotified = listener.takeNotification();
        const head = await namespace.head();
        if (last && sameHead(last, head)) {
          await listener.notified(Math.max(this.#intervalMs, this.#watched * MS_PER_NAMESPACE));
          continue;
        }
        if (last && !wasNotified && !listener.isNotified) this.#intervalMs = MISSING_MS;
        // Another incarnation has another directory of the same name.
        if (last?.incarnation !== head.incarnation) listener.stop();
        last = head;
        yield head;
      }
    } finally {
      this.#watched--;
      this.#wakes.delete(wake);
      signal.removeEventListener('abort', wake);
      listener.stop();
    }
  }

  /** Makes all watchers check whether their storage is still open. */
  wakeAll(): void {
    for (const wake of this.#wakes) wake();
  }
}

/** Listens for changes of the files in one directory. */
class DirectoryListener {
  readonly #fileSystem: FileSystem;
  readonly #onChange: () => void;
  #stop: (() => void) | undefined;
  #directory: string | undefined;
  #isNotified = false;
  #resume: () => void = () => undefined;

  constructor(fileSystem: FileSystem, onChange: () => void) {
    this.#fileSystem = fileSystem;
    this.#onChange = onChange;
  }

  get isNotified(): boolean {
    return this.#isNotified;
  }

  /**
   * Listens to a directory, unless it does already. Does nothing if the file system reports
   * nothing.
   */
  listenAt(directory: string): void {
    if (this.#stop && this.#directory === directory) return;
    this.stop();
    this.#directory = directory;
    this.#stop = this.#fileSystem.watch?.(
      directory,
      () => {
        this.#onChange();
        this.notify();
      },
      () => {
        // Polling finds what is not reported; the next poll listens again.
        this.#stop = undefined;
      },
    );
  }

  notify(): void {
    this.#isNotified = true;
    this.#resume();
  }

  /** Returns whether there was a change since the last call. */
  takeNotification(): boolean {
    const { isNotified } = this;
    this.#isNotified = false;
    return isNotified;
  }

  /** Waits for a change, at most for `waitMs`. */
  async notified(waitMs: number): Promise<void> {
    if (this.#isNotified) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, waitMs);
      // Following a directory is no reason to keep the process running.
      timer.unref();
      this.#resume = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    this.#resume = () => undefined;
  }

  stop(): void {
    this.#stop?.();
    this.#stop = undefined;
  }
}
