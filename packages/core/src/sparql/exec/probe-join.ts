import { probeOf } from '../../contracts/cursor-probe.ts';
import { newColumn } from '../../contracts/new-column.ts';
import { ProbeBatch, type ProbeKey, type ProbeKeys, type QuadProbe } from '../../contracts/quad-probe.ts';
import { ANY_NAMED_GRAPH, NO_TERM } from '../../contracts/term-source.ts';
import { Batch, columnsBySlot, gather, gatherRows, NO_BATCH, NO_ROWS, PAUSE, type Stream } from './batch.ts';
import { type Execution, isPause } from './execution.ts';
import { type Operator, type PlanNames, pruned } from './operator.ts';
import {
  CONSTANT,
  columnsOfPattern,
  dropUnequal,
  hasDistinctMatches,
  patternText,
  type QuadPattern,
  repeatedPositions,
  wantedPositions,
} from './quad-pattern.ts';
import { SlotSet } from './slot-set.ts';

/**
 * Index nested-loop join: looks up one pattern for each batch of input rows. For rows of a
 * `Seed`, it stops at those of which `Apply` knows enough.
 */
export class ProbeJoin implements Operator {
  readonly name = 'probe join';
  readonly slots: readonly number[];
  readonly certain: SlotSet;
  readonly estimate: number;
  readonly inputs: readonly [Operator];
  private readonly pattern: QuadPattern;
  /** Slots copied from the input. Those that it always binds have the same value in the match. */
  private readonly carried: readonly number[];
  /** Slots taken from the match: new ones, and those that the input may leave unbound. */
  private readonly matched: SlotSet;
  private readonly firstOnly: boolean;

  /** @param firstOnly whether one match per input row is enough */
  constructor(input: Operator, pattern: QuadPattern, estimate: number, needed?: SlotSet, firstOnly = false) {
    this.inputs = [input];
    this.firstOnly = firstOnly;
    this.pattern = pattern;
    this.estimate = estimate;
    const { variables } = pattern;
    const { slots, certain } = input;
    const matched = certain.outside(needed ? needed.among(variables) : variables);
    this.matched = SlotSet.of(matched);
    this.carried = this.matched.outside(needed ? needed.among(slots) : slots);
    this.slots = matched.length === 0 ? this.carried : this.carried.concat(matched);
    const bound = certain.with(variables);
    this.certain = needed ? bound.intersection(needed) : bound;
  }

  /** Rows differ if those of the input do, or the matches for one of them. */
  get isDistinct(): boolean {
    const [input] = this.inputs;
    if (input.isDistinct !== true || !hasDistinctMatches(this.pattern)) return false;
    // Rows that differ in an unbound variable may become equal.
    const isBound = input.certain.outside(input.slots).length === 0;
    return isBound && SlotSet.of(this.slots).outside([...input.slots, ...this.pattern.variables]).length === 0;
  }

  detail(names: PlanNames): string {
    return `${patternText(this.pattern, names)}${this.firstOnly ? ', first match' : ''}`;
  }

  /** Returns the join that gives one match for each input row that has any. */
  withFirstOnly(): ProbeJoin {
    const [input] = this.inputs;
    const estimate = Math.min(this.estimate, input.estimate);
    return new ProbeJoin(input, this.pattern, estimate, SlotSet.of(this.slots), true);
  }

  withOnly(needed: SlotSet): Operator | undefined {
    const [input] = this.inputs;
    const below = pruned(input, needed.with(this.pattern.variables));
    // Returns undefined to avoid a copy: in a chain of a thousand joins, each has the variables of
    // all previous ones.
    if (below === input && needed.among(this.slots) === this.slots) return undefined;
    return new ProbeJoin(below, this.pattern, this.estimate, needed, this.firstOnly);
  }

  ascending(slot: number): Operator | undefined {
    const input = this.inputs[0].ascending?.(slot);
    return input && new ProbeJoin(input, this.pattern, this.estimate, SlotSet.of(this.slots), this.firstOnly);
  }

  /** The matches of a row follow each other. */
  clusters(slots: readonly number[]): boolean {
    const [input] = this.inputs;
    return slots.every((slot) => input.certain.has(slot)) && input.clusters?.(slots) === true;
  }

