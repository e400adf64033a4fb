import type * as RDFJS from '@rdfjs/types';
import { Parser } from 'n3';
import { RDF } from './vocabulary.ts';

/**
 * A Turtle document as a graph that is walked from subject to objects: what reading manifests and
 * rs: result sets takes.
 */
export class ManifestGraph {
  readonly #bySubject = new Map<string, RDFJS.Quad[]>();

  /** @param text Turtle. @param baseIri The IRI of the document. */
  constructor(text: string, baseIri: string) {
    for (const quad of new Parser({ baseIRI: baseIri, format: 'text/turtle' }).parse(text) as RDFJS.Quad[]) {
      const key = subjectKey(quad.subject);
      const quads = this.#bySubject.get(key);
      if (quads) quads.push(quad);
      else this.#bySubject.set(key, [quad]);
    }
  }

  objects(subject: RDFJS.Term, predicate: string): RDFJS.Term[] {
    const quads = this.#bySubject.get(subjectKey(subject)) ?? [];
    return quads.filter((quad) => quad.predicate.value === predicate).map((quad) => quad.object);
  }

  object(subject: RDFJS.Term, predicate: string): RDFJS.Term | undefined {
    return this.objects(subject, predicate)[0];
  }

  subjects(predicate: string, object: string): RDFJS.Term[] {
    const found: RDFJS.Term[] = [];
    for (const quads of this.#bySubject.values())
      for (const quad of quads)
        if (quad.predicate.value === predicate && quad.object.value === object) found.push(quad.subject);
    return found;
  }

  /** The members of an RDF collection; an absent one is empty. */
  list(head: RDFJS.Term | undefined): RDFJS.Term[] {
    const members: RDFJS.Term[] = [];
    for (let node = head; node && node.value !== `${RDF}nil`; node = this.object(node, `${RDF}rest`)) {
      const first = this.object(node, `${RDF}first`);
      if (!first) throw new Error(`The collection at ${node.value} has a node without rdf:first.`);
      members.push(first);
    }
    return members;
  }
}

function subjectKey(term: RDFJS.Term): string {
  return term.termType === 'BlankNode' ? `_:${term.value}` : term.value;
}
