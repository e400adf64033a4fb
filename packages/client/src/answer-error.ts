import type { ExceededQuota, TextLocation, WorldsErrorCode, WorldsErrorOptions } from '@rdf-worlds/core';
import { WorldsError } from '@rdf-worlds/core/remote';

/** Maximum size of an error body that is read; the service's own are shorter. */
const MAX_BYTES = 64 * 1024;
/** Maximum length of an unexpected body that a message repeats. */
const MAX_SHOWN = 300;

/** The codes of answers without `RDF-Worlds-Error`, such as those of proxies. */
const CODE_OF_STATUS: Readonly<Record<number, WorldsErrorCode>> = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'UNSUPPORTED',
  405: 'UNSUPPORTED',
  408: 'TIMEOUT',
  409: 'CONFLICT',
  412: 'CONFLICT',
  413: 'LIMIT_EXCEEDED',
  415: 'UNSUPPORTED',
  429: 'OVERLOADED',
  431: 'LIMIT_EXCEEDED',
  500: 'INTERNAL',
  501: 'UNSUPPORTED',
  502: 'UNAVAILABLE',
  503: 'UNAVAILABLE',
  504: 'TIMEOUT',
  507: 'QUOTA_EXCEEDED',
};

/**
 * Returns the error of an unsuccessful answer: with the message of its Error body and the code and
 * details of `RDF-Worlds-Error`, else with what its status implies. Reads a bounded part of the
 * body.
 */
export async function answerError(response: Response): Promise<WorldsError> {
  const { status, headers } = response;
  const { code, details } = headerOf(headers.get('rdf-worlds-error'));
  const text = await beginning(response);
  const message = messageOf(text);
  const known: WorldsErrorCode = code ?? CODE_OF_STATUS[status] ?? (status >= 500 ? 'INTERNAL' : 'INVALID_ARGUMENT');
  if (message !== undefined) return rebuilt(known, message, details);
  const shown = text.slice(0, MAX_SHOWN).trim() || 'no message';
  return new WorldsError(known, `HTTP ${status}: ${shown}`);
}

function messageOf(text: string): string | undefined {
  try {
    const message = JSON.parse(text)?.error?.message;
    return typeof message === 'string' ? message : undefined;
  } catch {
    // Not JSON, or longer than what was read: not an Error body of the service.
    return undefined;
  }
}

/** A newer server may have codes that this version does not list; they are kept. */
const CODE = /^([A-Z][A-Z_]{2,39})(?:;|$)/;
/** A parameter of Structured Field Values (RFC 9651 section 3.1.2): a number or a string. */
const PARAMETER = /;\s*([a-z]+)=(?:(\d+(?:\.\d+)?)|"((?:[^"\\]|\\.)*)")/g;

function headerOf(header: string | null): { code?: WorldsErrorCode; details: WorldsErrorOptions } {
  const code = CODE.exec(header ?? '')?.[1] as WorldsErrorCode | undefined;
  if (header === null || code === undefined) return { details: {} };
  const values: Record<string, string | number | undefined> = {};
  for (const [, name, number, text] of header.matchAll(PARAMETER))
    values[name] = number === undefined ? text.replace(/\\(.)/g, '$1') : Number(number);
  const { line, column, commit, revision, oldestrevision, quota, limit, used, added, namespace, world } = values;
  return {
    code,
    details: {
      location: line !== undefined && column !== undefined ? ({ line, column } as TextLocation) : undefined,
      commit: commit as string | undefined,
      revision: revision as number | undefined,
      oldestRevision: oldestrevision as number | undefined,
      exceeded: quota === undefined ? undefined : ({ quota, limit, used, added, namespace, world } as ExceededQuota),
    },
  };
}

/** The constructor appends the location to the message, which the server's already contains. */
function rebuilt(code: WorldsErrorCode, message: string, { location, ...details }: WorldsErrorOptions): WorldsError {
  const end = location ? ` (line ${location.line}, column ${location.column})` : '';
  return end !== '' && message.endsWith(end)
    ? new WorldsError(code, message.slice(0, -end.length), { ...details, location })
    : new WorldsError(code, message, details);
}

async function beginning(response: Response): Promise<string> {
  const reader = response.body?.getReader();
  if (!reader) return '';
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  try {
    while (bytes < MAX_BYTES) {
      const { done, value } = await reader.read();
      if (done) return text + decoder.decode();
      bytes += value.length;
      text += decoder.decode(value, { stream: true });
    }
  } catch {
    // The status alone says what failed; a message that broke off is better than none.
    return text;
  }
  await reader.cancel();
  return text;
}
