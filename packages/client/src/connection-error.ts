import { isError, WorldsError } from '@rdf-worlds/core/remote';

/** Codes of Node's failures that precede the sending of a request. */
const NOT_SENT = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
  'ConnectionRefused',
]);

/**
 * Returns the error of a request without an answer. If it may have changed something, the code is
 * IN_DOUBT, because nobody knows whether it did; otherwise UNAVAILABLE.
 */
export function connectionError(cause: unknown, url: string, isWrite: boolean): WorldsError {
  const root = rootOf(cause);
  const code = (root as { code?: unknown } | null | undefined)?.code;
  const message = `The request to ${url} failed: ${isError(root) ? root.message || String(code) : String(root)}.`;
  return isWrite && !(typeof code === 'string' && NOT_SENT.has(code))
    ? inDoubt(message, cause)
    : new WorldsError('UNAVAILABLE', message, { cause });
}

/** Returns the error of a write of which only the outcome is unknown. */
export function inDoubt(message: string, cause: unknown): WorldsError {
  return new WorldsError(
    'IN_DOUBT',
    `${message} It is unknown whether the change was made: read the data before you repeat the call.`,
    { cause },
  );
}

/** Returns the error of an answer that ended early. */
export function brokenAnswer(url: string, cause?: unknown): WorldsError {
  const root = rootOf(cause);
  const why = isError(root) && root.message !== '' ? `: ${root.message}` : '';
  return new WorldsError(
    'UNAVAILABLE',
    `The response from ${url} was cut off${why}. It is incomplete; the server may have exceeded its time limit.`,
    { cause },
  );
}

/**
 * Returns the root cause: `fetch` itself reports only that it failed, and a connection failure may
 * have several causes.
 */
function rootOf(error: unknown): unknown {
  const { errors } = (error ?? {}) as { errors?: unknown };
  if (Array.isArray(errors) && errors.length > 0) return rootOf(errors[0]);
  return isError(error) && error.cause !== undefined && error.cause !== null ? rootOf(error.cause) : error;
}
