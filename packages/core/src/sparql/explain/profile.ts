import type { Stream } from '../exec/batch.ts';
import { type Execution, isPause } from '../exec/execution.ts';
import type { Operator } from '../exec/operator.ts';

/** What one place of a plan did, over all its runs. */
export class Measure {
  runs = 0;
  rows = 0;
  /** Milliseconds of its own, without its inputs. */
  timeMs = 0;
  memoryBytes = 0;
  readonly inputs: readonly Measure[];
  private readonly operators: readonly Operator[];

  constructor(inputs: readonly Operator[] = []) {
    this.operators = inputs;
    this.inputs = inputs.map((input) => new Measure(input.inputs));
  }

  /**
   * That of an input; undefined for what is planned while the plan runs (EXISTS for one row), which
   * is part of this then. An operator that is several inputs at once is run for one after the
   * other.
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
 * Counts a part of a run that has no place in the plan: its time and memory are those of the
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
 * Watches one run of a plan: rows, time and memory by the place in the plan, since one operator may
 * stand in several. Operators pull from each other, so those at work at a moment are a stack, and
 * each moment is counted for the one on top.
 */
export class Profile {
  readonly root: Measure;
  private readonly operator: Operator;
  private readonly clock: () => number;
  private readonly stack: Measure[] = [];
  private since = 0;

  /** @param clock milliseconds, from any beginning */
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
      // Whoever reads it may stop early.
      stream.return();
    }
  }

  claim(bytes: number): void {
    const measure = this.stack.at(-1);
    if (measure) accountOf(measure).memoryBytes += bytes;
  }

  /** Where in the plan an operator runs, by the one that runs it. */
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
