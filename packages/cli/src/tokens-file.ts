import { text } from 'node:stream/consumers';
import { type Logger, WorldsError } from '@rdf-worlds/core';
import { type Authenticate, type StaticToken, TokenList } from '@rdf-worlds/http';
import { type GuardedText, readGuarded } from './guarded-file.ts';

/** Interval at which the file is checked for changes. */
const POLL_MS = 1_000;

/**
 * The tokens of a file: a JSON array of
 * `{ "token", "id"?, "namespace"?, "admin"?, "grants"?, "weight"?, "expiresAt"? }`; `-` is standard
 * input. The file is reloaded when it changes; if the new content is invalid, the error is logged
 * and the old tokens stay in force. Messages never include the file's content, which is secret.
 */
export class TokensFile {
  readonly authenticate: Authenticate;
  private readonly path: string;
  private readonly logger: Logger;
  private readonly list: TokenList;
  /** The version of the file when last read. */
  private version: string;
  private timer: NodeJS.Timeout | undefined;

  private constructor(path: string, logger: Logger, { content, version, warning }: GuardedText) {
    this.path = path;
    this.logger = logger;
    this.list = inFile(path, () => new TokenList(entries(content)));
    this.authenticate = this.list.authenticate;
    this.version = version;
    this.warn(content, warning);
  }

  /**
   * Opens a tokens file. Throws `INVALID_ARGUMENT` for an invalid file, a token that grants nothing
   * or is too short, unknown fields, and a file that other users may write.
   */
  static async open(path: string, logger: Logger): Promise<TokensFile> {
    if (path === '-') {
      return new TokensFile('standard input', logger, {
        content: await text(process.stdin),
        version: '',
        warning: false,
      });
    }
    const file = new TokensFile(path, logger, await readGuarded(path));
    const poll = () => {
      file.timer = setTimeout(() => void file.reload().then(poll), POLL_MS).unref();
    };
    poll();
    return file;
  }

  /** Reloads the file if it has changed. Never rejects: errors are logged. */
  async reload(): Promise<void> {
    try {
      const reading = await readGuarded(this.path, this.version);
      if (!reading) return;
      // Set before validation, so that the same error is logged once.
      this.version = reading.version;
      inFile(this.path, () => this.list.replace(entries(reading.content)));
      this.warn(reading.content, reading.warning);
      this.logger.warn({ file: this.path }, 'the tokens were reloaded');
    } catch (err) {
      const version = `failed: ${(err as Error).message}`;
      if (this.version === version) return;
      if (!(err instanceof WorldsError)) this.version = version;
      this.logger.error(
        { err, file: this.path },
        'the tokens file could not be reloaded; the previous tokens stay in effect',
      );
    }
  }

  close(): void {
    clearTimeout(this.timer);
  }

  private warn(content: string, isReadable: boolean): void {
    const hasPlainToken = (JSON.parse(content) as StaticToken[]).some(({ token }) => !token.startsWith('sha256:'));
    if (!isReadable || !hasPlainToken) return;
    this.logger.warn(
      { file: this.path },
      'other users of this machine can read the tokens; run chmod 600, or store hashes',
    );
  }
}

/** Adds the file's name to the errors of `work`. */
function inFile<Result>(name: string, work: () => Result): Result {
  try {
    return work();
  } catch (cause) {
    if (!(cause instanceof WorldsError)) throw cause;
    throw new WorldsError(cause.code, `${name}: ${cause.message}`, { cause });
  }
}

function entries(content: string): StaticToken[] {
  let tokens: unknown;
  try {
    tokens = JSON.parse(content);
  } catch {
    // The parser's own message would quote text around the error.
    throw new WorldsError('INVALID_ARGUMENT', 'it is not valid JSON.');
  }
  if (!Array.isArray(tokens) || tokens.length === 0) {
    throw new WorldsError(
      'INVALID_ARGUMENT',
      'expected a JSON array of tokens, such as [{"token": "...", "namespace": "acme"}].',
    );
  }
  return tokens;
}
