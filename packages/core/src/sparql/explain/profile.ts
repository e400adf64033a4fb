import type { Stream } from '../exec/batch.ts';
import { type Execution, isPause } from '../exec/execution.ts';
import type { Operator } from '../exec/operator.ts';

/** Measurements of one place in a plan, over all its runs. */
export class Measure {
  runs = 0;
  rows = 0;
  /** Own time in milliseconds, without its inputs. */
  timeMs = 0;
  memoryBytes = 0;
  readonly inputs: readonly Measure[];
  private readonly operators: readonly Operator[];

  constructor(inputs: readonly Operator[] = []) {
    this.operators = inputs;
    this.inputs = inputs.map((input) => new Measure(input.inputs));
  }

  /**
   * Returns the measure of an input, or undefined for subplans made at run time (EXISTS for one
   * row), which count towards this operator. If one operator serves as several inputs, its runs are
   * assigned in turn.
   */
  of(input: Operator): Measure | undefined {
    let found: Measure | undefined;
    this.operators.forEach((operator, at) => {
      const measure = this.inputs[at];
      if (operator === input && (found === undefined || measure.runs < found.runs)) found = measure;
    });
    return found;
  }
}

/**
 * Measures a run-time subplan that has no place in the plan: its time and memory count towards the
 * operator that runs it.
 */
class Unplanned extends Measure {
  readonly owner: Measure;

  constructor(owner: Measure) {
    super();
    this.owner = owner;
  }
}

/**
 * Profiles one run of a plan: rows, time and memory by place in the plan, because an operator may
 * occur in several places. Operators pull from each other, so the active ones form a stack; time is
 * charged to the top of it.
 */
export class Profile {
  readonly root: Measure;
  private readonly operator: Operator;
  private readonly clock: () => number;
  private readonly stack: Measure[] = [];
  private since = 0;

  /** @param clock returns milliseconds since any fixed moment */
  constructor(operator: Operator, clock: () => number = () => performance.now()) {
    this.operator = operator;
    this.root = new Measure(operator.inputs);
    this.clock = clock;
  }

  *watch(operator: Operator, execution: Execution): Stream {
    const measure = this.place(operator);
    measure.runs++;
    const stream = operator.run(execution);
    try {
      for (;;) {
        this.enter(measure);
        let step: ReturnType<Stream['next']>;
        try {
          step = stream.next();
        } finally {
          this.leave();
        }
        if (step.done) return;
        if (!isPause(step.value)) measure.rows += step.value.length;
        yield step.value;
      }
    } finally {
      // The consumer may stop early.
      stream.return();
    }
  }

  /**
   * Measures an operator that another one calls instead of running it.
   *
   * @param rows number of rows that it is called for
   * @param call returns the number of rows that it found; undefined if it has to be run
   */
  watchCall(operator: Operator, rows: number, call: () => number | undefined): number | undefined {
    const measure = this.place(operator);
    this.enter(measure);
    let found: number | undefined;
    try {
      found = call();
    } finally {
      this.leave();
    }
    if (found === undefined) return undefined;
    measure.runs++;
    measure.rows += found;
    for (const input of measure.inputs) {
      input.runs++;
      input.rows += rows;
    }
    return found;
  }

  claim(bytes: number): void {
    const measure = this.stack.at(-1);
    if (measure) accountOf(measure).memoryBytes += bytes;
  }

  /** Returns the place in the plan where an operator runs, based on the operator that runs it. */
  private place(operator: Operator): Measure {
    const parent = this.stack.at(-1);
    if (!parent && operator === this.operator) return this.root;
    const owner = parent ?? this.root;
    return owner.of(operator) ?? new Unplanned(accountOf(owner));
  }

  private enter(measure: Measure): void {
    this.count();
    this.stack.push(measure);
  }

  private leave(): void {
    this.count();
    this.stack.pop();
  }

  private count(): void {
    const now = this.clock();
    const measure = this.stack.at(-1);
    if (measure) accountOf(measure).timeMs += now - this.since;
    this.since = now;
  }
}

function accountOf(measure: Measure): Measure {
  return measure instanceof Unplanned ? measure.owner : measure;
}
