import { QuadBatch } from '../../contracts/quad-batch.ts';
import type { QuadReader, QuadSource } from '../../contracts/quad-source.ts';
import { ANY_NAMED_GRAPH, NO_TERM } from '../../contracts/term-source.ts';
import { Batch, PAUSE, type Stream } from './batch.ts';
import type { Execution } from './execution.ts';
import type { Operator, PlanNames } from './operator.ts';
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

/** Lookups for fewer rows stay in the cache of the processor, whatever their order. */
export const MANY_ROWS = 4096;

/**
 * Reads the quads of one pattern. The source fills the columns of its batches directly, without a
 * copy.
 */
export class Scan implements Operator {
  readonly name = 'scan';
  readonly slots: readonly number[];
  readonly certain: SlotSet;
  readonly estimate: number;
  readonly inputs = [];
  private readonly pattern: QuadPattern;
  private readonly isBySubject: boolean;

  /** @param isBySubject whether to read in the order of the subjects if the source can */
  constructor(pattern: QuadPattern, estimate: number, needed?: SlotSet, isBySubject = false) {
    const { variables } = pattern;
    this.pattern = pattern;
    this.slots = needed ? needed.among(variables) : variables;
    this.certain = SlotSet.of(this.slots);
    this.estimate = estimate;
    this.isBySubject = isBySubject;
  }

  get isDistinct(): boolean {
    return this.slots.length === this.pattern.variables.length && hasDistinctMatches(this.pattern);
  }

  detail(names: PlanNames): string {
    return patternText(this.pattern, names);
  }

  withOnly(needed: SlotSet): Operator | undefined {
    return needed.among(this.slots) === this.slots
      ? undefined
      : new Scan(this.pattern, this.estimate, needed, this.isBySubject);
  }

  ascending(slot: number): Operator | undefined {
    const { pattern, estimate } = this;
    const [subject, predicate, object, graph] = pattern.slots;
    if (subject !== slot || predicate !== CONSTANT || object === CONSTANT || object === subject) return undefined;
    if (graph !== CONSTANT || estimate < MANY_ROWS) return undefined;
    return new Scan(pattern, estimate, this.certain, true);
  }

  clusters(slots: readonly number[]): boolean {
    const { ids, slots: positions } = this.pattern;
    const graph = ids[3];
    if (this.isBySubject || positions[3] !== CONSTANT || graph === NO_TERM || graph === ANY_NAMED_GRAPH) return false;
    // `QuadSource`: sorted by the unbound positions, from the one after the bound ones on.
    const triple = positions.slice(0, 3);
    const first = triple.findIndex((slot, i) => slot !== CONSTANT && triple[(i + 2) % 3] === CONSTANT);
    const sorted = first < 1 ? triple : [...triple.slice(first), ...triple.slice(0, first)];
    const unbound = sorted.filter((slot) => slot !== CONSTANT);
    return unbound.slice(0, slots.length).every((slot) => slots.includes(slot)) && slots.length <= unbound.length;
  }

  *run(execution: Execution): Stream {
    const { pattern } = this;
    if (pattern.impossible) return;
    const wanted = wantedPositions(pattern, this.certain);
    const repeated = repeatedPositions(pattern);
    const reader = this.reader(execution.source);
    const columns = this.slots.length;
    for (
      let capacity = execution.firstRows(this.estimate, columns);
      ;
      capacity = execution.moreRows(capacity, columns)
    ) {
      const quads = new QuadBatch(capacity, wanted);
      const batch = new Batch(columnsOfPattern(pattern, quads), capacity);
      do {
        if (reader.next(quads) === 0) return;
        batch.length = quads.length;
        if (repeated.length > 0) {
          const all = [quads.subject, quads.predicate, quads.object, quads.graph];
          batch.length = dropUnequal(all, repeated, 0, quads.length);
        }
        if (batch.length > 0) yield batch;
        if (execution.pauseDue) yield PAUSE;
      } while (capacity === execution.batchRows);
    }
  }

  private reader(source: QuadSource): QuadReader {
    const [subject, predicate, object, graph] = this.pattern.ids;
    const sorted = this.isBySubject ? source.bySubject?.(predicate, graph) : undefined;
    if (sorted) return sorted;
    const cursor = source.cursor();
    cursor.seek(subject, predicate, object, graph);
    return cursor;
  }
}
