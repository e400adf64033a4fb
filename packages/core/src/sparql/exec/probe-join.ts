import { CursorProbe } from '../../storage/cursor-probe.ts';
import { ProbeBatch, type ProbeKey } from '../../storage/quad-probe.ts';
import { ANY_NAMED_GRAPH, NO_TERM } from '../../storage/term-source.ts';
import { Batch, gatherRows, PAUSE, type Stream } from './batch.ts';
import { type Execution, isPause } from './execution.ts';
import { type Operator, unionOf } from './operator.ts';
import { CONSTANT, dropUnequal, type QuadPattern, repeatedPositions, slotsOf } from './quad-pattern.ts';

/** Index nested loop join: looks one pattern up for every row of its input, a batch at a time. */
export class ProbeJoin implements Operator {
  readonly name = 'probe join';
  readonly slots: readonly number[];
  readonly certain: ReadonlySet<number>;
  readonly estimate: number;
  readonly inputs: readonly [Operator];
  private readonly pattern: QuadPattern;
  /** Slots that come from the input alone. */
  private readonly carried: readonly number[];

  constructor(input: Operator, pattern: QuadPattern, estimate: number) {
    this.inputs = [input];
    this.pattern = pattern;
    this.estimate = estimate;
    const own = slotsOf(pattern);
    this.slots = unionOf(input.slots, own);
    this.certain = new Set([...input.certain, ...own]);
    this.carried = input.slots.filter((slot) => !own.includes(slot));
  }

  get detail(): string {
    return this.pattern.text;
  }

  *run(execution: Execution): Stream {
    const { pattern, carried } = this;
    if (pattern.impossible) return;
    const [input] = this.inputs;
    const probe = execution.source.probe?.() ?? new CursorProbe(execution.source.cursor());
    const matches = new ProbeBatch(execution.batchRows);
    const positions = [matches.subject, matches.predicate, matches.object, matches.graph];
    const all = [matches.row, ...positions];
    const repeated = repeatedPositions(pattern).map(([one, other]) => [one + 1, other + 1] as const);
    // The pattern's slots are the columns of the matches: also where the input had a value, which is the same, or none.
    const output = Batch.withSlots(carried, matches.capacity);
    const columns = [...output.columns];
    pattern.slots.forEach((slot, position) => {
      if (slot === CONSTANT) return;
      while (columns.length <= slot) columns.push(undefined);
      columns[slot] = positions[position];
    });
    const batch = new Batch(columns, matches.capacity);
    for (const rows of input.run(execution)) {
      if (isPause(rows)) {
        yield PAUSE;
        continue;
      }
      const [subject, predicate, object, graph] = pattern.slots.map(
        (slot, position): ProbeKey =>
          slot === CONSTANT ? pattern.ids[position] : (rows.columns[slot] ?? pattern.ids[position]),
      );
      probe.begin({ subject, predicate, object, graph: namedGraphs(graph, rows.length) }, rows.length);
      while (probe.next(matches) > 0) {
        const length = repeated.length > 0 ? dropUnequal(all, repeated, 0, matches.length) : matches.length;
        if (length > 0) {
          gatherRows(carried, rows, matches.row, batch, 0, length);
          batch.length = length;
          yield batch;
        }
        if (execution.pauseDue) yield PAUSE;
      }
    }
  }
}

/** GRAPH ?g ranges over the named graphs (SPARQL 1.1 section 13.3): where a row leaves ?g unbound that is not "every graph", which a wildcard would be. */
function namedGraphs(key: ProbeKey, length: number): ProbeKey {
  if (typeof key === 'number') return key;
  let named: Uint32Array | undefined;
  for (let row = 0; row < length; row++) {
    if (key[row] !== NO_TERM) continue;
    named ??= key.slice(0, length);
    named[row] = ANY_NAMED_GRAPH;
  }
  return named ?? key;
}
