import { text } from 'node:stream/consumers';
import { type Logger, WorldsError } from '@rdf-worlds/core';
import { type Authenticate, type StaticToken, TokenList } from '@rdf-worlds/http';
import { type GuardedText, readGuarded } from './guarded-file.ts';

/** How often the file is looked at. */
const POLL_MS = 1_000;

/**
 * Who may come in, by a file: a JSON array of
 * `{ "token", "id"?, "namespace"?, "admin"?, "grants"?, "expiresAt"? }`, `-` for standard input.
 * Read again when it changes; what is wrong then goes to the log, and the tokens stay as they were.
 * No message shows any of the file's text, since that is secret.
 */
export class TokensFile {
  readonly authenticate: Authenticate;
  private readonly path: string;
  private readonly logger: Logger;
  private readonly list: TokenList;
  /** What the file looked like when it was last read. */
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
   * Throws INVALID_ARGUMENT for what is no such file, for a token that grants nothing or is too
   * short, for unknown fields, and for a file that others may write.
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

  /** Reads the file again if it has changed. Never rejects: what is wrong goes to the log. */
  async reload(): Promise<void> {
    try {
      const reading = await readGuarded(this.path, this.version);
      if (!reading) return;
      // Before it is judged: the same mistake is told once.
      this.version = reading.version;
      inFile(this.path, () => this.list.replace(entries(reading.content)));
      this.warn(reading.content, reading.warning);
      this.logger.warn({ file: this.path }, 'the tokens were read again');
    } catch (err) {
      const version = `failed: ${(err as Error).message}`;
      if (this.version === version) return;
      if (!(err instanceof WorldsError)) this.version = version;
      this.logger.error(
        { err, file: this.path },
        'the tokens file could not be read again; the tokens stay as they were',
      );
    }
  }

  close(): void {
    clearTimeout(this.timer);
  }

  private warn(content: string, isReadable: boolean): void {
    const hasPlainToken = (JSON.parse(content) as StaticToken[]).some(({ token }) => !token.startsWith('sha256:'));
    if (!isReadable || !hasPlainToken) return;
    this.logger.warn({ file: this.path }, 'others on this machine may read the tokens; run chmod 600, or store hashes');
  }
}

/** Names the file in what is wrong with it. */
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
    // The parser's own message quotes the text around the mistake.
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
