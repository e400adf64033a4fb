import { type FileSystem, hasCode, renameFile, syncNames } from './file-system.ts';
import { Mutex } from './mutex.ts';

export interface NamespaceNamesOptions {
  readonly fileSystem: FileSystem;
  /** The directory of directories of namespaces. */
  readonly parent: string;
  readonly trash: string;
}

/**
 * The names of the directories of namespaces: made in one directory, dropped by a rename into the
 * trash. A rename lasts when both directories are synced, and what happens to the names of one
 * behind it lasts no earlier; so each sync of the parent syncs the trash first while a rename is
 * not known to last. One change at a time: else a name could be made between a rename and its
 * failure.
 */
export class NamespaceNames {
  readonly #fileSystem: FileSystem;
  readonly #parent: string;
  readonly #trash: string;
  readonly #changes = new Mutex();
  /** Whether a rename may have happened that the trash was not synced after. */
  #isTrashBehind = false;

  constructor({ fileSystem, parent, trash }: NamespaceNamesOptions) {
    this.#fileSystem = fileSystem;
    this.#parent = parent;
    this.#trash = trash;
  }

  /** Makes a directory that may be there already, durably. */
  make(directory: string): Promise<void> {
    return this.#changes.run(async () => {
      await this.#fileSystem.makeDirectory(directory).catch((error: unknown) => {
        if (!hasCode(error, 'EEXIST')) throw error;
      });
      await this.#sync();
    });
  }

  /**
   * Renames a directory into the trash; it lasts after `sync`. Throws an `UnknownOutcome` if it may
   * have happened although it failed.
   */
  drop(directory: string, removed: string): Promise<void> {
    return this.#changes.run(async () => {
      this.#isTrashBehind = true;
      await renameFile(this.#fileSystem, directory, removed);
    });
  }

  /** Makes all changes durable. Throws an `UnknownOutcome`; it may be repeated. */
  sync(): Promise<void> {
    return this.#changes.run(() => this.#sync());
  }

  async #sync(): Promise<void> {
    if (this.#isTrashBehind) {
      await syncNames(this.#fileSystem, this.#trash);
      this.#isTrashBehind = false;
    }
    await syncNames(this.#fileSystem, this.#parent);
  }
}
