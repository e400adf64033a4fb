import { WorldsError } from '../model/worlds-error.ts';

/**
 * Serializes a value as JSON text in pieces: one per item of an array, or of an array directly
 * inside an object, such as `@graph`. A large document is thus not serialized in one step. Throws
 * INVALID_ARGUMENT for values without a JSON form, such as a cycle or a bigint.
 */
export function* jsonPieces(value: unknown, field: string): Generator<string> {
  try {
    yield* Array.isArray(value) ? items(value) : members(value as Readonly<Record<string, unknown>>);
  } catch (cause) {
    const { name, message } = cause as Error;
    if (name !== 'TypeError') throw cause;
    throw new WorldsError('INVALID_ARGUMENT', `${field}: this object is not JSON: ${message}`, { cause });
  }
}

function* items(array: readonly unknown[]): Generator<string> {
  let before = '[';
  for (const item of array) {
    yield before + (JSON.stringify(item) ?? 'null');
    before = ',';
  }
  yield before === '[' ? '[]' : ']';
}

function* members(object: Readonly<Record<string, unknown>>): Generator<string> {
  let before = '{';
  for (const [name, value] of Object.entries(object)) {
    const key = `${before}${JSON.stringify(name)}:`;
    if (Array.isArray(value)) {
      yield key;
      yield* items(value);
    } else {
      const text = JSON.stringify(value);
      // Skips undefined and functions, like JSON.stringify.
      if (text === undefined) continue;
      yield key + text;
    }
    before = ',';
  }
  yield before === '{' ? '{}' : '}';
}
