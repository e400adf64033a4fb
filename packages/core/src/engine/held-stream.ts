import type { NamespaceState } from './namespace-state.ts';

/**
 * Releases namespaces whose stream was garbage-collected without being read to the end or closed.
 */
const abandoned = new FinalizationRegistry<() => void>((release) => release());

/** Holds namespaces in memory until the returned function is called. */
export function holdAll(homes: Iterable<NamespaceState>): () => void {
  const holds = Array.from(homes, (home) => home.hold());
  return () => {
    for (const release of holds.splice(0)) release();
  };
}

/**
 * Holds namespaces in memory until a stream over their data ends. `open` creates the stream, which
 * must call `release` when it is read to the end or closed.
 */
export function heldStream<Item>(
  homes: Iterable<NamespaceState>,
  open: (release: () => void) => AsyncGenerator<Item>,
): AsyncGenerator<Item> {
  return heldObject(homes, open);
}

/**
 * Like {@link heldStream}, for any object that reads from namespaces until it calls `release` or is
 * garbage-collected.
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

/**
 * Like {@link heldStream}, for an existing stream. Wraps it in a generator, so use it for streams
 * of large items.
 */
export function heldItems<Item>(homes: Iterable<NamespaceState>, items: AsyncIterable<Item>): AsyncGenerator<Item> {
  return heldStream(homes, async function* (release) {
    try {
      yield* items;
    } finally {
      release();
    }
  });
}
