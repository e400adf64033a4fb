import type { Batch, Pause } from './batch.ts';
import { resumed } from './resumed.ts';

/** Tests a row, and again after each pause in which it is suspended. */
export function* tested(
  condition: (batch: Batch, row: number) => boolean,
  batch: Batch,
  row: number,
): Generator<Pause, boolean, void> {
  try {
    return condition(batch, row);
  } catch (cause) {
    return yield* resumed(cause, condition, batch, row);
  }
}
