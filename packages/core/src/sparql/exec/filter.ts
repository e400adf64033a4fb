import { newColumn } from '../../contracts/new-column.ts';
import { expressionText } from '../explain/algebra-text.ts';
import { type TestProgram, TRUTH } from '../vectors/test-program.ts';
import { Batch, gatherRows, MIN_BATCH_ROWS, NO_ROWS, PAUSE, type Pause, type Stream } from './batch.ts';
import { type Execution, isPause } from './execution.ts';
import { type Operator, pruned } from './operator.ts';
import { Pace } from './pace.ts';
import { neededWith, type RowTest } from './row-function.ts';
import type { SlotSet } from './slot-set.ts';

/** Conditions compiled between two checks of the clock. */
const CONDITIONS_BETWEEN_LOOKS = 32;
/** Conditions that are tested for a whole batch between two checks of the clock. */
const MAX_PROGRAMS = 32;

/**
 * Keeps the rows for which all conditions are true. False and error both drop a row (SPARQL 1.1
 * section 17.2).
 */
export class Filter implements Operator {
  readonly name = 'filter';
  readonly slots: readonly number[];
  readonly certain: SlotSet;
  readonly estimate: number;
  readonly inputs: readonly [Operator];
  private readonly conditions: readonly RowTest[];
  private readonly selectivity: number;

  constructor(input: Operator, conditions: readonly RowTest[], selectivity = 0.3) {
    this.inputs = [input];
    this.slots = input.slots;
    this.certain = input.certain;
    this.estimate = input.estimate * selectivity;
    this.conditions = conditions;
    this.selectivity = selectivity;
  }

  detail(): string {
    return this.conditions.map(({ expression }) => expressionText(expression)).join(' && ');
  }

  withOnly(needed: SlotSet): Operator | undefined {
    const below = neededWith(needed, this.conditions);
    return below && new Filter(pruned(this.inputs[0], below), this.conditions, this.selectivity);
  }

  *run(execution: Execution): Stream {
    const [input] = this.inputs;
    const { conditions } = this;
    const tests =
      conditions.length > CONDITIONS_BETWEEN_LOOKS
        ? yield* this.startAll(execution)
        : conditions.map((condition) => condition.start(execution));
    const condition = allOf(tests);
    let batches = conditions.some(({ startBatches }) => startBatches) ? undefined : NO_PROGRAMS;
    const pace = new Pace(execution);
    let chosen = NO_ROWS;
    let output: Batch | undefined;
    for (const rows of execution.run(input)) {
      if (isPause(rows)) {
        yield PAUSE;
        continue;
      }
      if (rows.length > chosen.length) chosen = newColumn(rows.capacity);
      let count = 0;
      if (batches === undefined && rows.length >= MIN_BATCH_ROWS) batches = this.startBatches(tests, execution);
      if (batches === undefined || batches === NO_PROGRAMS || rows.length < MIN_BATCH_ROWS) {
        for (let row = 0; row < rows.length; row++) {
          if (condition(rows, row)) chosen[count++] = row;
          if (pace.isDue) yield PAUSE;
        }
      } else {
        const { programs, rest } = batches;
        const truths = decide(programs, rows);
        const undecided = countUndecided(truths, rows.length);
        if (undecided === 0 && rest === undefined) {
          count = chooseTrue(truths, rows.length, chosen);
        } else {
          for (let row = 0; row < rows.length; row++) {
            if (truths[row] === TRUTH.isFalse) continue;
            const test = truths[row] === TRUTH.undecided ? condition : rest;
            if (test === undefined || test(rows, row)) chosen[count++] = row;
            if (pace.isDue) yield PAUSE;
          }
        }
        // The values are not numbers: do not look at them twice.
        if (undecided * 2 > rows.length) batches = NO_PROGRAMS;
      }
      if (count === rows.length) {
        yield rows;
      } else if (count > 0) {
        if (!output || output.capacity < count) output = Batch.withSlots(this.slots, rows.capacity);
        gatherRows(this.slots, rows, chosen, output, 0, count);
        output.length = count;
        yield output;
      }
      if (execution.pauseDue) yield PAUSE;
    }
  }

  /** Compiles the conditions, with pauses because there may be thousands of them. */
  private *startAll(execution: Execution): Generator<Pause, readonly Test[], void> {
    const tests: Test[] = [];
    for (const condition of this.conditions) {
      tests.push(condition.start(execution));
      if (tests.length % CONDITIONS_BETWEEN_LOOKS === 0 && execution.pauseDue) yield PAUSE;
    }
    return tests;
  }

  /** Prepares the conditions that whole batches can be tested for, up to {@link MAX_PROGRAMS}. */
  private startBatches(tests: readonly Test[], execution: Execution): Batches {
    const programs: TestProgram[] = [];
    const others: Test[] = [];
    for (const [at, { startBatches }] of this.conditions.entries()) {
      const program = programs.length < MAX_PROGRAMS ? startBatches?.(execution) : undefined;
      if (program) programs.push(program);
      else others.push(tests[at]);
    }
    if (programs.length === 0) return NO_PROGRAMS;
    return { programs, rest: others.length > 0 ? allOf(others) : undefined };
  }
}

/** Tests one row; false and error are not distinguished. */
type Test = (batch: Batch, row: number) => boolean;

function allOf(tests: readonly Test[]): Test {
  if (tests.length === 1) return tests[0];
  return (batch, row) => {
    for (const test of tests) if (!test(batch, row)) return false;
    return true;
  };
}

/** The conditions of a filter, by how they are tested. */
interface Batches {
  readonly programs: readonly TestProgram[];
  /** Tests a row for all other conditions; undefined if there are none. */
  readonly rest: Test | undefined;
}

const NO_PROGRAMS: Batches = { programs: [], rest: undefined };

/** Combines the programs: a row passes if all are true, and fails as soon as one is false. */
function decide(programs: readonly TestProgram[], rows: Batch): Uint8Array {
  const truths = programs[0](rows);
  for (let i = 1; i < programs.length; i++) {
    const others = programs[i](rows);
    for (let row = 0; row < rows.length; row++) {
      if (truths[row] === TRUTH.isFalse || others[row] === TRUTH.isTrue) continue;
      truths[row] = others[row];
    }
  }
  return truths;
}

function countUndecided(truths: Uint8Array, length: number): number {
  let count = 0;
  for (let row = 0; row < length; row++) if (truths[row] === TRUTH.undecided) count++;
  return count;
}

/** Writes the numbers of the rows that pass, and returns how many there are. */
function chooseTrue(truths: Uint8Array, length: number, chosen: Uint32Array): number {
  let count = 0;
  for (let row = 0; row < length; row++) {
    chosen[count] = row;
    // Without a branch, which would be mispredicted for every second row.
    count += truths[row];
  }
  return count;
}