  *run(execution: Execution): Stream {
    const { pattern, carried, inputs } = this;
    if (pattern.impossible) return;
    const probe = probeOf(execution.source);
    const repeated = repeatedPositions(pattern).map(([one, other]) => [one + 1, other + 1] as const);
    const wanted = wantedPositions(pattern, this.matched);
    // The first match may not be equal in a repeated variable.
    const firstOnly = this.firstOnly && repeated.length === 0;
    const singles = this.singles(probe);
    const columns = this.slots.length;
    let capacity = execution.firstRows(this.estimate, columns);
    let matches: ProbeBatch | undefined;
    let batch = NO_BATCH;
    for (const rows of execution.run(inputs[0])) {
      if (isPause(rows)) {
        yield PAUSE;
        continue;
      }
      // Checked per join: in a chain of joins, each works before the first row reaches the
      // consumer, and allocates columns for the variables of all previous ones.
      if (execution.pauseDue) yield PAUSE;
      const done = execution.seeds.get(inputs[0])?.done;
      probe.begin(keysFor(pattern, rows), rows.length, { firstOnly, done });
      const found = singles?.(rows);
      if (found) {
        if (found.length > 0) yield found;
        if (execution.pauseDue) yield PAUSE;
        continue;
      }
      if (matches === undefined) [matches, batch] = this.makeBatch(capacity, wanted);
      while (probe.next(matches) > 0) {
        let { length } = matches;
        if (repeated.length > 0) {
          const all = [matches.row, matches.subject, matches.predicate, matches.object, matches.graph];
          length = dropUnequal(all, repeated, 0, length);
        }
        if (length > 0) {
          gatherRows(carried, rows, matches.row, batch, 0, length);
          batch.length = length;
          yield batch;
        }
        if (execution.pauseDue) yield PAUSE;
        // Where matches are skipped, few at a time are read.
        if (done?.[matches.row[capacity - 1]] === 1) continue;
        if (matches.length === capacity && capacity < execution.mostRows(columns)) {
          capacity = execution.moreRows(capacity, columns);
          [matches, batch] = this.makeBatch(capacity, wanted);
        }
      }
    }
  }

  /**
   * Returns a function that writes the object of each row's match to a column, or NO_TERM, and
   * returns the number of matches; undefined if rows may have several. Returns undefined if the
   * pattern is of another kind. {@link Apply} needs no more of a match than that.
   */
  lookup(execution: Execution): ((rows: Batch, objects: Uint32Array) => number | undefined) | undefined {
    const { pattern } = this;
    const probe = probeOf(execution.source);
    if (!probe.objects || !this.looksObjectsUp || pattern.impossible) return undefined;
    return (rows, objects) => {
      probe.begin(keysFor(pattern, rows), rows.length);
      return probe.objects!(objects);
    };
  }

  /** The slot that the object of a match is written to, or CONSTANT. */
  get objectSlot(): number {
    return this.pattern.slots[2];
  }

  /** Whether a row and an object tell everything about a match. */
  private get looksObjectsUp(): boolean {
    const [subject, predicate, object, graph] = this.pattern.slots;
    if (subject === CONSTANT || predicate !== CONSTANT || graph !== CONSTANT) return false;
    // A subject that the input does not bind is a match itself, as is a second variable.
    return !this.matched.has(subject) && object !== subject;
  }

  /**
   * Returns a function that joins a batch, once the probe has begun, if each of its rows has at
   * most one match; otherwise it returns undefined. If all rows have one, their columns are not
   * copied.
   */
  private singles(probe: QuadProbe): ((rows: Batch) => Batch | undefined) | undefined {
    const { pattern, matched, carried, slots } = this;
    if (!probe.objects || !this.looksObjectsUp) return undefined;
    const object = pattern.slots[2];
    let objects = NO_ROWS;
    let chosen = NO_ROWS;
    let input: Batch | undefined;
    let whole = NO_BATCH;
    let part = NO_BATCH;
    return (rows) => {
      if (objects.length < rows.length) {
        objects = newColumn(rows.capacity);
        chosen = newColumn(rows.capacity);
        input = undefined;
      }
      const count = probe.objects!(objects);
      if (count === undefined) return undefined;
      if (count === rows.length) {
        if (input !== rows) {
          const columns = columnsBySlot(slots, (slot) => (matched.has(slot) ? objects : rows.columns[slot]));
          whole = new Batch(columns, rows.capacity);
          input = rows;
        }
        whole.length = count;
        return whole;
      }
      if (part.capacity < count) part = Batch.withSlots(slots, rows.capacity);
      let kept = 0;
      for (let row = 0; row < rows.length; row++) {
        chosen[kept] = row;
        if (objects[row] !== NO_TERM) kept++;
      }
      gatherRows(carried, rows, chosen, part, 0, count);
      if (matched.has(object)) gather(objects, chosen, part.columns[object]!, 0, count);
      part.length = count;
      return part;
    };
  }

  private makeBatch(capacity: number, wanted: number): [ProbeBatch, Batch] {
    const matches = new ProbeBatch(capacity, wanted);
    const found = columnsOfPattern(this.pattern, matches);
    const columns = columnsBySlot(this.slots, (slot) => (this.matched.has(slot) ? found[slot] : newColumn(capacity)));
    return [matches, new Batch(columns, capacity)];
  }
}

function keysFor(pattern: QuadPattern, rows: Batch): ProbeKeys {
  const [subject, predicate, object, graph] = pattern.slots.map(
    (slot, position): ProbeKey =>
      slot === CONSTANT ? pattern.ids[position] : (rows.columns[slot] ?? pattern.ids[position]),
  );
  return { subject, predicate, object, graph: namedGraphs(graph, rows.length) };
}

/**
 * Restricts unbound graph keys to the named graphs: GRAPH ?g ranges over those only (SPARQL 1.1
 * section 13.3), whereas a wildcard would also match the default graph.
 */
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
