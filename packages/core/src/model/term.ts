import type * as RDF from '@rdfjs/types';
import { languageTagCase } from './language-tag.ts';
import { RDF_DIR_LANG_STRING, RDF_LANG_STRING, XSD_STRING } from './vocabulary.ts';

/**
 * RDF/JS terms returned by the library (https://rdf.js.org/data-model-spec/). Inputs may be of any
 * implementation: the code reads only `termType`, `value` and the other specified fields.
 */
export class NamedNode<Iri extends string = string> implements RDF.NamedNode<Iri> {
  readonly termType = 'NamedNode' as const;
  readonly value: Iri;
  constructor(value: Iri) {
    this.value = value;
  }
  equals(other: RDF.Term | null | undefined): boolean {
    return other?.termType === 'NamedNode' && other.value === this.value;
  }
}

export class BlankNode implements RDF.BlankNode {
  readonly termType = 'BlankNode' as const;
  readonly value: string;
  constructor(value: string) {
    this.value = value;
  }
  equals(other: RDF.Term | null | undefined): boolean {
    return other?.termType === 'BlankNode' && other.value === this.value;
  }
}

export class Literal implements RDF.Literal {
  readonly termType = 'Literal' as const;
  readonly value: string;
  readonly language: string;
  readonly direction: 'ltr' | 'rtl' | '' | null;
  readonly datatype: RDF.NamedNode;
  constructor(value: string, language: string, datatype: RDF.NamedNode, direction: 'ltr' | 'rtl' | '' | null = '') {
    this.value = value;
    this.language = language;
    this.datatype = datatype;
    this.direction = direction;
  }
  /**
   * RDF 1.2 Concepts 3.4: equal if lexical form, datatype and base direction match character by
   * character, and the language tag without case.
   */
  equals(other: RDF.Term | null | undefined): boolean {
    return (
      other?.termType === 'Literal' &&
      other.value === this.value &&
      (other.language === this.language || other.language.toLowerCase() === this.language.toLowerCase()) &&
      (other.direction ?? '') === (this.direction ?? '') &&
      other.datatype.value === this.datatype.value
    );
  }
}

export class Variable implements RDF.Variable {
  readonly termType = 'Variable' as const;
  readonly value: string;
  constructor(value: string) {
    this.value = value;
  }
  equals(other: RDF.Term | null | undefined): boolean {
    return other?.termType === 'Variable' && other.value === this.value;
  }
}

export class DefaultGraph implements RDF.DefaultGraph {
  readonly termType = 'DefaultGraph' as const;
  readonly value = '' as const;
  equals(other: RDF.Term | null | undefined): boolean {
    return other?.termType === 'DefaultGraph';
  }
}

const DEFAULT_GRAPH = new DefaultGraph();

/** A quad; with the default graph as its graph also a triple term (RDF 1.2 Concepts 3.1). */
export class Quad implements RDF.Quad {
  readonly termType = 'Quad' as const;
  readonly value = '' as const;
  readonly subject: RDF.Quad_Subject;
  readonly predicate: RDF.Quad_Predicate;
  readonly object: RDF.Quad_Object;
  readonly graph: RDF.Quad_Graph;
  constructor(
    subject: RDF.Quad_Subject,
    predicate: RDF.Quad_Predicate,
    object: RDF.Quad_Object,
    graph: RDF.Quad_Graph = DEFAULT_GRAPH,
  ) {
    this.subject = subject;
    this.predicate = predicate;
    this.object = object;
    this.graph = graph;
  }
  equals(other: RDF.Term | null | undefined): boolean {
    return (
      other?.termType === 'Quad' &&
      this.subject.equals(other.subject) &&
      this.predicate.equals(other.predicate) &&
      this.object.equals(other.object) &&
      this.graph.equals(other.graph)
    );
  }
}

const STRING = new NamedNode(XSD_STRING);
const LANG_STRING = new NamedNode(RDF_LANG_STRING);
const DIR_LANG_STRING = new NamedNode(RDF_DIR_LANG_STRING);

let blankNodeCounter = 0;

/** Returns a literal; its language tag must already be in the conventional case. */
export function taggedLiteral(value: string, language: string, direction: 'ltr' | 'rtl' | '' | null = ''): Literal {
  return new Literal(value, language, direction ? DIR_LANG_STRING : LANG_STRING, direction ?? '');
}

/** RDF/JS data factory for the library's own terms. */
export const dataFactory = {
  /** Returns a named node. The IRI is not checked. */
  namedNode: <Iri extends string = string>(value: Iri) => new NamedNode<Iri>(value),
  /** Returns a blank node with a label without `_:`. Default: the next of `f1`, `f2` and so on. */
  blankNode: (value?: string) => new BlankNode(value ?? `f${++blankNodeCounter}`),
  /**
   * Returns a literal. A string is its language tag, an object its language tag and base direction
   * (RDF 1.2), a named node its datatype. Default: xsd:string.
   */
  literal(
    value: string,
    languageOrDatatype?:
      | string
      | RDF.NamedNode
      | { language: string; direction?: 'ltr' | 'rtl' | '' | null | undefined },
  ) {
    if (languageOrDatatype === undefined) return new Literal(value, '', STRING);
    if (typeof languageOrDatatype === 'string') return taggedLiteral(value, languageTagCase(languageOrDatatype));
    if ('termType' in languageOrDatatype) return new Literal(value, '', languageOrDatatype);
    const { language, direction } = languageOrDatatype;
    return taggedLiteral(value, languageTagCase(language), direction);
  },
  /** Returns a variable, named without `?`. */
  variable: (value: string) => new Variable(value),
  /** Returns the default graph, always the same object. */
  defaultGraph: () => DEFAULT_GRAPH,
  /** Returns a quad; without `graph`, of the default graph. */
  quad: (
    subject: RDF.Quad_Subject,
    predicate: RDF.Quad_Predicate,
    object: RDF.Quad_Object,
    graph: RDF.Quad_Graph = DEFAULT_GRAPH,
  ) => new Quad(subject, predicate, object, graph),
};
