import type { WorldsErrorCode } from '@rdf-worlds/core';

/** The error code that clients get for a status that only HTTP knows. */
const CODE_OF_STATUS: Readonly<Record<number, WorldsErrorCode>> = {
  403: 'PERMISSION_DENIED',
  // Not NOT_FOUND, which is about worlds and graphs: here the service has no such route.
  404: 'UNSUPPORTED',
  405: 'UNSUPPORTED',
  408: 'TIMEOUT',
  412: 'CONFLICT',
  413: 'LIMIT_EXCEEDED',
  429: 'OVERLOADED',
  431: 'LIMIT_EXCEEDED',
  501: 'UNSUPPORTED',
  503: 'OVERLOADED',
};

/**
 * An error that only HTTP knows (routing, sizes, slow bodies): its status determines the error code
 * that clients get.
 */
export class HttpError extends Error {
  override readonly name = 'HttpError';
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;

  /** See {@link WorldsError.code}. */
  get code(): WorldsErrorCode {
    return CODE_OF_STATUS[this.status] ?? 'INVALID_ARGUMENT';
  }

  constructor(status: number, message: string, headers: Readonly<Record<string, string>> = {}) {
    super(message);
    this.status = status;
    this.headers = headers;
  }
}

/** Returns whether an error closes the connection, because the rest of the body is not wanted. */
export function closesConnection(error: Error): boolean {
  return error instanceof HttpError && error.headers.connection === 'close';
}
