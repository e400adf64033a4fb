import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { BackgroundWork } from './background-work.ts';
import { type FileSystem, hasCode } from './file-system.ts';

/** Holds the directories of dropped namespaces and removes them as far as possible. */
export class Trash {
  readonly path: string;
  readonly #fileSystem: FileSystem;
  readonly #background: BackgroundWork;
  /**
   * Directories whose removal failed. Those left when the storage closes are removed by the next
   * opening.
   */
  readonly #left = new Set<string>();

  constructor(fileSystem: FileSystem, path: string, background: BackgroundWork) {
    this.#fileSystem = fileSystem;
    this.path = path;
    this.#background = background;
  }

  /** Returns an unused path in the trash. */
  newPath(): string {
    return join(this.path, randomBytes(8).toString('hex'));
  }

  /** Removes directories left by an earlier process. */
  async empty(): Promise<void> {
    for (const name of await this.#fileSystem.list(this.path)) this.#left.add(join(this.path, name));
    await this.#removeLeft();
  }

  /** Removes a directory and those whose removal failed before. Never rejects. */
  async remove(directory: string): Promise<void> {
    this.#left.add(directory);
    await this.#removeLeft();
  }

  async #removeLeft(): Promise<void> {
    for (const each of this.#left) {
      try {
        await removeDirectory(this.#fileSystem, each);
        this.#left.delete(each);
      } catch (error) {
        this.#background.failed(REMOVAL, error);
      }
    }
    if (this.#left.size === 0) this.#background.succeeded(REMOVAL);
  }
}

const REMOVAL = 'Removing a dropped namespace';

/** Removes a directory of files. A superseded holder may be removing it as well. */
export async function removeDirectory(fileSystem: FileSystem, directory: string): Promise<void> {
  try {
    for (const name of await fileSystem.list(directory)) {
      await fileSystem.unlink(join(directory, name)).catch((error: unknown) => {
        if (!hasCode(error, 'ENOENT')) throw error;
      });
    }
    await fileSystem.removeDirectory(directory);
  } catch (error) {
    if (!hasCode(error, 'ENOENT')) throw error;
  }
}
