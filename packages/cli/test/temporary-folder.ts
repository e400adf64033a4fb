import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';

/** A folder for the files of one test file, removed after it. */
export class TemporaryFolder {
  private readonly path = mkdtempSync(join(tmpdir(), 'rdf-worlds-cli-'));

  constructor() {
    afterAll(() => rmSync(this.path, { recursive: true, force: true }));
  }

  at(name: string): string {
    return join(this.path, name);
  }

  write(name: string, content: string): string {
    const file = this.at(name);
    // Some files hold tokens, and the command checks who may read and write those.
    writeFileSync(file, content, { mode: 0o600 });
    return file;
  }
}
