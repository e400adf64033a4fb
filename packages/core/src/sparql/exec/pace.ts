import type { Execution } from './execution.ts';

/** Maximum number of rows between two checks of the clock. */
const MAX_STRIDE = 64;
/** Target time between two checks of the clock, in milliseconds. */
const TARGET_MS = 1;

/**
 * Decides when a row loop checks the clock. A row may cost next to nothing or, with a long string
 * or a subquery, many milliseconds, so the number of rows between checks adapts to the time of the
 * previous ones.
 */
export class Pace {
  /** Number of rows until the next check. */
  stride = 1;
  private left = 1;
  private since = 0;
  private readonly execution: Execution;

  constructor(execution: Execution) {
    this.execution = execution;
  }

  /** Whether a pause is due. Read it once per row. */
  get isDue(): boolean {
    return (--this.left <= 0 || this.execution.mayBeLate) && this.look();
  }

  /** Returns whether a pause is due. Call it after `stride` rows. */
  look(): boolean {
    const now = performance.now();
    const passed = now - this.since;
    this.stride =
      passed <= TARGET_MS ? Math.min(MAX_STRIDE, this.stride * 2) : Math.ceil((this.stride * TARGET_MS) / passed);
    this.left = this.stride;
    this.since = now;
    this.execution.mayBeLate = false;
    return this.execution.pauseDue;
  }
}
