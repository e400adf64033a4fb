import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { withoutComments } from './statement.ts';

/** The number of entries that are kept. */
export const HISTORY_SIZE = 1_000;
const VARIABLE = 'RDF_WORLDS_HISTORY';

/** What was typed, from one shell to the next: a file with an entry a line, the newest last. */
export class History {
  private readonly path: string | undefined;

  /** @param path of the file; nothing is kept when it is undefined */
  constructor(path: string | undefined) {
    this.path = path;
  }

  /**
   * The user's own: where the variable says, nowhere when it is empty, else in the directory for
   * states (XDG Base Directory).
   */
  static ofUser(): History {
    const { [VARIABLE]: named, XDG_STATE_HOME } = process.env;
    if (named !== undefined) return new History(named || undefined);
    return new History(join(XDG_STATE_HOME || join(homedir(), '.local', 'state'), 'rdf-worlds', 'history'));
  }

  /** The newest first. Makes the file short again. Throws when it cannot be read. */
  entries(): string[] {
    if (this.path === undefined) return [];
    try {
      const all = readFileSync(this.path, 'utf8').split('\n').filter(Boolean);
      const kept = all.slice(-HISTORY_SIZE);
      if (all.length > 2 * HISTORY_SIZE) writeFileSync(this.path, `${kept.join('\n')}\n`, { mode: 0o600 });
      return kept.reverse();
    } catch (error) {
      // The first shell of this user.
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
      throw failed('read', error);
    }
  }

  /** Appends: other shells may write too. Throws when it cannot. */
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
  return new Error(`The history cannot be ${what}: ${(cause as Error).message}. ${VARIABLE} names another file.`, {
    cause,
  });
}

/** Lines as entries: as one, which can be edited in one line, unless a string goes over several. */
export function historyEntries(lines: readonly string[]): readonly string[] {
  const text = lines.join('\n');
  if (lines.length === 1 || /"""|'''/.test(text)) return lines.filter((line) => line.trim() !== '');
  return [
    withoutComments(text)
      .replace(/\s*\n\s*/g, ' ')
      .trim(),
  ];
}
