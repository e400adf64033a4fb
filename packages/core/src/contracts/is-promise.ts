/** Returns whether a plug-in returned a promise, including any thenable. */
export function isPromise<Value extends object>(value: Value | PromiseLike<Value>): value is PromiseLike<Value> {
  return typeof (value as PromiseLike<Value>).then === 'function';
}
