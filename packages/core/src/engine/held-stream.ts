import type { NamespaceState } from './namespace-state.ts';

/**
 * For streams that nobody reads to their end or gives up properly: the collector finds that nobody
 * has them.
 */
const abandoned = new FinalizationRegistry<() => void>((release) => release());

/** Keeps namespaces in memory until the function is called that it gives. */
export function holdAll(homes: Iterable<NamespaceState>): () => void {
  const holds = Array.from(homes, (home) => home.hold());
  return () => {
    for (const release of holds.splice(0)) release();
  };
}

/**
 * A stream of what namespaces hold, which stay in memory until it has been read or given up. `open`
 * makes it, and has it call `release` at its end.
 */
export function heldStream<Item>(
  homes: Iterable<NamespaceState>,
  open: (release: () => void) => AsyncGenerator<Item>,
): AsyncGenerator<Item> {
  return heldObject(homes, open);
}

/**
 * As {@link heldStream}, of anything that reads what namespaces hold until it calls `release` or is
 * collected.
 */
export function heldObject<Held extends object>(
  homes: Iterable<NamespaceState>,
  open: (release: () => void) => Held,
): Held {
  const release = holdAll(homes);
  const held = open(release);
  abandoned.register(held, release);
  return held;
}

/** As {@link heldStream}, of a stream that knows nothing of this; for streams of large items. */
export function heldItems<Item>(homes: Iterable<NamespaceState>, items: AsyncIterable<Item>): AsyncGenerator<Item> {
  return heldStream(homes, async function* (release) {
    try {
      yield* items;
    } finally {
      release();
    }
  });
}
