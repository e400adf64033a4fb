/**
 * Checks that hold for values of other realms too: a test runner, a browser frame or `node:vm` has
 * globals of its own, so that `instanceof` says no to bytes, errors and promises that come from
 * there.
 */

const BYTES_TAG = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(Uint8Array.prototype), Symbol.toStringTag)!
  .get!;

/** Bytes, as a Uint8Array of this realm that shares their memory; undefined for anything else. */
export function asBytes(value: unknown): Uint8Array | undefined {
  if (value instanceof Uint8Array) return value;
  // The getter of the shared prototype reads an internal slot: it is right in every realm, and
  // cannot be faked.
  if (BYTES_TAG.call(value) !== 'Uint8Array') return undefined;
  const { buffer, byteOffset, byteLength } = value as Uint8Array;
  return new Uint8Array(buffer, byteOffset, byteLength);
}

/**
 * The tag of a value that the language or the host made, such as `ArrayBuffer`, `Blob` or `Date`.
 */
export function tagOf(value: unknown): string {
  return Object.prototype.toString.call(value).slice(8, -1);
}

export function isDate(value: unknown): value is Date {
  return tagOf(value) === 'Date';
}

export function isMap(value: unknown): value is Map<unknown, unknown> {
  return tagOf(value) === 'Map';
}

/** Whether a value is an AbortSignal: one of the host, or of a library that has its own. */
export function isAbortSignal(value: unknown): value is AbortSignal {
  return value instanceof AbortSignal || tagOf(value) === 'AbortSignal';
}

/**
 * A signal that fires with the first of several, which may be of other realms: AbortSignal.any
 * takes those of the host alone.
 */
export function anySignal(signals: readonly AbortSignal[]): AbortSignal {
  if (signals.every((signal) => signal instanceof AbortSignal)) return AbortSignal.any([...signals]);
  const controller = new AbortController();
  for (const signal of signals) {
    if (signal.aborted) controller.abort(signal.reason);
    else
      signal.addEventListener('abort', () => controller.abort(signal.reason), {
        once: true,
        signal: controller.signal,
      });
  }
  return controller.signal;
}

/** Whether a value is an Error: one of the language, or a DOMException. */
export function isError(value: unknown): value is Error {
  if (value instanceof Error) return true;
  const tag = tagOf(value);
  return tag === 'Error' || tag === 'DOMException';
}
