import type { MemoryBudget } from '../model/memory-budget.ts';
import type { QuadColumns } from './changes.ts';
import type { TermId } from './term-source.ts';

const ROW_BYTES = 4 * Uint32Array.BYTES_PER_ELEMENT;

/** Rows copied per step. */
const BLOCK = 1 << 15;

type Columns = readonly [subject: Uint32Array, predicate: Uint32Array, object: Uint32Array, graph: Uint32Array];

/**
 * Quads of ids in growable columns. Growing is incremental: rows are copied block by block while
 * others are added, and {@link settle} copies the rest.
 */
export class QuadList implements QuadColumns {
  length = 0;
  private columns: Columns;
  /** The columns before growing, until all of their rows are copied. */
  private old: Columns | undefined;
  /** Number of rows of `old` already copied. */
  private copied = 0;
  /** Length at which `add` must grow the columns or copy a block. */
  private next: number;

  private readonly memory: MemoryBudget | undefined;

  /**
   * @param capacity expected number of quads
   * @param memory budget that the growth of the columns is claimed from
   */
  constructor(capacity = 16, memory?: MemoryBudget) {
    this.memory = memory;
    this.next = Math.max(1, capacity);
    this.columns = columnsOf(this.next);
  }

  get subject(): Uint32Array {
    return this.settled()[0];
  }

  get predicate(): Uint32Array {
    return this.settled()[1];
  }

  get object(): Uint32Array {
    return this.settled()[2];
  }

  get graph(): Uint32Array {
    return this.settled()[3];
  }

  add(subject: TermId, predicate: TermId, object: TermId, graph: TermId): void {
    if (this.length === this.next) this.grow();
    const row = this.length++;
    const { columns } = this;
    columns[0][row] = subject;
    columns[1][row] = predicate;
    columns[2][row] = object;
    columns[3][row] = graph;
  }

  /**
   * Copies the rest after growing: a kernel, for long lists. Otherwise the first access to a column
   * copies it.
   */
  *settle(): Generator<void, void, void> {
    while (this.old) {
      this.copyBlock(this.old);
      yield;
    }
  }

  private settled(): Columns {
    while (this.old) this.copyBlock(this.old);
    return this.columns;
  }

  private grow(): void {
    const capacity = this.columns[0].length;
    if (this.length === capacity) {
      this.memory?.claimMemory(capacity * ROW_BYTES);
      this.old = this.columns;
      this.copied = 0;
      this.columns = columnsOf(capacity * 2);
    }
    if (this.old) this.copyBlock(this.old);
    // Two rows are copied per added row, so the copy ends before the columns are full again.
    this.next = this.old ? this.length + BLOCK / 2 : this.columns[0].length;
  }

  private copyBlock(old: Columns): void {
    const from = this.copied;
    const to = Math.min(from + BLOCK, old[0].length);
    for (let at = 0; at < old.length; at++) this.columns[at].set(old[at].subarray(from, to), from);
    this.copied = to;
    if (to < old[0].length) return;
    this.old = undefined;
    this.next = this.columns[0].length;
  }
}

function columnsOf(rows: number): Columns {
  return [new Uint32Array(rows), new Uint32Array(rows), new Uint32Array(rows), new Uint32Array(rows)];
}
