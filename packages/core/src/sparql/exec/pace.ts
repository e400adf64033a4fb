import type { Execution } from './execution.ts';

/** Rows between two looks at the clock, at most. */
const MAX_STRIDE = 64;
/** What should pass between two looks, in milliseconds. */
const TARGET_MS = 1;

/**
 * Says when to look at the clock, for loops over rows that may take next to nothing or, with a long
 * text or a subquery, many milliseconds each: the number of rows between two looks follows from how
 * long the last ones took.
 */
export class Pace {
  /** How many rows to do before the next look. */
  stride = 1;
  private left = 1;
  private since = 0;
  private readonly execution: Execution;

  constructor(execution: Execution) {
    this.execution = execution;
  }

  /** Whether a pause is due; to be asked once a row. */
  get isDue(): boolean {
    return (--this.left <= 0 || this.execution.mayBeLate) && this.look();
  }

  /** Whether a pause is due; to be asked after `stride` rows. */
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
