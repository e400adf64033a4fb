import type { DocSet } from '../../contracts/doc-set.ts';
import type { Slicer } from '../../contracts/slicer.ts';
import type { VectorHit } from '../../contracts/vector-index.ts';
import { docSetHas } from '../doc-set.ts';
import { TopK } from '../top-k.ts';
import type { VectorRows } from './vector-rows.ts';

/** Multiplications between two checks of the clock: well below a millisecond. */
const BLOCK_COMPONENTS = 1 << 17;

/**
 * The nearest of the rows compared with a query. Rows may change while a search pauses, and then
 * hold other keys, so the filter is checked again.
 */
export class NearestRows {
  /** Number of rows compared. */
  compared = 0;
  /** Rows between two checks of the clock. */
  readonly stride: number;
  private readonly rows: VectorRows;
  private readonly unit: Float64Array;
  private readonly filter: DocSet | undefined;
  private readonly best: TopK;
  private readonly changes: number;
  private asks = true;

  /** `unit` is the query normalised to length 1, or zero. */
  constructor(rows: VectorRows, unit: Float64Array, limit: number, filter: DocSet | undefined) {
    this.rows = rows;
    this.unit = unit;
    this.filter = filter;
    this.best = new TopK(Math.min(limit, rows.size, filter?.size ?? Infinity));
    this.changes = rows.changes;
    this.stride = Math.max(1, Math.floor(BLOCK_COMPONENTS / rows.dimensions));
  }

  /** Similarity that a row currently needs to be a hit. */
  get floor(): number {
    return this.best.floor;
  }

  /** Declares that only rows allowed by the filter will follow, as long as no row changes. */
  trustRows(): void {
    this.asks = false;
  }

  /** Returns whether a row exists and the filter allows it. */
  allows(row: number): boolean {
    if (row >= this.rows.size) return false;
    return !this.filter || !(this.asks || this.changed) || docSetHas(this.filter, this.rows.keyOf(row));
  }

  /** Compares a row, which must be allowed. */
  compare(row: number): void {
    this.compared++;
    this.best.offer(this.rows.keyOf(row), this.rows.similarity(this.unit, row));
  }

  /** Compares the allowed rows of a list, or of all rows. */
  async compareAll(selected: Uint32Array | undefined, slicer: Slicer): Promise<void> {
    const { rows, stride } = this;
    for (let at = 0; at < (selected ? selected.length : rows.size); ) {
      const end = Math.min(at + stride, selected ? selected.length : rows.size);
      for (; at < end; at++) {
        const row = selected ? selected[at] : at;
        if (this.allows(row)) this.compare(row);
      }
      if (slicer.due) await slicer.pause();
    }
  }

  /** Returns the hits, nearest first, ties by ascending key. No comparison may follow. */
  hits(): VectorHit[] {
    const { keys, scores } = this.best.drain();
    const hits: VectorHit[] = [];
    for (let rank = 0; rank < keys.length; rank++)
      hits.push({ key: keys[rank], similarity: Math.max(-1, Math.min(1, scores[rank])) });
    if (!this.changed) return hits;
    // A row that moved during a pause may have been seen twice, or have been deleted.
    const seen = new Set<number>();
    return hits.filter(({ key }) => this.rows.rowOf(key) >= 0 && !seen.has(key) && seen.add(key));
  }

  private get changed(): boolean {
    return this.rows.changes !== this.changes;
  }
}
