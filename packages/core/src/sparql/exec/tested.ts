import { requireSuspended } from '../expressions/long-calls.ts';
import { type Batch, PAUSE, type Pause } from './batch.ts';

/** Tests a row, and again after each pause in which it is suspended. */
export function* tested(
  condition: (batch: Batch, row: number) => boolean,
  batch: Batch,
  row: number,
): Generator<Pause, boolean, void> {
  for (;;) {
    try {
      return condition(batch, row);
    } catch (cause) {
      requireSuspended(cause);
      yield PAUSE;
    }
  }
}
