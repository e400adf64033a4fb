/**
 * Type checks that also hold for values of other realms. Test runners, browser frames and `node:vm`
 * have their own globals, so `instanceof` fails for bytes, errors and promises from there.
 */

const BYTES_TAG = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(Uint8Array.prototype), Symbol.toStringTag)!
  .get!;

/**
 * Returns bytes as a Uint8Array of this realm that shares their memory; undefined for any other
 * value.
 */
export function asBytes(value: unknown): Uint8Array | undefined {
  if (value instanceof Uint8Array) return value;
  // The getter of the shared prototype reads an internal slot: it works in every realm and cannot
  // be faked.
  if (BYTES_TAG.call(value) !== 'Uint8Array') return undefined;
  const { buffer, byteOffset, byteLength } = value as Uint8Array;
  return new Uint8Array(buffer, byteOffset, byteLength);
}

/** Returns the tag of a built-in value, such as `ArrayBuffer`, `Blob` or `Date`. */
export function tagOf(value: unknown): string {
  return Object.prototype.toString.call(value).slice(8, -1);
}

export function isDate(value: unknown): value is Date {
  return tagOf(value) === 'Date';
}

export function isMap(value: unknown): value is Map<unknown, unknown> {
  return tagOf(value) === 'Map';
}

/**
 * Returns whether a value is an AbortSignal, of the host or of a library with its own
 * implementation.
 */
export function isAbortSignal(value: unknown): value is AbortSignal {
  return value instanceof AbortSignal || tagOf(value) === 'AbortSignal';
}

/**
 * Returns a signal that fires with the first of several, which may belong to other realms;
 * AbortSignal.any accepts only those of the host.
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

/** Returns whether a value is an Error or a DOMException. */
export function isError(value: unknown): value is Error {
  if (value instanceof Error) return true;
  const tag = tagOf(value);
  return tag === 'Error' || tag === 'DOMException';
}
