import type { QuadColumns, TermId } from '@rdf-worlds/core/plugin';

/** Quads as growing columns of ids. */
export class QuadList implements QuadColumns {
  length = 0;
  subject = new Uint32Array(16);
  predicate = new Uint32Array(16);
  object = new Uint32Array(16);
  graph = new Uint32Array(16);

  add(subject: TermId, predicate: TermId, object: TermId, graph: TermId): void {
    if (this.length === this.subject.length) this.grow();
    this.subject[this.length] = subject;
    this.predicate[this.length] = predicate;
    this.object[this.length] = object;
    this.graph[this.length] = graph;
    this.length++;
  }

  private grow(): void {
    const grown = (column: Uint32Array) => {
      const wider = new Uint32Array(column.length * 2);
      wider.set(column);
      return wider;
    };
    this.subject = grown(this.subject);
    this.predicate = grown(this.predicate);
    this.object = grown(this.object);
    this.graph = grown(this.graph);
  }
}
