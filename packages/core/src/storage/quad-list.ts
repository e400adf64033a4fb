import type { MemoryBudget } from '../model/memory-budget.ts';
import type { QuadColumns } from './changes.ts';
import type { TermId } from './term-source.ts';

const ROW_BYTES = 4 * Uint32Array.BYTES_PER_ELEMENT;

/** Rows that are copied in one piece. */
const BLOCK = 1 << 15;

type Columns = readonly [subject: Uint32Array, predicate: Uint32Array, object: Uint32Array, graph: Uint32Array];

/**
 * Quads of ids in growing columns. Growing does not stop the caller: the rows are copied block by
 * block while others are added, and {@link settle} copies what is left.
 */
export class QuadList implements QuadColumns {
  length = 0;
  private columns: Columns;
  /** The columns before they grew, until all of their rows are copied. */
  private old: Columns | undefined;
  /** How many rows of `old` are copied. */
  private copied = 0;
  /** At this length there is something to do before a quad is added. */
  private next: number;

  private readonly memory: MemoryBudget | undefined;

  /**
   * @param capacity quads that will likely come
   * @param memory what the columns grow by is claimed of it
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
   * Copies what growing has left to do: a kernel, for long lists. Without it the first look at a
   * column does.
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
    // Two rows are copied for each that is added, so the copy ends before the columns are full
    // again.
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
