import { type FileSystem, hasCode, renameFile, syncNames } from './file-system.ts';
import { Mutex } from './mutex.ts';

export interface NamespaceNamesOptions {
  readonly fileSystem: FileSystem;
  /** The directory that contains the namespaces' directories. */
  readonly parent: string;
  readonly trash: string;
}

/**
 * Manages the names of the namespaces' directories: created in one directory, dropped by a rename
 * into the trash. A rename is durable once both directories are synced, and later changes in either
 * become durable no earlier. Each sync of the parent therefore syncs the trash first while a rename
 * may not be durable. Changes are serialised: otherwise a name could be created between a rename
 * and its failure.
 */
export class NamespaceNames {
  readonly #fileSystem: FileSystem;
  readonly #parent: string;
  readonly #trash: string;
  readonly #changes = new Mutex();
  /** Whether a rename may have happened since the trash was last synced. */
  #isTrashBehind = false;

  constructor({ fileSystem, parent, trash }: NamespaceNamesOptions) {
    this.#fileSystem = fileSystem;
    this.#parent = parent;
    this.#trash = trash;
  }

  /** Creates a directory, if missing, durably. */
  make(directory: string): Promise<void> {
    return this.#changes.run(async () => {
      await this.#fileSystem.makeDirectory(directory).catch((error: unknown) => {
        if (!hasCode(error, 'EEXIST')) throw error;
      });
      await this.#sync();
    });
  }

  /**
   * Renames a directory into the trash; durable after `sync`. Throws an `UnknownOutcome` if the
   * rename failed but may have happened.
   */
  drop(directory: string, removed: string): Promise<void> {
    return this.#changes.run(async () => {
      this.#isTrashBehind = true;
      await renameFile(this.#fileSystem, directory, removed);
    });
  }

  /** Makes all changes durable. Throws an `UnknownOutcome`; may be retried. */
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
