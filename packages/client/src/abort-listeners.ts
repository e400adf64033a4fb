/** The callers of a signal, and its only event listener. */
interface Listeners {
  readonly all: Set<() => void>;
  readonly fire: () => void;
}

const listenersOf = new WeakMap<AbortSignal, Listeners>();

/**
 * Calls `listener` when a signal fires; never for one that has fired. Returns a function that ends
 * this. However many requests share a signal, it has one event listener: Node warns of a leak from
 * the eleventh on, and `AbortSignal.any` would keep something of each request.
 */
export function onAbort(signal: AbortSignal, listener: () => void): () => void {
  const listeners = listenersOf.get(signal) ?? listenTo(signal);
  // A function of its own, so that one that is given twice is called twice.
  const call = () => listener();
  listeners.all.add(call);
  return () => {
    listeners.all.delete(call);
    if (listeners.all.size > 0 || listenersOf.get(signal) !== listeners) return;
    signal.removeEventListener('abort', listeners.fire);
    listenersOf.delete(signal);
  };
}

function listenTo(signal: AbortSignal): Listeners {
  const all = new Set<() => void>();
  const fire = () => {
    listenersOf.delete(signal);
    for (const call of all) call();
  };
  const listeners = { all, fire };
  listenersOf.set(signal, listeners);
  signal.addEventListener('abort', fire, { once: true });
  return listeners;
}
