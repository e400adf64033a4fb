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
 * Reads the triples of one predicate in the order of their subjects, from the indexes by which they
 * are looked up, one run after the other. Joins of the subjects with further predicates then read
 * memory in ascending order: in the order of the objects, each subject would be a cache miss.
 * Subjects of small runs and of deletions come last, from all runs.
 */
export class SubjectCursor {
  private readonly indexes: readonly AnyIndex[];
  private readonly predicate: TermId;
  private readonly graph: TermId;
  private readonly others: Uint32Array;
  private readonly cursor: QuadCursor;
  /** The number of the index that is read, its next row, and the next one of `others` in it. */
  private at = 0;
  private position = 0;
  private nextOther = 0;
  /** Objects of a subject that is read from all runs, and how many of them were returned. */
  private readonly objects = new QuadBatch(64, WANT_OBJECT);
  private taken = 0;

  /**
   * @param indexes of runs of insertions
   * @param others all subjects that further runs have, ascending, without duplicates
   * @param cursor reads all runs
   */
  constructor(indexes: readonly AnyIndex[], predicate: TermId, graph: TermId, others: Uint32Array, cursor: QuadCursor) {
    this.indexes = indexes;
    this.predicate = predicate;
    this.graph = graph;
    this.others = others;
    this.cursor = cursor;
  }

  /** As `QuadCursor.next`. */
  next(batch: QuadBatch): number {
    batch.length = 0;
    const { indexes, others } = this;
    while (batch.length < batch.capacity && this.at < indexes.length) {
      const index = indexes[this.at];
      const limit = this.nextOther < others.length ? others[this.nextOther] : NO_MORE;
      if (index instanceof DirectIndex) this.fillDirectly(index, limit, batch);
      else this.fillPairs(index.keys, index.values, limit, batch);
      if (batch.length === batch.capacity) break;
      this.nextOther++;
      if (limit !== NO_MORE) continue;
      this.at++;
      this.position = this.nextOther = 0;
    }
    if (this.at === indexes.length) this.fillOthers(batch);
    fillRows(batch.predicate, this.predicate, 0, batch.length);
    fillRows(batch.graph, this.graph, 0, batch.length);
    return batch.length;
  }

  private fillOthers(batch: QuadBatch): void {
    const { objects, others } = this;
    while (batch.length < batch.capacity) {
      if (this.taken === objects.length) {
        this.taken = 0;
        if (objects.length > 0 && this.cursor.next(objects) > 0) continue;
        if (this.nextOther === others.length) return;
        this.cursor.seek(others[this.nextOther++], this.predicate, NO_TERM, this.graph);
        this.cursor.next(objects);
        continue;
      }
      const count = Math.min(objects.length - this.taken, batch.capacity - batch.length);
      fillRows(batch.subject, others[this.nextOther - 1], batch.length, count);
      copyRows(objects.object, this.taken, batch.object, batch.length, count);
      batch.length += count;
      this.taken += count;
    }
  }

  /** Reads subjects below a limit, and skips the limit itself. */
  private fillDirectly(index: DirectIndex, limit: number, batch: QuadBatch): void {
    const { subject: keys, object: values, length: from, capacity: to } = batch;
    const { key, length } = index.read(index.lowest + this.position, limit, { keys, values, from, to });
    this.position = (key === limit ? key + 1 : key) - index.lowest;
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
