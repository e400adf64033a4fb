/** The functions of `node:assert/strict` that tests use, for browsers. */
class AssertionError extends Error {
  override readonly name = 'AssertionError';
}

type Expected = RegExp | ((error: unknown) => boolean) | (new (...args: never[]) => unknown) | object;

function shown(value: unknown): string {
  try {
    return typeof value === 'string' ? JSON.stringify(value) : (JSON.stringify(value) ?? String(value));
  } catch {
    // A cycle or a bigint.
    return String(value);
  }
}

function check(holds: boolean, message: string | Error | undefined, otherwise: () => string): asserts holds {
  if (holds) return;
  throw message instanceof Error ? message : new AssertionError(message ?? otherwise());
}

export function ok(value: unknown, message?: string | Error): asserts value {
  check(Boolean(value), message, () => `${shown(value)} is not true`);
}

export function equal(actual: unknown, expected: unknown, message?: string | Error): void {
  check(Object.is(actual, expected), message, () => `${shown(actual)} is not ${shown(expected)}`);
}

export function notEqual(actual: unknown, expected: unknown, message?: string | Error): void {
  check(!Object.is(actual, expected), message, () => `${shown(actual)} is not expected`);
}

export function deepEqual(actual: unknown, expected: unknown, message?: string | Error): void {
  check(isDeepEqual(actual, expected), message, () => `${shown(actual)} does not equal ${shown(expected)}`);
}

export function match(text: string, pattern: RegExp, message?: string | Error): void {
  check(pattern.test(text), message, () => `${shown(text)} does not match ${pattern}`);
}

export function fail(message: string | Error = 'failed'): never {
  throw message instanceof Error ? message : new AssertionError(message);
}

export function throws(call: () => unknown, expected?: Expected): void {
  let error: unknown;
  try {
    call();
  } catch (thrown) {
    error = thrown;
    checkError(error, expected);
    return;
  }
  fail('nothing was thrown');
}

export async function rejects(
  promise: Promise<unknown> | (() => Promise<unknown>),
  expected?: Expected,
): Promise<void> {
  const settled = await (typeof promise === 'function' ? promise() : promise).then(
    () => undefined,
    (error: unknown) => ({ error }),
  );
  if (settled === undefined) fail('the promise was not rejected');
  checkError(settled.error, expected);
}

function checkError(error: unknown, expected: Expected | undefined): void {
  if (expected === undefined) return;
  if (expected instanceof RegExp) match(String(error), expected);
  else if (typeof expected === 'object') {
    for (const [name, value] of Object.entries(expected)) deepEqual((error as Record<string, unknown>)[name], value);
  } else {
    const isClass = expected.prototype !== undefined;
    const accepts = isClass
      ? error instanceof (expected as new () => unknown)
      : (expected as (error: unknown) => boolean)(error);
    if (accepts !== true) throw error;
  }
}

/**
 * As `assert.deepStrictEqual` of Node: prototypes count, `undefined` is a value, NaN equals NaN.
 */
function isDeepEqual(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true;
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false;
  if (Object.getPrototypeOf(one) !== Object.getPrototypeOf(other)) return false;
  if (one instanceof Map && other instanceof Map)
    return (
      one.size === other.size && [...one].every(([key, value]) => other.has(key) && isDeepEqual(value, other.get(key)))
    );
  if (one instanceof Set && other instanceof Set)
    return (
      one.size === other.size &&
      [...one].every((each) => other.has(each) || [...other].some((its) => isDeepEqual(each, its)))
    );
  if (one instanceof Date && other instanceof Date && one.getTime() !== other.getTime()) return false;
  if (one instanceof Error && other instanceof Error && one.message !== other.message) return false;
  const keys = Object.keys(one);
  return (
    keys.length === Object.keys(other).length &&
    keys.every(
      (key) =>
        Object.hasOwn(other, key) &&
        isDeepEqual((one as Record<string, unknown>)[key], (other as Record<string, unknown>)[key]),
    )
  );
}

// biome-ignore lint/style/noDefaultExport: the module that it stands for has one
export default Object.assign(ok, { ok, equal, notEqual, deepEqual, match, fail, throws, rejects });
