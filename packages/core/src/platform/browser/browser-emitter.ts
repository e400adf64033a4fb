// biome-ignore lint/suspicious/noExplicitAny: listeners have the parameters of their event
export type Listener = (...values: any[]) => void;

interface Entry {
  readonly listener: Listener;
  readonly isOnce: boolean;
}

/** The methods of Node's EventEmitter that consumers of RDF/JS streams call. */
export class BrowserEmitter {
  readonly #entries = new Map<string | symbol, readonly Entry[]>();

  on(event: string | symbol, listener: Listener): this {
    return this.#add(event, { listener, isOnce: false });
  }

  addListener(event: string | symbol, listener: Listener): this {
    return this.on(event, listener);
  }

  once(event: string | symbol, listener: Listener): this {
    return this.#add(event, { listener, isOnce: true });
  }

  off(event: string | symbol, listener: Listener): this {
    const entries = this.#entries.get(event) ?? [];
    const at = entries.findLastIndex((entry) => entry.listener === listener);
    if (at >= 0) this.#entries.set(event, entries.toSpliced(at, 1));
    return this;
  }

  removeListener(event: string | symbol, listener: Listener): this {
    return this.off(event, listener);
  }

  removeAllListeners(event?: string | symbol): this {
    if (event === undefined) this.#entries.clear();
    else this.#entries.delete(event);
    return this;
  }

  listenerCount(event: string | symbol): number {
    return this.#entries.get(event)?.length ?? 0;
  }

  /** Calls the listeners in order. Throws the value of an `error` that nobody listens to. */
  emit(event: string | symbol, ...values: unknown[]): boolean {
    const entries = this.#entries.get(event) ?? [];
    if (entries.length === 0 && event === 'error') throw values[0];
    for (const { listener, isOnce } of entries) {
      if (isOnce) this.off(event, listener);
      listener.apply(this, values);
    }
    return entries.length > 0;
  }

  #add(event: string | symbol, entry: Entry): this {
    this.#entries.set(event, [...(this.#entries.get(event) ?? []), entry]);
    return this;
  }
}
