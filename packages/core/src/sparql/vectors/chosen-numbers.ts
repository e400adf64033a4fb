import { NO_TERM } from '../../contracts/term-source.ts';
import { MAX_SCALE, VALUE } from '../../contracts/value-column.ts';
import type { MemoryBudget } from '../../model/memory-budget.ts';
import { type NumberProgram, NumberVector } from './number-vector.ts';
import { type TestProgram, TRUTH } from './test-program.ts';

/**
 * Compiles IF (section 17.4.1.2). Both operands are computed for all rows: numbers have no side
 * effects, and an error in the operand that is not chosen is not seen.
 */
export function chosenBy(
  test: TestProgram,
  whenTrue: NumberProgram,
  whenFalse: NumberProgram,
  memory: MemoryBudget,
): NumberProgram {
  const vector = new NumberVector(memory);
  return (batch) => {
    vector.reserve(batch.length);
    const { values } = test(batch);
    const yes = whenTrue(batch);
    const no = whenFalse(batch);
    const { kinds, numbers } = vector;
    let lowest: number = MAX_SCALE + VALUE.decimal;
    let highest = 0;
    for (let row = 0; row < batch.length; row++) {
      const truth = values[row];
      const chosen = truth === TRUTH.isTrue ? yes : no;
      const kind = truth === TRUTH.undecided ? VALUE.opaque : chosen.kinds[row];
      kinds[row] = kind;
      numbers[row] = chosen.numbers[row];
      if (kind < lowest) lowest = kind;
      if (kind > highest) highest = kind;
    }
    vector.lowest = lowest;
    vector.highest = highest;
    return vector;
  };
}

/** An operand of COALESCE. */
interface CoalesceOperand {
  readonly numbers: NumberProgram;
  /** Of an operand that is a variable. */
  readonly slot: number | undefined;
}

/**
 * Compiles COALESCE (section 17.4.1.3). An unbound variable is an error, so that the next operand
 * counts; whether the value of any other operand is one, if it is `opaque`, is not known here.
 */
export function firstBound(operands: readonly CoalesceOperand[], memory: MemoryBudget): NumberProgram {
  const vector = new NumberVector(memory);
  return (batch) => {
    vector.reserve(batch.length);
    const { kinds, numbers } = vector;
    // From the last operand to the first, each in place of those behind it.
    for (let i = operands.length - 1; i >= 0; i--) {
      const { slot, numbers: program } = operands[i];
      const column = slot === undefined ? undefined : batch.columns[slot];
      if (slot !== undefined && column === undefined && i < operands.length - 1) continue;
      const values = program(batch);
      for (let row = 0; row < batch.length; row++) {
        if (column !== undefined && column[row] === NO_TERM && i < operands.length - 1) continue;
        kinds[row] = values.kinds[row];
        numbers[row] = values.numbers[row];
      }
    }
    return vector;
  };
}
