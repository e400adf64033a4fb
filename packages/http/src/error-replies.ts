import { type Logger, WorldsError, type WorldsErrorCode } from '@rdf-worlds/core';
import { EmbedderFailure } from '@rdf-worlds/core/embedders';
import { type ErrorDetails, errorHeader } from './error-header.ts';
import { STATUS_OF_CODE } from './error-status.ts';
import { HttpError } from './http-error.ts';
import { jsonReply, type Reply } from './reply.ts';
import type { RouteInfo } from './route-info.ts';

/** The request that an error belongs to. */
export interface ErrorContext {
  readonly requestId: string;
  readonly method: string;
  /** Undefined before routing. */
  readonly route: RouteInfo | undefined;
}

/**
 * Converts any thrown value into a reply with the Error body, and logs the details that the caller
 * must not see.
 */
export class ErrorReplies {
  private readonly logger: Logger | undefined;

  constructor(logger: Logger | undefined) {
    this.logger = logger;
  }

  reply(error: unknown, context: ErrorContext): Reply {
    const { status, code, message, headers, details } = describe(error, context);
    if (status >= 500) this.report(error, context);
    return jsonReply({ error: { message } }, status, { ...headers, 'rdf-worlds-error': errorHeader(code, details) });
  }

  /** Logs the complete error. No error contains tokens or bodies. */
  report(error: unknown, { requestId, method, route }: ErrorContext): void {
    const { logger } = this;
    const details = { err: error, requestId, method, operation: route?.operation };
    if (error instanceof HttpError) {
      // The service's own refusals, such as a 503 while too many bytes are held, are logged as
      // warnings: a client must not be able to fill the error log.
      logger?.warn(details, 'a request was refused');
    } else if (!(error instanceof WorldsError) || STATUS_OF_CODE[error.code] === 500) {
      logger?.error(details, 'a request failed unexpectedly');
    } else if (error.code === 'ABORTED') {
      logger?.debug(details, 'the client disconnected');
    } else {
      logger?.warn(details, 'a request failed');
    }
  }
}

interface Described {
  readonly status: number;
  readonly code: WorldsErrorCode;
  readonly message: string;
  /** What clients rebuild the error from, besides its code and message. */
  readonly details?: ErrorDetails;
  readonly headers: Readonly<Record<string, string>>;
}

function describe(error: unknown, { requestId, route }: ErrorContext): Described {
  if (error instanceof HttpError) return error;
  if (error instanceof EmbedderFailure) {
    const message = `Search by meaning is currently unavailable; retry later, or report the request id ${requestId}.`;
    return { status: STATUS_OF_CODE.TIMEOUT, code: 'TIMEOUT', message, headers: {} };
  }
  if (error instanceof WorldsError && error.code === 'IN_DOUBT') {
    // The engine's message names local files, so it is not shown.
    const message = `The storage failed during a write, so it is unknown whether this change was saved: commit ${error.commit ?? 'unknown'}. Read the data before you repeat the request, or report the request id ${requestId}.`;
    return {
      status: STATUS_OF_CODE.IN_DOUBT,
      code: 'IN_DOUBT',
      message,
      headers: {},
      details: { commit: error.commit },
    };
  }
  if (error instanceof WorldsError) {
    const { code, message, location, revision, oldestRevision, exceeded } = error;
    const status = statusOf(code, route);
    if (status !== 500) {
      const headers = { ...challenge(status), ...retryAfter(code) };
      return { status, code, message, headers, details: { location, revision, oldestRevision, exceeded } };
    }
  }
  // Details of internal failures go to the log only.
  return {
    status: 500,
    code: 'INTERNAL',
    message: `Internal error; report the request id ${requestId}.`,
    headers: {},
  };
}

function statusOf(code: WorldsErrorCode, route: RouteInfo | undefined): number {
  if (code === 'NOT_FOUND' && route) return route.unknownWorld;
  // 409 is for creating a world that exists; `CREATE GRAPH` of an existing graph is a bad request,
  // like any other failed update.
  if (code === 'ALREADY_EXISTS' && route && !route.statuses.includes(409)) return 400;
  return STATUS_OF_CODE[code];
}

/** In seconds: by then other requests have ended or reached their deadline. */
const RETRY_AFTER_SECONDS = 2;

/** RFC 9110 section 10.2.3. */
function retryAfter(code: WorldsErrorCode): Record<string, string> {
  return code === 'OVERLOADED' ? { 'retry-after': String(RETRY_AFTER_SECONDS) } : {};
}

/** RFC 6750 section 3. */
function challenge(status: number): Record<string, string> {
  return status === 401 ? { 'www-authenticate': 'Bearer realm="rdf-worlds"' } : {};
}
