/**
 * Returns an iteration that calls a function with each item as it is consumed, and with undefined
 * at the end. If the function throws, the items are closed and the iteration fails. Not a
 * generator: each one around the batches of a result costs a short query several promises.
 */
export function watched<Item>(
  items: AsyncIterable<Item> | Iterable<Item>,
  see: (item: Item | undefined) => void,
): AsyncIterable<Item> {
  return new Watched(items, see);
}

class Watched<Item> implements AsyncIterableIterator<Item, undefined> {
  private readonly iterator: AsyncIterator<Item> | Iterator<Item>;
  private readonly see: (item: Item | undefined) => void;

  constructor(items: AsyncIterable<Item> | Iterable<Item>, see: (item: Item | undefined) => void) {
    this.iterator = Symbol.asyncIterator in items ? items[Symbol.asyncIterator]() : items[Symbol.iterator]();
    this.see = see;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async next(): Promise<IteratorResult<Item, undefined>> {
    const step = await this.iterator.next();
    try {
      this.see(step.done ? undefined : step.value);
    } catch (error) {
      await this.return();
      throw error;
    }
    return step.done ? ENDED : step;
  }

  async return(): Promise<IteratorResult<Item, undefined>> {
    await this.iterator.return?.();
    return ENDED;
  }
}

const ENDED = { done: true, value: undefined } as const;
