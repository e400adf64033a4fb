import { tagOf } from './any-realm.ts';
import { WorldsError } from './worlds-error.ts';

/**
 * Returns what kind of value a caller passed, for messages: `a string`, `an array`,
 * `a WorldsEngine`. Never its content, which may be a secret.
 */
export function kindOf(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  if (typeof value === 'function') return value.name === '' ? 'a function' : `the function ${value.name} itself`;
  if (typeof value !== 'object') return `a ${typeof value}`;
  if (tagOf(value) === 'Promise') return 'a promise';
  const maker: unknown = value.constructor;
  const name = typeof maker === 'function' ? maker.name : 'Object';
  return name === 'Object' || name === '' ? 'an object' : `${/^[AEIO]/.test(name) ? 'an' : 'a'} ${name}`;
}

/**
 * Throws INVALID_ARGUMENT unless a value is an object of options, and shows a right call.
 *
 * @param where the function or option, such as `fileStorage`
 * @param example such as `fileStorage({ path: './data' })`
 */
export function requireOptions(value: unknown, where: string, example: string): void {
  if (isObject(value)) return;
  throw new WorldsError(
    'INVALID_ARGUMENT',
    `${where}: expected an object of options, not ${kindOf(value)}; write ${example}.`,
  );
}

/** Whether a value is an object with named fields: no array, no function, no promise. */
export function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && tagOf(value) !== 'Promise';
}

/**
 * Throws INVALID_ARGUMENT unless a value has a method of an engine.
 *
 * @param where the function that takes the engine, such as `createMcpServer`
 * @param example a right call
 */
export function requireEngine(value: unknown, where: string, example: string): void {
  if (isObject(value) && typeof (value as { readonly getWorld?: unknown }).getWorld === 'function') return;
  const advice = tagOf(value) === 'Promise' ? 'await it first' : `write ${example}`;
  throw new WorldsError(
    'INVALID_ARGUMENT',
    `${where}: engine: expected a WorldsEngine, not ${kindOf(value)}; ${advice}.`,
  );
}
