import { text } from 'node:stream/consumers';
import { type Logger, WorldsError } from '@rdf-worlds/core';
import { type Authenticate, type StaticToken, TokenList } from '@rdf-worlds/http';
import { type GuardedText, readGuarded } from './guarded-file.ts';
import { WatchedFile } from './watched-file.ts';

/**
 * The tokens of a file: a JSON array of
 * `{ "token", "id"?, "namespace"?, "admin"?, "grants"?, "weight"?, "expiresAt"? }`; `-` is standard
 * input. The file is reloaded when it changes; if the new content is invalid, the error is logged
 * and the old tokens stay in force. Messages never include the file's content, which is secret.
 */
export class TokensFile {
  readonly authenticate: Authenticate;
  private readonly file: WatchedFile | undefined;

  private constructor(list: TokenList, file: WatchedFile | undefined) {
    this.authenticate = list.authenticate;
    this.file = file;
  }

  /**
   * Opens a tokens file. Throws `INVALID_ARGUMENT` for an invalid file, a token that grants nothing
   * or is too short, unknown fields, and a file that other users may write.
   */
  static async open(path: string, logger: Logger): Promise<TokensFile> {
    if (path === '-') {
      const content = await text(process.stdin);
      return new TokensFile(
        inFile('standard input', () => new TokenList(entries(content))),
        undefined,
      );
    }
    let list: TokenList | undefined;
    const apply = ({ content, warning }: GuardedText) => {
      inFile(path, () => {
        const tokens = entries(content);
        if (list) list.replace(tokens);
        else list = new TokenList(tokens);
      });
      warn(path, logger, content, warning);
    };
    const file = await WatchedFile.open(path, logger, { what: 'tokens', read: readGuarded, apply });
    return new TokensFile(list!, file);
  }

  /** Reloads the file if it has changed. Never rejects: errors are logged. */
  async reload(): Promise<void> {
    await this.file?.reload();
  }

  close(): void {
    this.file?.close();
  }
}

function warn(path: string, logger: Logger, content: string, isReadable: boolean): void {
  const hasPlainToken = (JSON.parse(content) as StaticToken[]).some(({ token }) => !token.startsWith('sha256:'));
  if (!isReadable || !hasPlainToken) return;
  logger.warn({ file: path }, 'other users of this machine can read the tokens; run chmod 600, or store hashes');
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
