/** Process facilities that work in rounds of the event loop needs; replaced in tests. */
export interface EventLoopHost {
  /** Monotonic clock, in milliseconds. */
  readonly now: () => number;
  readonly setImmediate: (task: () => void) => void;
}

export const PROCESS: EventLoopHost = {
  now: () => performance.now(),
  setImmediate: (task) => void setImmediate(task),
};
