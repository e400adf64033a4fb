import { newColumn } from '../../contracts/new-column.ts';
import { expressionText } from '../explain/algebra-text.ts';
import { SlotNumbers } from '../vectors/slot-numbers.ts';
import { combine, type TestProgram, TRUTH, type Truths } from '../vectors/test-program.ts';
import { Batch, gatherRows, MIN_BATCH_ROWS, NO_ROWS, PAUSE, type Pause, type Stream } from './batch.ts';
import { type Execution, isPause } from './execution.ts';
import { type Operator, pruned } from './operator.ts';
import { Pace } from './pace.ts';
import { resumed } from './resumed.ts';
import { MAY_SUSPEND, neededWith, type RowTest } from './row-function.ts';
import { SlotSet } from './slot-set.ts';

/** Conditions compiled between two checks of the clock. */
const CONDITIONS_BETWEEN_LOOKS = 32;
/** Estimated share of rows that pass one condition, and how many conditions it is applied for. */
const SELECTIVITY = 0.3;
const MAX_FACTORS = 16;
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

  /** @param needed slots that are read above; those that only the conditions read are omitted */
  constructor(
    input: Operator,
    conditions: readonly RowTest[],
    selectivity: number = SELECTIVITY ** Math.min(conditions.length, MAX_FACTORS),
    needed?: SlotSet,
  ) {
    this.inputs = [input];
    this.slots = needed ? needed.among(input.slots) : input.slots;
    this.certain = needed ? input.certain.intersection(needed) : input.certain;
    this.estimate = input.estimate * selectivity;
    this.conditions = conditions;
    this.selectivity = selectivity;
  }

  get isDistinct(): boolean {
    const [input] = this.inputs;
    return input.isDistinct === true && this.slots.length === input.slots.length;
  }

  detail(): string {
    return this.conditions.map(({ expression }) => expressionText(expression)).join(' && ');
  }

  withOnly(needed: SlotSet): Operator | undefined {
    const below = neededWith(needed, this.conditions);
    return below && new Filter(pruned(this.inputs[0], below), this.conditions, this.selectivity, needed);
  }

  ascending(slot: number): Operator | undefined {
    const input = this.inputs[0].ascending?.(slot);
    return input && new Filter(input, this.conditions, this.selectivity, SlotSet.of(this.slots));
  }

  clusters(slots: readonly number[]): boolean {
    return this.inputs[0].clusters?.(slots) === true;
  }

  *run(execution: Execution): Stream {
    const [input] = this.inputs;
    const { conditions } = this;
    const tests =
      conditions.length > CONDITIONS_BETWEEN_LOOKS
        ? yield* this.startAll(execution)
        : conditions.map((condition) => condition.start(execution, MAY_SUSPEND));
    // An expression may take as long to compile as a slice.
    if (execution.pauseDue) yield PAUSE;
    const condition = allOf(tests);
    let mayHavePrograms = conditions.some(({ startBatches }) => startBatches);
    let batches: BatchTests | undefined;
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
      const isLong = rows.length >= MIN_BATCH_ROWS;
      if (mayHavePrograms && isLong && batches === undefined) batches = this.startBatches(tests, execution);
      if (batches?.programs.length === 0) mayHavePrograms = false;
      if (batches === undefined || !mayHavePrograms || !isLong) {
        for (let row = 0; row < rows.length; row++) {
          try {
            if (condition(rows, row)) chosen[count++] = row;
          } catch (cause) {
            if (yield* resumed(cause, condition, rows, row)) chosen[count++] = row;
          }
          if (pace.isDue) yield PAUSE;
        }
      } else {
        const { rest } = batches;
        const { values, areDecided } = decide(batches, rows);
        if (rest === undefined && (areDecided || countUndecided(values, rows.length) === 0)) {
          count = chooseTrue(values, rows.length, chosen);
        } else {
          for (let row = 0; row < rows.length; row++) {
            if (values[row] === TRUTH.isFalse) continue;
            const test = values[row] === TRUTH.undecided ? condition : rest;
            try {
              if (test === undefined || test(rows, row)) chosen[count++] = row;
            } catch (cause) {
              if (yield* resumed(cause, test!, rows, row)) chosen[count++] = row;
            }
            if (pace.isDue) yield PAUSE;
          }
        }
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
      tests.push(condition.start(execution, MAY_SUSPEND));
      if (tests.length % CONDITIONS_BETWEEN_LOOKS === 0 && execution.pauseDue) yield PAUSE;
    }
    return tests;
  }

  /** Prepares the conditions that whole batches can be tested for, up to {@link MAX_PROGRAMS}. */
  private startBatches(tests: readonly Test[], execution: Execution): BatchTests {
    const programs: TestOfBatches[] = [];
    const slots = new SlotNumbers(execution);
    const others: Test[] = [];
    for (const [at, { startBatches }] of this.conditions.entries()) {
      const program = programs.length < MAX_PROGRAMS ? startBatches?.(slots) : undefined;
      if (program) programs.push({ program, test: tests[at] });
      else others.push(tests[at]);
    }
    return { programs, slots, others, rest: others.length > 0 ? allOf(others) : undefined };
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
interface BatchTests {
  readonly programs: TestOfBatches[];
  /** What the programs read. */
  readonly slots: SlotNumbers;
  /** The tests of all other conditions. */
  readonly others: Test[];
  /** All of them; undefined if there are none. */
  rest: Test | undefined;
}

/** A condition that is tested for whole batches, and for the rows that this leaves undecided. */
interface TestOfBatches {
  readonly program: TestProgram;
  readonly test: Test;
}

/**
 * Combines the programs: a row passes if all are true, and fails as soon as one is false. A program
 * that leaves most rows undecided reads what is not a number: from the next batch on, its condition
 * is tested row by row.
 */
function decide(batches: BatchTests, rows: Batch): Truths {
  const { programs, slots, others } = batches;
  slots.advance();
  let truths: Truths | undefined;
  let kept = 0;
  for (let i = 0; i < programs.length; i++) {
    const truthsOfOne = programs[i].program(rows);
    const isWeak = !truthsOfOne.areDecided && countUndecided(truthsOfOne.values, rows.length) * 2 > rows.length;
    if (truths) combine(truths, truthsOfOne, false, rows.length);
    else truths = truthsOfOne;
    if (isWeak) others.push(programs[i].test);
    else programs[kept++] = programs[i];
  }
  if (kept < programs.length) {
    programs.length = kept;
    batches.rest = allOf(others);
  }
  return truths!;
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
