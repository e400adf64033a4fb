import { QuadBatch } from '../../contracts/quad-batch.ts';
import type { QuadCursor, QuadSource } from '../../contracts/quad-source.ts';
import { CONSTANT, type QuadPattern } from '../exec/quad-pattern.ts';
import type { SlotSet } from '../exec/slot-set.ts';
import type { PlanBasis } from './plan-basis.ts';

/** Rows sampled to estimate how often a term repeats. */
const SAMPLE_ROWS = 16;
/** Below this many rows, sampling costs more than it saves. */
const SMALL = 32;
/** Maximum number of cached measurements. */
const MAX_MEASURED = 4096;

/**
 * Cardinality estimates for patterns, alone and per existing row: exact range lengths, plus a small
 * sample for distinct terms.
 */
export class PatternStatistics {
  private readonly source: QuadSource;
  private readonly basis: PlanBasis;
  /** Created with the first sample; most plans need none. */
  private cursor: QuadCursor | undefined;
  private batch: QuadBatch | undefined;

  constructor(source: QuadSource, basis: PlanBasis) {
    this.source = source;
    this.basis = basis;
  }

  /** Returns the number of matches of a pattern on its own. */
  count(pattern: QuadPattern): number {
    const { measured, impossible, ids } = pattern;
    measured.rows ??= impossible ? 0 : this.basis.count(ids);
    return measured.rows;
  }

  /** Returns the average number of matches for a row that binds the given slots. */
  fanOut(pattern: QuadPattern, bound: SlotSet): number {
    const count = this.count(pattern);
    if (count === 0) return count;
    let rows = count;
    for (let position = 0; position < 3; position++) {
      const slot = pattern.slots[position];
      if (slot !== CONSTANT && bound.has(slot)) rows /= this.distinct(pattern, position);
    }
    return rows;
  }

  /** Estimates the number of distinct terms in a position. */
  distinctTerms(pattern: QuadPattern, position: number): number {
    if (position > 2) return this.source.graphs.length;
    return this.count(pattern) === 0 ? 0 : this.distinct(pattern, position);
  }

  /**
   * Estimates the number of distinct terms in a position as rows x mean(1 / m), where m is how
   * often the term of a sampled row occurs.
   */
  private distinct(pattern: QuadPattern, position: number): number {
    const { measured } = pattern;
    measured.distinct ??= [undefined, undefined, undefined];
    measured.distinct[position] ??= this.sample(pattern, position);
    return measured.distinct[position];
  }

  private sample(pattern: QuadPattern, position: number): number {
    const count = this.count(pattern);
    if (count < SMALL) return Math.max(1, count);
    const [subject, predicate, object, graph] = pattern.ids;
    const key = `${subject},${predicate},${object},${graph}:${position}`;
    return measuredOnce(this.source, key, () => this.sampleRows(pattern, position, count));
  }

  private sampleRows(pattern: QuadPattern, position: number, count: number): number {
    const terms = new Uint32Array(SAMPLE_ROWS);
    const { ids } = pattern;
    const spread = this.source.sample?.(ids[0], ids[1], ids[2], ids[3], position, terms) ?? 0;
    return spread > 0
      ? this.distinctOf(pattern, position, terms.subarray(0, spread), count)
      : this.sampleFirst(pattern, position, count);
  }

  /** Estimates from terms of rows. */
  private distinctOf(pattern: QuadPattern, position: number, terms: Uint32Array, count: number): number {
    const [subject, predicate, object, graph] = pattern.ids;
    const ids: [number, number, number] = [subject, predicate, object];
    let sum = 0;
    for (const term of terms) {
      ids[position] = term;
      sum += 1 / Math.max(1, this.source.estimate(ids[0], ids[1], ids[2], graph));
    }
    return Math.max(1, (count * sum) / terms.length);
  }

  /** Estimates from the first rows, for sources that cannot read others. */
  private sampleFirst(pattern: QuadPattern, position: number, count: number): number {
    this.cursor ??= this.source.cursor();
    this.batch ??= new QuadBatch(SAMPLE_ROWS * 4);
    const { batch, cursor } = this;
    cursor.seek(...pattern.ids);
    const read = cursor.next(batch);
    if (read === 0) return 1;
    const column = [batch.subject, batch.predicate, batch.object][position];
    const stride = Math.max(1, Math.floor(read / SAMPLE_ROWS));
    const terms = column.subarray(0, read).filter((_, row) => row % stride === 0);
    return this.distinctOf(pattern, position, terms, count);
  }
}

/**
 * Returns a measurement of a dataset, cached for as long as its quads do not change, if the source
 * supports caching.
 */
export function measuredOnce({ measured }: QuadSource, key: string, measure: () => number): number {
  let value = measured?.get(key);
  if (value === undefined) {
    value = measure();
    if (measured && measured.size >= MAX_MEASURED) measured.clear();
    measured?.set(key, value);
  }
  return value;
}
