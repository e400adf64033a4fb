import type { TermId } from '../../storage/term-source.ts';
import { Batch, gatherRows, PAUSE, type Stream } from './batch.ts';
import { type Execution, isPause } from './execution.ts';
import { type Operator, unionOf } from './operator.ts';
import { isOptional, matchesOutside, type PathStep, PathWalk } from './path-walk.ts';
import { CONSTANT } from './quad-pattern.ts';

/** An end of a path, or its graph: a slot, or (slot is CONSTANT) an id. */
export interface PathEnd {
  readonly slot: number;
  readonly id: TermId;
}

/** For every row of the input, the pairs of nodes that a property path connects; an end that the row has bound stays as it is. */
export class PathJoin implements Operator {
  readonly name = 'path';
  readonly slots: readonly number[];
  readonly certain: ReadonlySet<number>;
  readonly estimate: number;
  readonly inputs: readonly [Operator];
  private readonly subject: PathEnd;
  private readonly path: PathStep;
  private readonly object: PathEnd;
  private readonly graph: PathEnd;
  private readonly subjectIsTerm: boolean;
  private readonly objectIsTerm: boolean;

  /** @param substituted slots whose values stand in the pattern as terms: see EXISTS (section 18.6) */
  constructor(
    input: Operator,
    subject: PathEnd,
    path: PathStep,
    object: PathEnd,
    graph: PathEnd,
    substituted: ReadonlySet<number>,
  ) {
    this.inputs = [input];
    this.subject = subject;
    this.path = path;
    this.object = object;
    this.graph = graph;
    this.subjectIsTerm = subject.slot === CONSTANT || substituted.has(subject.slot);
    this.objectIsTerm = object.slot === CONSTANT || substituted.has(object.slot);
    const own = [subject.slot, object.slot].filter((slot) => slot !== CONSTANT);
    this.slots = unionOf(input.slots, own);
    this.certain = new Set([...input.certain, ...own]);
    this.estimate = input.estimate * 10;
  }

  *run(execution: Execution): Stream {
    const [input] = this.inputs;
    const { subject, object, path } = this;
    const walk = new PathWalk(execution);
    const output = Batch.withSlots(this.slots, execution.batchRows);
    const source = new Uint32Array(execution.batchRows);
    const carried = input.slots.filter((slot) => slot !== subject.slot && slot !== object.slot);
    const canBeEmpty = isOptional(path);
    const outsideMatches = new Uint32Array(
      canBeEmpty ? matchesOutside(path, this.subjectIsTerm, this.objectIsTerm) : 0,
    );
    const isLoop = subject.slot !== CONSTANT && subject.slot === object.slot;

    for (const rows of input.run(execution)) {
      if (isPause(rows)) {
        yield PAUSE;
        continue;
      }
      const flush = (): Batch => {
        gatherRows(carried, rows, source, output, 0, output.length);
        return output;
      };
      for (let row = 0; row < rows.length; row++) {
        walk.enter(idAt(this.graph, rows, row));
        const from = idAt(subject, rows, row);
        const to = idAt(object, rows, row);
        const forward = from !== 0 || to === 0;
        // Both ends open: from every node where the path may begin.
        const starts = from === 0 && to === 0 ? yield* walk.starts(path) : [forward ? from : to];
        const wanted = forward ? to : from;
        const known = forward ? from : to;
        const isOutside = canBeEmpty && known !== 0 && !walk.isNode(known);
        for (const start of starts) {
          const ends = isOutside ? outsideMatches.fill(start) : yield* walk.reach(path, start, forward);
          for (const end of ends) {
            if (wanted !== 0 && end !== wanted) continue;
            if (isLoop && end !== start) continue;
            const at = output.length++;
            source[at] = row;
            if (subject.slot !== CONSTANT) output.columns[subject.slot]![at] = forward ? start : end;
            if (object.slot !== CONSTANT) output.columns[object.slot]![at] = forward ? end : start;
            if (output.length === output.capacity) {
              yield flush();
              output.length = 0;
            }
          }
          if (execution.pauseDue) yield PAUSE;
        }
      }
      // The rows that these came from are gone with the next batch.
      if (output.length > 0) yield flush();
      output.length = 0;
    }
  }
}

function idAt(end: PathEnd, rows: Batch, row: number): TermId {
  return end.slot === CONSTANT ? end.id : (rows.columns[end.slot]?.[row] ?? 0);
}
