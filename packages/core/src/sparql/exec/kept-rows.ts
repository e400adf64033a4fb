import { Batch, gatherRows, PAUSE, type Stream } from './batch.ts';
import { type Execution, isPause } from './execution.ts';
import type { Operator } from './operator.ts';
import { Pace } from './pace.ts';

/**
 * Runs an operator that keeps some rows of its input and adds columns to them.
 *
 * @param slots those of the output
 * @param carried slots copied from the input
 * @param begin returns, for a batch of the input, a function that says whether a row is kept, and
 *   if so writes the other slots of the output at a position
 */
export function* keptRows(
  execution: Execution,
  input: Operator,
  slots: readonly number[],
  carried: readonly number[],
  begin: (rows: Batch, output: Batch) => (row: number, at: number) => boolean,
): Stream {
  const pace = new Pace(execution);
  for (const rows of execution.run(input)) {
    if (isPause(rows)) {
      yield PAUSE;
      continue;
    }
    const chosen = new Uint32Array(rows.length);
    const output = Batch.withSlots(slots, rows.length);
    const keep = begin(rows, output);
    let count = 0;
    for (let row = 0; row < rows.length; row++) {
      if (pace.isDue) yield PAUSE;
      if (keep(row, count)) chosen[count++] = row;
    }
    gatherRows(carried, rows, chosen, output, 0, count);
    output.length = count;
    if (count > 0) yield output;
    if (execution.pauseDue) yield PAUSE;
  }
}
