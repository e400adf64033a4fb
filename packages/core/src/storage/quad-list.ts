import type { QuadColumns } from './changes.ts';
import type { TermId } from './term-source.ts';

/** Quads of ids in growing columns. */
export class QuadList implements QuadColumns {
  length = 0;
  subject: Uint32Array;
  predicate: Uint32Array;
  object: Uint32Array;
  graph: Uint32Array;

  /** @param capacity quads that will likely come */
  constructor(capacity = 16) {
    const rows = Math.max(1, capacity);
    this.subject = new Uint32Array(rows);
    this.predicate = new Uint32Array(rows);
    this.object = new Uint32Array(rows);
    this.graph = new Uint32Array(rows);
  }

  add(subject: TermId, predicate: TermId, object: TermId, graph: TermId): void {
    if (this.length === this.subject.length) {
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
