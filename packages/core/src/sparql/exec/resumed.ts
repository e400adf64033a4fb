import { requireSuspended } from '../expressions/long-calls.ts';
import { type Batch, PAUSE, type Pause } from './batch.ts';

/**
 * Evaluates a row again, after a pause, until it is no longer suspended. Called with what its first
 * evaluation threw, so that the other rows pay for no generator; throws that unless it is
 * `Suspended`.
 */
export function* resumed<Result>(
  cause: unknown,
  evaluate: (batch: Batch, row: number) => Result,
  batch: Batch,
  row: number,
): Generator<Pause, Result, void> {
  for (let thrown = cause; ; ) {
    requireSuspended(thrown);
    yield PAUSE;
    try {
      return evaluate(batch, row);
    } catch (next) {
      thrown = next;
    }
  }
}
