/** Goes on with a value: at once when it is there, or when its promise resolves. */
export function whenReady<Value, Next>(
  value: Value | Promise<Value>,
  next: (value: Value) => Next,
): Next | Promise<Next> {
  return value instanceof Promise ? value.then(next) : next(value);
}
