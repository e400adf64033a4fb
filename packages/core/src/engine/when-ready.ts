/** Passes a value to `next`: synchronously if it is not a promise. */
export function whenReady<Value, Next>(
  value: Value | Promise<Value>,
  next: (value: Value) => Next,
): Next | Promise<Next> {
  return value instanceof Promise ? value.then(next) : next(value);
}
