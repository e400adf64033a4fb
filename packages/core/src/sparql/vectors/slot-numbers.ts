import { VALUE } from '../../contracts/value-column.ts';
import type { Expression } from '../algebra/algebra.ts';
import type { Batch } from '../exec/batch.ts';
import type { Execution } from '../exec/execution.ts';
import { type NumberProgram, NumberVector } from './number-vector.ts';
import type { StoredValues } from './stored-values.ts';
import { ofLocalTime } from './time-arithmetic.ts';

/**
 * The values of the slots that the programs of one operator read. Each slot is read once per batch,
 * for all programs together. The operator must call {@link advance} before it runs programs on
 * another batch.
 */
export class SlotNumbers {
  readonly execution: Execution;
  private readonly slots = new Map<number, NumberProgram>();
  private readonly local = new Map<number, NumberProgram>();
  private readonly programs = new Map<Expression, NumberProgram | undefined>();
  /** Number of the current batch. */
  private batch = 0;

  constructor(execution: Execution) {
    this.execution = execution;
  }

  /** Announces another batch: its slots have not been read. */
  advance(): void {
    this.batch++;
  }

  /** Returns one program for all occurrences of an expression, computed once per batch. */
  shared(expression: Expression, make: () => NumberProgram | undefined): NumberProgram | undefined {
    if (!this.programs.has(expression)) {
      const program = make();
      this.programs.set(expression, program && this.once(program));
    }
    return this.programs.get(expression);
  }

  /** Returns a program that computes its result once per batch, however often it is called. */
  once<Result>(program: (batch: Batch) => Result): (batch: Batch) => Result {
    let current = -1;
    let result: Result;
    return (batch) => {
      if (current !== this.batch) {
        result = program(batch);
        current = this.batch;
      }
      return result;
    };
  }

  /**
   * Compiles a variable: the values of the terms in its column. Returns undefined if the term
   * source has no value column.
   */
  program(slot: number): NumberProgram | undefined {
    const { execution } = this;
    const { numbers } = execution;
    if (!numbers) return undefined;
    let program = this.slots.get(slot);
    if (!program) {
      program = this.once(ofSlot(slot, numbers, new NumberVector(execution)));
      this.slots.set(slot, program);
    }
    return program;
  }

  /**
   * Compiles a variable as {@link program}, with dates and dateTimes moved to their own time zones.
   */
  localTimes(slot: number): NumberProgram | undefined {
    let program = this.local.get(slot);
    const times = this.program(slot);
    if (times && !program) {
      const local = ofLocalTime(times, slot, this.execution);
      program = local && this.once(local);
      if (program) this.local.set(slot, program);
    }
    return program ?? times;
  }
}

function ofSlot(slot: number, numbers: StoredValues, vector: NumberVector): NumberProgram {
  return (batch) => {
    vector.reserve(batch.length);
    const column = batch.columns[slot];
    if (column) {
      numbers.fill(column, batch.length, vector);
    } else {
      vector.kinds.fill(VALUE.opaque, 0, batch.length);
      vector.setKind(VALUE.opaque);
    }
    return vector;
  };
}
