import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { WorldsError } from '@rdf-worlds/core';
import { type Authenticate, type StaticToken, staticTokens } from '@rdf-worlds/http';

/**
 * Who may come in, by a file: a JSON array of `{ "token", "namespace"?, "admin"?, "grants"? }`, `-` for standard input. Throws INVALID_ARGUMENT for
 * anything else, and for a token that grants nothing; no message shows any of the file's text, since that is secret.
 */
export async function readTokens(file: string): Promise<Authenticate> {
  const name = file === '-' ? 'standard input' : file;
  const content = file === '-' ? await text(process.stdin) : await readFile(file, 'utf8');
  const tokens = entries(content, name);
  try {
    return staticTokens(tokens);
  } catch (cause) {
    if (!(cause instanceof WorldsError)) throw cause;
    throw new WorldsError(cause.code, `${name}: ${cause.message}`, { cause });
  }
}

function entries(content: string, name: string): StaticToken[] {
  let tokens: unknown;
  try {
    tokens = JSON.parse(content);
  } catch {
    // The parser's own message quotes the text around the mistake.
    throw new WorldsError('INVALID_ARGUMENT', `${name}: it is not valid JSON.`);
  }
  if (!Array.isArray(tokens) || tokens.length === 0) {
    throw new WorldsError(
      'INVALID_ARGUMENT',
      `${name}: expected a JSON array of tokens, such as [{"token": "...", "namespace": "acme"}].`,
    );
  }
  return tokens;
}
