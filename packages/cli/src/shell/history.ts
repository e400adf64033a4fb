import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { withoutComments } from './statement.ts';

/** Maximum number of entries kept. */
export const HISTORY_SIZE = 1_000;
const VARIABLE = 'RDF_WORLDS_HISTORY';

/**
 * The history of typed entries across shell sessions: a file with one entry per line, newest last.
 */
export class History {
  private readonly path: string | undefined;

  /** @param path the history file; undefined disables the history */
  constructor(path: string | undefined) {
    this.path = path;
  }

  /**
   * Opens the user's history: the file named by the variable (an empty variable disables the
   * history), or one in the state directory (XDG Base Directory).
   */
  static ofUser(): History {
    const { [VARIABLE]: named, XDG_STATE_HOME } = process.env;
    if (named !== undefined) return new History(named || undefined);
    return new History(join(XDG_STATE_HOME || join(homedir(), '.local', 'state'), 'rdf-worlds', 'history'));
  }

  /**
   * Returns the entries, newest first, and truncates an oversized file. Throws if the file cannot
   * be read.
   */
  entries(): string[] {
    if (this.path === undefined) return [];
    try {
      const all = readFileSync(this.path, 'utf8').split('\n').filter(Boolean);
      const kept = all.slice(-HISTORY_SIZE);
      if (all.length > 2 * HISTORY_SIZE) writeFileSync(this.path, `${kept.join('\n')}\n`, { mode: 0o600 });
      return kept.reverse();
    } catch (error) {
      // This user's first shell.
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
      throw failed('read', error);
    }
  }

  /**
   * Appends an entry; other shells may append concurrently. Throws if the file cannot be written.
   */
  add(entry: string): void {
    if (this.path === undefined) return;
    try {
      mkdirSync(dirname(this.path), { recursive: true, mode: 0o700 });
      appendFileSync(this.path, `${entry}\n`, { mode: 0o600 });
    } catch (error) {
      throw failed('written', error);
    }
  }
}

function failed(what: string, cause: unknown): Error {
  return new Error(
    `The history cannot be ${what}: ${(cause as Error).message}. To use another file, set ${VARIABLE}.`,
    {
      cause,
    },
  );
}

/**
 * Converts lines to history entries: joined into a single editable line, unless a string may span
 * several lines.
 */
export function historyEntries(lines: readonly string[]): readonly string[] {
  const text = lines.join('\n');
  if (lines.length === 1 || /"""|'''/.test(text)) return lines.filter((line) => line.trim() !== '');
  return [
    withoutComments(text)
      .replace(/\s*\n\s*/g, ' ')
      .trim(),
  ];
}
