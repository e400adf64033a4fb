type Items<Item> = Iterable<Item> | AsyncIterable<Item>;

/**
 * Returns a sequence whose items are opened now, at the call. Errors of `open` are thrown by the
 * first step.
 */
export function openedNow<Item>(open: () => Items<Item> | Promise<Items<Item>>): AsyncGenerator<Item> {
  let opened: () => Items<Item> | Promise<Items<Item>>;
  try {
    const items = open();
    // Prevents an unhandled rejection if the sequence is never read.
    if (items instanceof Promise) items.catch(() => undefined);
    opened = () => items;
  } catch (cause) {
    opened = () => {
      throw cause;
    };
  }
  return (async function* () {
    yield* await opened();
  })();
}
