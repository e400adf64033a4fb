/** Whether a plug-in gave a promise, be it one of its own making. */
export function isPromise<Value extends object>(value: Value | PromiseLike<Value>): value is PromiseLike<Value> {
  return typeof (value as PromiseLike<Value>).then === 'function';
}
