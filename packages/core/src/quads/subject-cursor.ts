import type { QuadBatch } from '../contracts/quad-batch.ts';
import { NO_TERM, type TermId } from '../contracts/term-source.ts';
import { fillRows } from './copy-rows.ts';
import { DirectIndex } from './direct-index.ts';
import type { AnyIndex } from './lookup-index.ts';

/**
 * Reads the triples of one predicate in the order of their subjects, from the index by which they
 * are looked up. Joins of the subjects with further predicates then read memory in ascending order:
 * in the order of the objects, each subject would be a cache miss.
 */
export class SubjectCursor {
  private readonly index: AnyIndex;
  private readonly predicate: TermId;
  private readonly graph: TermId;
  private position = 0;

  constructor(index: AnyIndex, predicate: TermId, graph: TermId) {
    this.index = index;
    this.predicate = predicate;
    this.graph = graph;
  }

  /** As `QuadCursor.next`. */
  next(batch: QuadBatch): number {
    if (this.index instanceof DirectIndex) this.fillDirectly(this.index, batch);
    else this.fillPairs(this.index.keys, this.index.values, batch);
    fillRows(batch.predicate, this.predicate, 0, batch.length);
    fillRows(batch.graph, this.graph, 0, batch.length);
    return batch.length;
  }

  private fillDirectly({ first, values }: DirectIndex, batch: QuadBatch): void {
    const { subject, object, capacity } = batch;
    const hasSubject = subject.length > 0;
    const hasObject = object.length > 0;
    let { position } = this;
    let length = 0;
    for (; position < values.length && length < capacity; position++) {
      const value = values[position];
      if (value === NO_TERM) continue;
      if (hasSubject) subject[length] = first + position;
      if (hasObject) object[length] = value;
      length++;
    }
    this.position = position;
    batch.length = length;
  }

  private fillPairs(keys: Uint32Array, values: Uint32Array, batch: QuadBatch): void {
    const from = this.position;
    const to = Math.min(keys.length, from + batch.capacity);
    if (batch.subject.length > 0) batch.subject.set(keys.subarray(from, to));
    if (batch.object.length > 0) batch.object.set(values.subarray(from, to));
    this.position = to;
    batch.length = to - from;
  }
}
