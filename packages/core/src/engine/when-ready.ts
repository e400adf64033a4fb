/** Passes a value to `next`: synchronously if it is not a promise. */
export function whenReady<Value, Next>(
  value: Value | Promise<Value>,
  next: (value: Value) => Next,
): Next | Promise<Awaited<Next>> {
  // `then` awaits the promise that `next` may return.
  return value instanceof Promise ? (value.then(next) as Promise<Awaited<Next>>) : next(value);
}
