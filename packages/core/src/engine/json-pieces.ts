import { WorldsError } from '../model/worlds-error.ts';

/**
 * A value as JSON text, in pieces: the items of an array, and of the arrays directly inside an
 * object, such as `@graph`, one by one, so that a large document is not written in one go. Throws
 * INVALID_ARGUMENT for what is no JSON, such as a cycle or a bigint.
 */
export function* jsonPieces(value: unknown, field: string): Generator<string> {
  try {
    yield* Array.isArray(value) ? items(value) : members(value as Readonly<Record<string, unknown>>);
  } catch (cause) {
    const { name, message } = cause as Error;
    if (name !== 'TypeError') throw cause;
    throw new WorldsError('INVALID_ARGUMENT', `${field}: this object is no JSON: ${message}`, { cause });
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
      // As JSON.stringify does with members that are undefined or functions.
      if (text === undefined) continue;
      yield key + text;
    }
    before = ',';
  }
  yield before === '{' ? '{}' : '}';
}
