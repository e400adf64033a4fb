import { DEFAULT_GRAPH, NO_TERM, type TermId } from '../../contracts/term-source.ts';
import type { Path } from '../algebra/algebra.ts';
import { pathText } from '../explain/pattern-text.ts';
import { Batch, PAUSE, type Pause, type Stream } from './batch.ts';
import { type Execution, isPause } from './execution.ts';
import { type Operator, type PlanNames, pruned } from './operator.ts';
import { isOptional, type LinkEnds, linksOf, matchesOutside, type PathStep, PathWalk } from './path-walk.ts';
import { CONSTANT } from './quad-pattern.ts';
import { type SlotSet, unionOf } from './slot-set.ts';

/** One end of a path, or its graph: a slot or, if the slot is CONSTANT, an id. */
export interface PathEnd {
  readonly slot: number;
  readonly id: TermId;
}

/**
 * Joins each input row with the pairs of nodes that a property path connects. Ends that the row has
 * bound stay fixed.
 */
export class PathJoin implements Operator {
  readonly name = 'path';
  readonly slots: readonly number[];
  readonly certain: SlotSet;
  readonly estimate: number;
  readonly inputs: readonly [Operator];
  private readonly subject: PathEnd;
  private readonly path: PathStep;
  private readonly object: PathEnd;
  private readonly graph: PathEnd;
  private readonly subjectIsTerm: boolean;
  private readonly objectIsTerm: boolean;
  private readonly substituted: SlotSet;
  private readonly algebra: Path;
  /** Slots that only the input has. */
  private readonly carried: readonly number[];

  /**
   * @param substituted slots whose values replace variables in the pattern; see EXISTS (section
   *   18.6)
   * @param algebra the path expression behind `path`, for explain
   */
  constructor(
    input: Operator,
    subject: PathEnd,
    path: PathStep,
    object: PathEnd,
    graph: PathEnd,
    substituted: SlotSet,
    algebra: Path,
    estimate: number,
  ) {
    this.inputs = [input];
    this.subject = subject;
    this.path = path;
    this.object = object;
    this.graph = graph;
    this.algebra = algebra;
    this.substituted = substituted;
    this.subjectIsTerm = subject.slot === CONSTANT || substituted.has(subject.slot);
    this.objectIsTerm = object.slot === CONSTANT || substituted.has(object.slot);
    const own = [subject.slot, object.slot].filter((slot) => slot !== CONSTANT);
    this.slots = unionOf(input.slots, own);
    this.certain = input.certain.with(own);
    this.carried = input.slots.filter((slot) => !own.includes(slot));
    this.estimate = estimate;
  }

  detail(names: PlanNames): string {
    const text = ({ slot, id }: PathEnd) => (slot === CONSTANT ? names.term(id) : names.variable(slot));
    const { graph } = this;
    const where = graph.slot === CONSTANT && graph.id <= DEFAULT_GRAPH ? '' : ` in graph ${text(graph)}`;
    return `${text(this.subject)} ${pathText(this.algebra)} ${text(this.object)}${where}`;
  }

  withOnly(needed: SlotSet): Operator {
    const ends = [this.subject, this.object, this.graph].map(({ slot }) => slot);
    const input = pruned(this.inputs[0], needed.with(ends));
    return new PathJoin(
      input,
      this.subject,
      this.path,
      this.object,
      this.graph,
      this.substituted,
      this.algebra,
      this.estimate,
    );
  }

  *run(execution: Execution): Stream {
    const [input] = this.inputs;
    const run = new PathRun(this.path, execution);
    for (const rows of execution.run(input)) {
      if (isPause(rows)) {
        yield PAUSE;
        continue;
      }
      const output = Batch.withSlots(this.slots, Math.min(execution.batchRows, FIRST_CAPACITY));
      yield* this.walkRows(rows, run, output, execution);
    }
  }

  /** Collects start nodes that share a graph and a direction, and expands them in groups. */
  private *walkRows(rows: Batch, run: PathRun, output: Batch, execution: Execution): Stream {
    const { subject, object, path } = this;
    const canBeEmpty = isOptional(path);
    const links = linksOf(path, true);
    const places = new Places();
    for (let row = 0; row < rows.length; row++) {
      const graph = idAt(this.graph, rows, row);
      const from = idAt(subject, rows, row);
      const to = idAt(object, rows, row);
      const forward = from !== NO_TERM || to === NO_TERM;
      if (places.length > 0 && (places.graph !== graph || places.forward !== forward)) {
        yield* this.walkPlaces(places, rows, run, output, execution);
      }
      places.graph = graph;
      places.forward = forward;
      run.walk.enter(graph);
      const known = forward ? from : to;
      if (known === NO_TERM && links) {
        for (const ends of run.walk.scan(links)) {
          if (isPause(ends)) yield PAUSE;
          else yield* this.giveAll(rows, row, ends, output);
        }
      } else if (known === NO_TERM) {
        // Both ends unbound: start from every node where the path may begin.
        for (const start of yield* run.starts(graph)) {
          places.add(row, start);
          if (places.length >= run.placesAtOnce) yield* this.walkPlaces(places, rows, run, output, execution);
        }
      } else if (canBeEmpty && !run.walk.isNode(known)) {
        const times = matchesOutside(path, this.subjectIsTerm, this.objectIsTerm);
        for (let i = 0; i < times; i++) {
          if (!this.give(rows, row, known, known, forward, output)) continue;
          yield output;
          output.length = 0;
        }
      } else {
        places.add(row, known);
      }
      if (places.length >= run.placesAtOnce) yield* this.walkPlaces(places, rows, run, output, execution);
    }
    if (places.length > 0) yield* this.walkPlaces(places, rows, run, output, execution);
    // Flush the output: the input rows become invalid with the next batch.
    if (output.length > 0) yield output;
    output.length = 0;
  }

