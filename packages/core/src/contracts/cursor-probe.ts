import { QuadBatch } from './quad-batch.ts';
import {
  NO_PROBE_OPTIONS,
  type ProbeBatch,
  type ProbeKey,
  type ProbeKeys,
  type ProbeOptions,
  type QuadProbe,
} from './quad-probe.ts';
import type { QuadCursor, QuadSource } from './quad-source.ts';

/** Returns the source's own probe, or one over its cursor. */
export function probeOf(source: QuadSource): QuadProbe {
  return source.probe?.() ?? new CursorProbe(source.cursor());
}

/**
 * Probe over any cursor: one seek per row. Used for sources without their own probe, and as the
 * general case of one that has its own.
 */
export class CursorProbe implements QuadProbe {
  private readonly cursor: QuadCursor;
  private readonly batch = new QuadBatch(256);
  private keys: ProbeKeys | undefined;
  private options: ProbeOptions = NO_PROBE_OPTIONS;
  private length = 0;
  private row = 0;
  /** Whether the cursor may have more matches of the row. */
  private isOpen = false;
  /** Rows of `batch` already returned. */
  private taken = 0;

  constructor(cursor: QuadCursor) {
    this.cursor = cursor;
  }

  begin(keys: ProbeKeys, length: number, options: ProbeOptions = NO_PROBE_OPTIONS): void {
    this.keys = keys;
    this.options = options;
    this.length = length;
    this.row = -1;
    this.endRow();
  }

  next(out: ProbeBatch): number {
    const { batch, cursor } = this;
    const { firstOnly, done } = this.options;
    out.length = 0;
    if (done?.[this.row] === 1) this.endRow();
    while (out.length < out.capacity) {
      if (this.taken === batch.length) {
        this.taken = 0;
        if (!this.isOpen || cursor.next(batch) === 0) {
          this.endRow();
          if (++this.row >= this.length) {
            this.row = this.length;
            break;
          }
          if (done?.[this.row] === 1) continue;
          this.seek(this.row);
          this.isOpen = true;
        }
        continue;
      }
      const count = firstOnly ? 1 : Math.min(out.capacity - out.length, batch.length - this.taken);
      for (let i = 0; i < count; i++) {
        const from = this.taken + i;
        const to = out.length + i;
        out.row[to] = this.row;
        out.subject[to] = batch.subject[from];
        out.predicate[to] = batch.predicate[from];
        out.object[to] = batch.object[from];
        out.graph[to] = batch.graph[from];
      }
      this.taken += count;
      out.length += count;
      if (firstOnly) this.endRow();
    }
    return out.length;
  }

  /** Leaves out what remains of the current row. */
  private endRow(): void {
    this.isOpen = false;
    this.taken = this.batch.length = 0;
  }

  private seek(row: number): void {
    const { subject, predicate, object, graph } = this.keys!;
    this.cursor.seek(keyOf(subject, row), keyOf(predicate, row), keyOf(object, row), keyOf(graph, row));
  }
}

function keyOf(key: ProbeKey, row: number): number {
  return typeof key === 'number' ? key : key[row];
}
