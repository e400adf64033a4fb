import type * as RDF from '@rdfjs/types';
import type { PatternTerm, TemplateQuad, Variable } from './algebra.ts';
import type { TripleSink } from './triple-sink.ts';

/** Collects the triples of a template with their graphs. */
export class Template implements TripleSink {
  readonly quads: TemplateQuad[] = [];
  /** Undefined outside of GRAPH. */
  graph: Variable | RDF.NamedNode | undefined;

  triple(subject: PatternTerm, predicate: PatternTerm, object: PatternTerm): void {
    this.quads.push({ subject, predicate, object, graph: this.graph });
  }

  path(): never {
    throw new Error('A template has no property paths: the parser refuses them.');
  }
}
