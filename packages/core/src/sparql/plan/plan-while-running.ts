import { PAUSE, type Pause } from '../exec/batch.ts';
import type { Execution } from '../exec/execution.ts';
import type { Operator } from '../exec/operator.ts';
import type { Planning } from './planning.ts';

/** Plans during execution and passes pauses on. */
export function* planWhileRunning(
  planning: Planning<Operator>,
  execution: Execution,
): Generator<Pause, Operator, void> {
  for (;;) {
    const step = planning.next();
    if (step.done) return step.value;
    if (execution.pauseDue) yield PAUSE;
  }
}
