/** What `performance.eventLoopUtilization` of Node returns here. */
interface Utilization {
  readonly utilization: number;
  /** Returns the utilization since then, and stops measuring. */
  readonly end: () => number;
}

/** Shorter than the time slices of the core, which are 8 ms. */
const SLICE_MS = 4;

/**
 * Stands for `performance.eventLoopUtilization` of Node: from the call without an argument to the
 * one with its result, messages follow each other. The utilization is the share of them that waited
 * for a time slice of other work. Shares of time would count other processes of a busy machine.
 */
export function eventLoopUtilization(since?: Utilization): Utilization {
  if (since) return { utilization: since.end(), end: () => 0 };
  const channel = new MessageChannel();
  const port1 = channel.port1 as unknown as { onmessage: () => void; close(): void };
  const { port2 } = channel;
  let last = performance.now();
  let messages = 0;
  let late = 0;
  port1.onmessage = () => {
    const now = performance.now();
    messages++;
    if (now - last > SLICE_MS) late++;
    last = now;
    port2.postMessage(undefined);
  };
  port2.postMessage(undefined);
  const end = () => {
    port1.close();
    return messages === 0 ? 1 : late / messages;
  };
  return { utilization: 0, end };
}
