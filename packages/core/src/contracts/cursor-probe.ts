import { QuadBatch } from './quad-batch.ts';
import type { ProbeBatch, ProbeKey, ProbeKeys, QuadProbe } from './quad-probe.ts';
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
  private length = 0;
  private row = 0;
  /** Rows of `batch` already returned. */
  private taken = 0;

  constructor(cursor: QuadCursor) {
    this.cursor = cursor;
  }

  begin(keys: ProbeKeys, length: number): void {
    this.keys = keys;
    this.length = length;
    this.row = -1;
    this.taken = this.batch.length = 0;
  }

  next(out: ProbeBatch): number {
    const { batch, cursor } = this;
    out.length = 0;
    while (out.length < out.capacity) {
      if (this.taken === batch.length) {
        this.taken = 0;
        if (this.row < 0 || cursor.next(batch) === 0) {
          if (++this.row >= this.length) {
            this.row = this.length;
            batch.length = 0;
            break;
          }
          this.seek(this.row);
          cursor.next(batch);
        }
        continue;
      }
      const count = Math.min(out.capacity - out.length, batch.length - this.taken);
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
    }
    return out.length;
  }

  private seek(row: number): void {
    const { subject, predicate, object, graph } = this.keys!;
    this.cursor.seek(keyOf(subject, row), keyOf(predicate, row), keyOf(object, row), keyOf(graph, row));
  }
}

function keyOf(key: ProbeKey, row: number): number {
  return typeof key === 'number' ? key : key[row];
}
