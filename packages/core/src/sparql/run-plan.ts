import type { Batch, Stream } from './exec/batch.ts';
import { type Execution, isPause } from './exec/execution.ts';
import { withoutOverflow } from './stack-depth.ts';

/** The batches of a plan, with pauses for the event loop in between. A batch is valid until the next is asked for. */
export async function* runPlan(stream: Stream, execution: Execution): AsyncGenerator<Batch, void, void> {
  try {
    for (const step of stream) {
      if (isPause(step)) {
        await execution.pause();
        continue;
      }
      yield step;
      // Whoever reads may do much with a batch, and wait long.
      if (execution.pauseDue) await execution.pause();
    }
  } catch (error) {
    throw withoutOverflow(error);
  }
}
