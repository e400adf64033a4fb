/**
 * Checks that hold for values of other realms too: a test runner, a browser frame or `node:vm` has globals of its own, so that `instanceof` says no to bytes, errors and promises that
 * come from there.
 */

const BYTES_TAG = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(Uint8Array.prototype), Symbol.toStringTag)!
  .get!;

/** Bytes, as a Uint8Array of this realm that shares their memory; undefined for anything else. */
export function asBytes(value: unknown): Uint8Array | undefined {
  if (value instanceof Uint8Array) return value;
  // The getter of the shared prototype reads an internal slot: it is right in every realm, and cannot be faked.
  if (BYTES_TAG.call(value) !== 'Uint8Array') return undefined;
  const { buffer, byteOffset, byteLength } = value as Uint8Array;
  return new Uint8Array(buffer, byteOffset, byteLength);
}

/** The tag of a value that the language or the host made, such as `ArrayBuffer`, `Blob` or `Date`. */
export function tagOf(value: unknown): string {
  return Object.prototype.toString.call(value).slice(8, -1);
}

/** Whether a value is an Error: one of the language, or a DOMException. */
export function isError(value: unknown): value is Error {
  if (value instanceof Error) return true;
  const tag = tagOf(value);
  return tag === 'Error' || tag === 'DOMException';
}
