import { discard, type OpenFile } from './file-system.ts';
import type { OpenLog, OpenLogs } from './open-logs.ts';

/** The file operations needed for reading. */
export type ReadableFile = Pick<OpenFile, 'read' | 'size' | 'close'>;

/**
 * A file that stays open while it is read, and between reads as long as fewer than `maxOpenFiles`
 * logs are open: a reader may pause for any length of time.
 */
export class ReleasableFile implements ReadableFile, OpenLog {
  readonly #openLogs: OpenLogs;
  readonly #openFile: () => Promise<OpenFile>;
  #open: OpenFile | undefined;
  /** Number of reads and close operations in progress. */
  #running = 0;

  /** @param openFile called for the first read, and for the next one after each release */
  constructor(openLogs: OpenLogs, openFile: () => Promise<OpenFile>) {
    this.#openLogs = openLogs;
    this.#openFile = openFile;
  }

  get isIdle(): boolean {
    return this.#running === 0;
  }

  read(bytes: Uint8Array, offset: number): Promise<number> {
    return this.#run((file) => file.read(bytes, offset));
  }

  size(): Promise<number> {
    return this.#run((file) => file.size());
  }

  close(): Promise<void> {
    return this.releaseFile();
  }

  async releaseFile(): Promise<void> {
    const open = this.#open;
    if (!open) return;
    this.#open = undefined;
    this.#running++;
    await discard(open);
    this.#running--;
    this.#openLogs.closed(this);
  }

  async #run<Result>(work: (file: OpenFile) => Promise<Result>): Promise<Result> {
    this.#running++;
    try {
      return await work(await this.#opened());
    } finally {
      this.#running--;
      if (this.isIdle) this.#openLogs.idle();
    }
  }

  async #opened(): Promise<OpenFile> {
    if (this.#open) return this.#open;
    await this.#openLogs.acquire(this);
    try {
      this.#open = await this.#openFile();
    } catch (error) {
      this.#openLogs.closed(this);
      throw error;
    }
    return this.#open;
  }
}
