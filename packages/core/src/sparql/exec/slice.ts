import { Batch, columnsBySlot, PAUSE, type Stream } from './batch.ts';
import { type Execution, isPause } from './execution.ts';
import { type Operator, pruned } from './operator.ts';
import type { SlotSet } from './slot-set.ts';

/** Skips `offset` rows and yields at most `limit` rows, then stops reading its input. */
export class Slice implements Operator {
  readonly name = 'slice';
  readonly slots: readonly number[];
  readonly certain: SlotSet;
  readonly estimate: number;
  readonly inputs: readonly [Operator];
  readonly offset: number;
  readonly limit: number;

  constructor(input: Operator, offset: number, limit = Number.POSITIVE_INFINITY) {
    this.inputs = [input];
    this.slots = input.slots;
    this.certain = input.certain;
    this.offset = offset;
    this.limit = limit;
    this.estimate = Math.min(limit, Math.max(0, input.estimate - offset));
  }

  detail(): string {
    const { offset, limit } = this;
    return [...(offset > 0 ? [`offset ${offset}`] : []), ...(Number.isFinite(limit) ? [`limit ${limit}`] : [])].join(
      ' ',
    );
  }

  withOnly(needed: SlotSet): Operator {
    return new Slice(pruned(this.inputs[0], needed), this.offset, this.limit);
  }

  *run(execution: Execution): Stream {
    let skip = this.offset;
    let rest = this.limit;
    if (rest === 0) return;
    for (const rows of execution.run(this.inputs[0])) {
      if (isPause(rows)) {
        yield PAUSE;
        continue;
      }
      if (skip >= rows.length) {
        skip -= rows.length;
        continue;
      }
      const length = Math.min(rest, rows.length - skip);
      const part = new Batch(
        skip === 0 ? rows.columns : columnsBySlot(this.slots, (slot) => rows.columns[slot]!.subarray(skip)),
        length,
      );
      part.length = length;
      skip = 0;
      rest -= length;
      yield part;
      if (rest === 0) return;
    }
  }
}
