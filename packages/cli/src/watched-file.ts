import { type Logger, WorldsError } from '@rdf-worlds/core';
import type { GuardedText } from './guarded-file.ts';

/** Interval at which the file is checked for changes. */
const POLL_MS = 1_000;

/** What becomes of the content of a watched file. */
export interface WatchedContent {
  /** What the file has, for log messages: `tokens`. */
  readonly what: string;
  /** Reads the file; undefined if it still has the known version. */
  readonly read: (path: string, known?: string) => Promise<GuardedText | undefined>;
  /**
   * Puts the content of the file into effect, or throws a `WorldsError` if it is invalid and leaves
   * everything as it was.
   */
  readonly apply: (text: GuardedText) => void;
}

/**
 * A file that is read again when it changes. If the new content is invalid, the
 * error is logged once and the old content stays in force.
 */
export class WatchedFile {
  private readonly path: string;
  private readonly logger: Logger;
  private readonly content: WatchedContent;
  /** The version of the file when last read. */
  private version: string;
  private timer: NodeJS.Timeout | undefined;
  private isClosed = false;

  private constructor(path: string, logger: Logger, content: WatchedContent, version: string) {
    this.path = path;
    this.logger = logger;
    this.content = content;
    this.version = version;
  }

  /** Reads and applies a file, and watches it. Throws what `read` and `apply` throw. */
  static async open(path: string, logger: Logger, content: WatchedContent): Promise<WatchedFile> {
    const text = (await content.read(path))!;
    content.apply(text);
    const file = new WatchedFile(path, logger, content, text.version);
    const poll = () => {
      if (file.isClosed) return;
      file.timer = setTimeout(() => void file.reload().then(poll), POLL_MS).unref();
    };
    poll();
    return file;
  }

  /** Reloads the file if it has changed. Never rejects: errors are logged. */
  async reload(): Promise<void> {
    const { path, logger } = this;
    const { what, read, apply } = this.content;
    try {
      const reading = await read(path, this.version);
      if (!reading || this.isClosed) return;
      // Set before validation, so that the same error is logged once.
      this.version = reading.version;
      apply(reading);
      logger.warn({ file: path }, `the ${what} were reloaded`);
    } catch (err) {
      // The file may go with what it was for.
      if (this.isClosed) return;
      const version = `failed: ${(err as Error).message}`;
      if (this.version === version) return;
      if (!(err instanceof WorldsError)) this.version = version;
      logger.error({ err, file: path }, `the ${what} file could not be reloaded; the previous ${what} stay in effect`);
    }
  }

  close(): void {
    this.isClosed = true;
    clearTimeout(this.timer);
  }
}
