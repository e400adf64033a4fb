import { closeSync, constants, openSync, writeSync } from 'node:fs';
import type { Logger } from '@rdf-worlds/core';
import type { AuditEntry } from '@rdf-worlds/http';
import { jsonLine } from './json-line.ts';

const { O_APPEND, O_CREAT, O_WRONLY } = constants;
/** Windows has none. */
const O_NOFOLLOW = constants.O_NOFOLLOW ?? 0;

/**
 * The audit log as lines of JSON at the end of a file, which only its owner may read; `-` for
 * standard error.
 */
export class AuditFile {
  private readonly path: string;
  private readonly logger: Logger;
  private readonly file: number;
  /** Whether the last entry could not be written: the same failure is told once. */
  private isFailing = false;

  /** Throws what the system says, ELOOP for a symbolic link. */
  constructor(path: string, logger: Logger) {
    this.path = path;
    this.logger = logger;
    this.file = path === '-' ? process.stderr.fd : openSync(path, O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW, 0o600);
  }

  /**
   * Never throws: what fails goes to the log, with the entry. Waits for the file, so that entries
   * keep their order and survive the process.
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
