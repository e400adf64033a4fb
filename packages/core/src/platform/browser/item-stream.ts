import { BrowserEmitter, type Listener } from './browser-emitter.ts';

/** Items read ahead of the consumer, as in Node. */
const HIGH_WATER_MARK = 16;

/**
 * A stream of items with what RDF/JS requires and consumers of Node's streams commonly use: `read`,
 * the events `readable`, `data`, `end` and `error`, `pause`, `resume`, `destroy`, and iteration.
 * Reads nothing before someone listens or reads.
 */
export class ItemStream<T> extends BrowserEmitter implements AsyncIterable<T> {
  readonly #source: AsyncIterator<T>;
  readonly #items: T[] = [];
  #isFlowing = false;
  #isFilling = false;
  #isEnded = false;
  #isClosed = false;

  constructor(items: AsyncIterable<T>) {
    super();
    this.#source = items[Symbol.asyncIterator]();
  }

  override on(event: string | symbol, listener: Listener): this {
    super.on(event, listener);
    if (event === 'data') this.resume();
    if (event === 'readable') this.#start();
    return this;
  }

  override once(event: string | symbol, listener: Listener): this {
    super.once(event, listener);
    if (event === 'data') this.resume();
    if (event === 'readable') this.#start();
    return this;
  }

  /** Returns the next item, or null if none has arrived; then wait for `readable`. */
  read(): T | null {
    const item = this.#items.shift();
    this.#start();
    return item ?? null;
  }

  resume(): this {
    this.#isFlowing = true;
    this.#start();
    return this;
  }

  pause(): this {
    this.#isFlowing = false;
    return this;
  }

  get destroyed(): boolean {
    return this.#isClosed;
  }

  /** Stops reading. With an error, emits it. */
  destroy(error?: unknown): this {
    if (this.#isClosed) return this;
    this.#isClosed = true;
    this.#items.length = 0;
    queueMicrotask(async () => {
      try {
        await this.#source.return?.();
        if (error !== undefined) this.emit('error', error);
      } catch (cause) {
        this.emit('error', cause);
      }
      this.emit('close');
    });
    return this;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T> {
    this.#isFlowing = false;
    try {
      while (!this.#isClosed) {
        if (this.#items.length > 0) yield this.#items.shift()!;
        else {
          const next = await this.#source.next();
          if (next.done) return;
          yield next.value;
        }
      }
    } finally {
      this.destroy();
    }
  }

  /** Fills the buffer, later, because the caller may still add listeners. */
  #start(): void {
    if (this.#isFilling || this.#isClosed) return;
    this.#isFilling = true;
    queueMicrotask(() => void this.#fill());
  }

  async #fill(): Promise<void> {
    try {
      this.#flow();
      while (!this.#isEnded && !this.#isClosed && this.#items.length < HIGH_WATER_MARK) {
        const next = await this.#source.next();
        if (next.done) this.#isEnded = true;
        else this.#items.push(next.value);
        if (this.#isFlowing) this.#flow();
        else this.emit('readable');
      }
      if (this.#isEnded && this.#items.length === 0 && !this.#isClosed) {
        this.#isClosed = true;
        this.emit('end');
        this.emit('close');
      }
    } catch (error) {
      this.#isClosed = true;
      this.emit('error', error);
      this.emit('close');
    } finally {
      this.#isFilling = false;
    }
  }

  #flow(): void {
    while (this.#isFlowing && this.#items.length > 0) this.emit('data', this.#items.shift());
  }
}
