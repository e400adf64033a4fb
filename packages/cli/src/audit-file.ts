import { closeSync, constants, openSync, writeSync } from 'node:fs';
import type { Logger } from '@rdf-worlds/core';
import type { AuditEntry } from '@rdf-worlds/http';
import { jsonLine } from './json-line.ts';

const { O_APPEND, O_CREAT, O_WRONLY } = constants;
/** Not available on Windows. */
const O_NOFOLLOW = constants.O_NOFOLLOW ?? 0;

/**
 * Appends the audit log to a file as lines of JSON; the file is created readable by its owner only.
 * `-` is standard error.
 */
export class AuditFile {
  private readonly path: string;
  private readonly logger: Logger;
  private readonly file: number;
  /** True if the last entry could not be written, so that a repeated failure is logged once. */
  private isFailing = false;

  /** Throws the system's error, such as ELOOP for a symbolic link. */
  constructor(path: string, logger: Logger) {
    this.path = path;
    this.logger = logger;
    this.file = path === '-' ? process.stderr.fd : openSync(path, O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW, 0o600);
  }

  /**
   * Never throws: failures are logged, together with the entry. Writes synchronously, so that
   * entries keep their order and survive a crash of the process.
   */
  readonly write = (entry: AuditEntry): void => {
    try {
      writeSync(this.file, `${jsonLine(entry)}\n`);
      this.isFailing = false;
    } catch (err) {
      if (!this.isFailing) this.logger.error({ err, file: this.path, entry }, 'the audit log cannot be written');
      this.isFailing = true;
    }
  };

  close(): void {
    if (this.path !== '-') closeSync(this.file);
  }
}
