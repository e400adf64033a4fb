import { WorldsError } from '@rdf-worlds/core';

/**
 * Returns an error in a text with declarations before its first line as one in the text itself: its
 * author does not know of them. Other errors are returned as they are.
 *
 * @param length code units of the declarations, which are on one line
 */
export function withoutDeclared(error: unknown, length: number): unknown {
  if (!(error instanceof WorldsError) || error.location?.line !== 1) return error;
  const { code, message, location } = error;
  const end = ` (line 1, column ${location.column})`;
  // Some parsers report the space before a token, which is the last one of the declarations.
  if (!message.endsWith(end) || location.column < length) return error;
  return new WorldsError(code, message.slice(0, -end.length), {
    cause: error,
    location: { ...location, column: Math.max(1, location.column - length) },
  });
}
