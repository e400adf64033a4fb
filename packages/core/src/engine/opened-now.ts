type Items<Item> = Iterable<Item> | AsyncIterable<Item>;

/** What `open` finds at the call, as a sequence; what it throws comes with the first step. */
export function openedNow<Item>(open: () => Items<Item> | Promise<Items<Item>>): AsyncGenerator<Item> {
  let opened: () => Items<Item> | Promise<Items<Item>>;
  try {
    const items = open();
    // Whoever never takes a step never hears of it.
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
