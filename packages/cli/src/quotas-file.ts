import { type Logger, type QuotaPolicy, type QuotaTable, WorldsError } from '@rdf-worlds/core';
import { quotaPolicy } from '@rdf-worlds/core/internal';
import { readVersion } from './guarded-file.ts';
import { WatchedFile } from './watched-file.ts';

/**
 * Quotas of a JSON file; see `QuotaTable`. The file is reloaded when it changes; if the new content
 * is invalid, the error is logged and the old quotas stay in force.
 */
export class QuotasFile {
  /** The quotas that are in force, for the option `quotas` of an engine. */
  readonly policy: QuotaPolicy = (namespace) => this.current(namespace);
  private current: QuotaPolicy = () => undefined;
  private file: WatchedFile | undefined;

  /**
   * Opens a file. Throws `INVALID_ARGUMENT` for invalid JSON, unknown fields and values that are
   * not quotas, and the errors of reading the file.
   */
  static async open(path: string, logger: Logger): Promise<QuotasFile> {
    const quotas = new QuotasFile();
    quotas.file = await WatchedFile.open(path, logger, {
      what: 'quotas',
      read: readVersion,
      apply: ({ content }) => {
        quotas.current = policyOf(path, content);
      },
    });
    return quotas;
  }

  /** Reloads the file if it has changed. Never rejects: errors are logged. */
  async reload(): Promise<void> {
    await this.file?.reload();
  }

  close(): void {
    this.file?.close();
  }
}

function policyOf(path: string, content: string): QuotaPolicy {
  const invalid = (cause: Error) =>
    new WorldsError('INVALID_ARGUMENT', `--quotas: ${path}: ${cause.message}`, { cause });
  let table: QuotaTable;
  try {
    table = JSON.parse(content) as QuotaTable;
  } catch (cause) {
    throw invalid(new Error(`it is not valid JSON: ${(cause as Error).message}.`));
  }
  try {
    return quotaPolicy(table);
  } catch (cause) {
    if (!(cause instanceof WorldsError)) throw cause;
    throw invalid(cause);
  }
}
