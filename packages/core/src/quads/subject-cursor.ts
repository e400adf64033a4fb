import { QuadBatch, WANT_OBJECT } from '../contracts/quad-batch.ts';
import type { QuadCursor } from '../contracts/quad-source.ts';
import { NO_TERM, type TermId } from '../contracts/term-source.ts';
import { lowerBound, upperBound } from './bounds.ts';
import { copyRows, fillRows } from './copy-rows.ts';
import { DirectIndex } from './direct-index.ts';
import type { AnyIndex } from './lookup-index.ts';

/** Larger than every id. */
const NO_MORE = 2 ** 32;

/**
 * Reads the triples of one predicate in the order of their subjects, from the index by which they
 * are looked up in the largest run. Joins of the subjects with further predicates then read memory
 * in ascending order: in the order of the objects, each subject would be a cache miss. The objects
 * of subjects that other runs have, too, are read from all runs.
 */
export class SubjectCursor {
  private readonly index: AnyIndex;
  private readonly predicate: TermId;
  private readonly graph: TermId;
  private readonly others: Uint32Array;
  private readonly cursor: QuadCursor;
  /** The number of `others` that were read. */
  private othersRead = 0;
  /** The next row of the index. */
  private position = 0;
  /** Objects of the subject that is read from all runs, and how many of them were returned. */
  private readonly objects = new QuadBatch(64, WANT_OBJECT);
  private taken = 0;

  /**
   * @param others the subjects that other runs have, ascending, without duplicates
   * @param cursor reads all runs
   */
  constructor(index: AnyIndex, predicate: TermId, graph: TermId, others: Uint32Array, cursor: QuadCursor) {
    this.index = index;
    this.predicate = predicate;
    this.graph = graph;
    this.others = others;
    this.cursor = cursor;
  }

  /** As `QuadCursor.next`. */
  next(batch: QuadBatch): number {
    batch.length = 0;
    const { index, others } = this;
    for (;;) {
      this.fillOther(batch);
      if (batch.length === batch.capacity) break;
      const limit = this.othersRead < others.length ? others[this.othersRead] : NO_MORE;
      if (index instanceof DirectIndex) this.fillDirectly(index, limit, batch);
      else this.fillPairs(index.keys, index.values, limit, batch);
      if (batch.length === batch.capacity || limit === NO_MORE) break;
      this.othersRead++;
      this.cursor.seek(limit, this.predicate, NO_TERM, this.graph);
      this.taken = 0;
      this.cursor.next(this.objects);
    }
    fillRows(batch.predicate, this.predicate, 0, batch.length);
    fillRows(batch.graph, this.graph, 0, batch.length);
    return batch.length;
  }

  /** Continues with the subject that is read from all runs. */
  private fillOther(batch: QuadBatch): void {
    const { objects } = this;
    while (this.taken < objects.length) {
      const count = Math.min(objects.length - this.taken, batch.capacity - batch.length);
      if (count === 0) return;
      fillRows(batch.subject, this.others[this.othersRead - 1], batch.length, count);
      copyRows(objects.object, this.taken, batch.object, batch.length, count);
      batch.length += count;
      this.taken += count;
      if (this.taken < objects.length) return;
      this.taken = 0;
      this.cursor.next(objects);
    }
  }

  /** Reads subjects below a limit, and skips the limit itself. */
  private fillDirectly({ first, values }: DirectIndex, limit: number, batch: QuadBatch): void {
    const { subject, object, capacity } = batch;
    const hasSubject = subject.length > 0;
    const hasObject = object.length > 0;
    const end = Math.min(Math.max(limit - first, 0), values.length);
    let { position } = this;
    let { length } = batch;
    for (; position < end && length < capacity; position++) {
      const value = values[position];
      if (value === NO_TERM) continue;
      if (hasSubject) subject[length] = first + position;
      if (hasObject) object[length] = value;
      length++;
    }
    if (position === limit - first) position++;
    this.position = position;
    batch.length = length;
  }

  private fillPairs(keys: Uint32Array, values: Uint32Array, limit: number, batch: QuadBatch): void {
    const from = this.position;
    const end = limit === NO_MORE ? keys.length : lowerBound(keys, from, keys.length, limit);
    const count = Math.min(end - from, batch.capacity - batch.length);
    copyRows(keys, from, batch.subject, batch.length, count);
    copyRows(values, from, batch.object, batch.length, count);
    batch.length += count;
    this.position = from + count;
    if (this.position === end && limit !== NO_MORE) this.position = upperBound(keys, end, keys.length, limit);
  }
}
