import type { MemoryBudget } from '../model/memory-budget.ts';
import type { QuadColumns } from './changes.ts';
import type { TermId } from './term-source.ts';

const ROW_BYTES = 4 * Uint32Array.BYTES_PER_ELEMENT;

/** Quads of ids in growing columns. */
export class QuadList implements QuadColumns {
  length = 0;
  subject: Uint32Array;
  predicate: Uint32Array;
  object: Uint32Array;
  graph: Uint32Array;

  private readonly memory: MemoryBudget | undefined;

  /**
   * @param capacity quads that will likely come
   * @param memory what the columns grow by is claimed of it
   */
  constructor(capacity = 16, memory?: MemoryBudget) {
    this.memory = memory;
    const rows = Math.max(1, capacity);
    this.subject = new Uint32Array(rows);
    this.predicate = new Uint32Array(rows);
    this.object = new Uint32Array(rows);
    this.graph = new Uint32Array(rows);
  }

  add(subject: TermId, predicate: TermId, object: TermId, graph: TermId): void {
    if (this.length === this.subject.length) {
      this.memory?.claimMemory(this.length * ROW_BYTES);
      this.subject = doubled(this.subject);
      this.predicate = doubled(this.predicate);
      this.object = doubled(this.object);
      this.graph = doubled(this.graph);
    }
    const row = this.length++;
    this.subject[row] = subject;
    this.predicate[row] = predicate;
    this.object[row] = object;
    this.graph[row] = graph;
  }
}

function doubled(column: Uint32Array): Uint32Array<ArrayBuffer> {
  const grown = new Uint32Array(column.length * 2);
  grown.set(column);
  return grown;
}
