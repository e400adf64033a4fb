import type { TermId } from '../../storage/term-source.ts';
import { Batch, PAUSE, type Stream } from './batch.ts';
import { type Execution, isPause } from './execution.ts';
import type { Operator } from './operator.ts';

/** Computes the term of a row; 0 where the expression has an error, which leaves the variable unbound (SPARQL 1.1 section 18.5). */
export type TermOfRow = (batch: Batch, row: number) => TermId;

/** Binds a slot to a computed term in every row. */
export class Extend implements Operator {
  readonly name = 'extend';
  readonly slots: readonly number[];
  readonly certain: ReadonlySet<number>;
  readonly estimate: number;
  readonly inputs: readonly [Operator];
  private readonly slot: number;
  private readonly makeTerm: (execution: Execution) => TermOfRow;

  constructor(input: Operator, slot: number, makeTerm: (execution: Execution) => TermOfRow) {
    this.inputs = [input];
    this.slots = [...input.slots.filter((own) => own !== slot), slot];
    this.certain = input.certain;
    this.estimate = input.estimate;
    this.slot = slot;
    this.makeTerm = makeTerm;
  }

  *run(execution: Execution): Stream {
    const [input] = this.inputs;
    const termOf = this.makeTerm(execution);
    let column = new Uint32Array(execution.batchRows);
    for (const rows of input.run(execution)) {
      if (isPause(rows)) {
        yield PAUSE;
        continue;
      }
      if (rows.length > column.length) column = new Uint32Array(rows.length);
      for (let row = 0; row < rows.length; row++) {
        column[row] = termOf(rows, row);
        if ((row & 63) === 63 && execution.pauseDue) yield PAUSE;
      }
      const columns = [...rows.columns];
      while (columns.length <= this.slot) columns.push(undefined);
      columns[this.slot] = column;
      const extended = new Batch(columns, column.length);
      extended.length = rows.length;
      yield extended;
    }
  }
}