  private *giveAll(rows: Batch, row: number, { from, to, length }: LinkEnds, output: Batch): Stream {
    for (let i = 0; i < length; i++) {
      if (!this.give(rows, row, from[i], to[i], true, output)) continue;
      yield output;
      output.length = 0;
    }
  }

  private *walkPlaces(places: Places, rows: Batch, run: PathRun, output: Batch, execution: Execution): Stream {
    const { forward } = places;
    const { walk } = run;
    walk.enter(places.graph);
    const ends = yield* walk.reach(this.path, walk.pairs(places.nodes), forward);
    run.adjust(ends.length);
    for (let i = 0; i < ends.length; i++) {
      const place = ends.origin[i];
      if (this.give(rows, places.rows[place], places.nodes[place], ends.node[i], forward, output)) {
        yield output;
        output.length = 0;
      }
      if (i % STRIDE === STRIDE - 1 && execution.pauseDue) yield PAUSE;
    }
    places.clear();
    walk.forget();
    if (execution.pauseDue) yield PAUSE;
  }

  /**
   * Adds a row for a pair of nodes unless the input row binds that end to another node. Returns
   * whether the output is full.
   */
  private give(rows: Batch, row: number, start: TermId, end: TermId, forward: boolean, output: Batch): boolean {
    const { subject, object } = this;
    const wanted = idAt(forward ? object : subject, rows, row);
    if (wanted !== NO_TERM && end !== wanted) return false;
    if (subject.slot !== CONSTANT && subject.slot === object.slot && end !== start) return false;
    const at = output.length++;
    for (const slot of this.carried) output.columns[slot]![at] = rows.columns[slot]![row];
    if (subject.slot !== CONSTANT) output.columns[subject.slot]![at] = forward ? start : end;
    if (object.slot !== CONSTANT) output.columns[object.slot]![at] = forward ? end : start;
    return output.length === output.capacity;
  }
}

/** Maximum number of rows in an output batch. */
const FIRST_CAPACITY = 256;
/** Rows between two checks of the clock. */
const STRIDE = 1024;
const FIRST_PLACES = 16;
const MAX_PLACES = 1024;
/** If a group reaches more nodes than this, the next groups are smaller, which bounds memory. */
const MANY_ENDS = 1 << 16;

/** State of one run of a path join across batches. */
class PathRun {
  readonly walk: PathWalk;
  /** Number of start nodes expanded per group. Starts small so that LIMIT and ASK stop early. */
  placesAtOnce = FIRST_PLACES;
  private readonly path: PathStep;
  private startsGraph: TermId = NO_TERM;
  private startNodes: ReadonlySet<TermId> | undefined;

  constructor(path: PathStep, execution: Execution) {
    this.path = path;
    this.walk = new PathWalk(execution);
  }

  /**
   * Returns the nodes of a graph where the path may begin. Cached for consecutive rows with the
   * same graph.
   */
  *starts(graph: TermId): Generator<Pause, ReadonlySet<TermId>, void> {
    if (!this.startNodes || this.startsGraph !== graph) {
      this.startNodes = yield* this.walk.starts(this.path);
      this.startsGraph = graph;
    }
    return this.startNodes;
  }

  adjust(ends: number): void {
    if (ends > MANY_ENDS) this.placesAtOnce = Math.max(1, this.placesAtOnce >>> 2);
    else this.placesAtOnce = Math.min(MAX_PLACES, this.placesAtOnce * 4);
  }
}

/** Start nodes with their rows, in one graph and direction. */
class Places {
  graph: TermId = NO_TERM;
  forward = true;
  readonly rows: number[] = [];
  readonly nodes: TermId[] = [];

  get length(): number {
    return this.rows.length;
  }

  add(row: number, node: TermId): void {
    this.rows.push(row);
    this.nodes.push(node);
  }

  clear(): void {
    this.rows.length = this.nodes.length = 0;
  }
}

/** Returns the id of an end in a row; NO_TERM if it is unbound. */
export function idAt(end: PathEnd, rows: Batch, row: number): TermId {
  return end.slot === CONSTANT ? end.id : (rows.columns[end.slot]?.[row] ?? NO_TERM);
}
