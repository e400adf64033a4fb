import { kindOf } from '../model/passed-value.ts';
import { WorldsError } from '../model/worlds-error.ts';

/**
 * Makes the methods of a class throw INVALID_ARGUMENT if they are called without their object, as
 * in `const { select } = engine`, instead of a TypeError about a private field.
 *
 * @param name how the documentation calls such an object, such as `engine`
 */
export function requireReceiver(made: { readonly name: string; readonly prototype: object }, name: string): void {
  const { prototype } = made;
  for (const [key, { value, ...rest }] of Object.entries(Object.getOwnPropertyDescriptors(prototype))) {
    if (typeof value !== 'function' || key === 'constructor') continue;
    const method = value as (...args: unknown[]) => unknown;
    const checked = function (this: unknown, ...args: unknown[]): unknown {
      if (this instanceof (made as unknown as new () => object)) return method.apply(this, args);
      throw new WorldsError(
        'INVALID_ARGUMENT',
        `${key}: called on ${kindOf(this)} instead of a ${made.name}; write ${name}.${key}(...), or pass it on as (...args) => ${name}.${key}(...args).`,
      );
    };
    Object.defineProperty(checked, 'name', { value: key });
    Object.defineProperty(checked, 'length', { value: method.length });
    Object.defineProperty(prototype, key, { ...rest, value: checked });
  }
}
