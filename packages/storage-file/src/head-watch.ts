import { type Head, sameHead, throwIfAborted } from '@rdf-worlds/core/plugin';
import type { FileSystem } from './file-system.ts';

/** Time between two looks where the file system tells of changes: for those it does not tell of. */
const HEARING_MS = 1000;
/** The same where it has told of none yet. */
const UNPROVEN_MS = 250;
/** The same where a change was found that it had not told of, as on a network file system. */
const DEAF_MS = 50;
/** At least so much time is between two looks for each namespace that is followed. */
const MS_A_NAMESPACE = 2;

/** A namespace whose head other processes move. */
export interface FollowedNamespace {
  /** Its directory, which may move. */
  readonly directory: string;
  head(): Promise<Head>;
}

/**
 * Follows the heads of namespaces in a directory. Changes that the file system tells of are looked
 * at immediately; it may tell of none, so there is a look at intervals too.
 */
export class HeadWatch {
  readonly #fileSystem: FileSystem;
  #intervalMs = UNPROVEN_MS;
  #watched = 0;
  readonly #wakes = new Set<() => void>();

  constructor(fileSystem: FileSystem) {
    this.#fileSystem = fileSystem;
  }

  /**
   * Yields the head of a namespace, then each time that it has moved, possibly several times at
   * once. `check` throws if the storage is not open.
   */
  async *watch(namespace: FollowedNamespace, signal: AbortSignal, check: () => void): AsyncGenerator<Head> {
    const ear = new DirectoryEar(this.#fileSystem, () => {
      this.#intervalMs = HEARING_MS;
    });
    const wake = (): void => ear.ring();
    signal.addEventListener('abort', wake);
    this.#wakes.add(wake);
    this.#watched++;
    let last: Head | undefined;
    try {
      for (;;) {
        check();
        throwIfAborted(signal);
        // Before the look, so that no change falls between the two.
        ear.listenAt(namespace.directory);
        const wasTold = ear.takeRing();
        const head = await namespace.head();
        if (last && sameHead(last, head)) {
          await ear.heard(Math.max(this.#intervalMs, this.#watched * MS_A_NAMESPACE));
          continue;
        }
        if (last && !wasTold && !ear.isRung) this.#intervalMs = DEAF_MS;
        // Another incarnation has another directory of the same name.
        if (last?.incarnation !== head.incarnation) ear.stop();
        last = head;
        yield head;
      }
    } finally {
      this.#watched--;
      this.#wakes.delete(wake);
      signal.removeEventListener('abort', wake);
      ear.stop();
    }
  }

  /** Makes all watchers check whether their storage is still open. */
  wakeAll(): void {
    for (const wake of this.#wakes) wake();
  }
}

/** Listens for changes of the files in one directory. */
class DirectoryEar {
  readonly #fileSystem: FileSystem;
  readonly #onHeard: () => void;
  #stop: (() => void) | undefined;
  #directory: string | undefined;
  #isRung = false;
  #resume: () => void = () => undefined;

  constructor(fileSystem: FileSystem, onHeard: () => void) {
    this.#fileSystem = fileSystem;
    this.#onHeard = onHeard;
  }

  get isRung(): boolean {
    return this.#isRung;
  }

  /** Listens at a directory, unless it does already. Does nothing if the system cannot tell. */
  listenAt(directory: string): void {
    if (this.#stop && this.#directory === directory) return;
    this.stop();
    this.#directory = directory;
    this.#stop = this.#fileSystem.watch?.(
      directory,
      () => {
        this.#onHeard();
        this.ring();
      },
      () => {
        // Looks at intervals find what is not told; the next one listens again.
        this.#stop = undefined;
      },
    );
  }

  ring(): void {
    this.#isRung = true;
    this.#resume();
  }

  /** Returns whether there was a change since the last call. */
  takeRing(): boolean {
    const { isRung } = this;
    this.#isRung = false;
    return isRung;
  }

  /** Waits until a change is heard, or for some milliseconds. */
  async heard(waitMs: number): Promise<void> {
    if (this.#isRung) return;
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
