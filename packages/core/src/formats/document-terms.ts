import type * as RDF from '@rdfjs/types';
import { isAbsoluteIri } from '../model/iri.ts';
import { isLanguageTag, languageTagCase } from '../model/language-tag.ts';
import { BlankNode, DefaultGraph, Literal, NamedNode, Quad, taggedLiteral } from '../model/term.ts';
import { RDF_DIR_LANG_STRING, RDF_LANG_STRING, XSD_STRING } from '../model/vocabulary.ts';
import { IriMeter, SHORT_IRI } from './iri-meter.ts';

const STRING = new NamedNode(XSD_STRING);
const DEFAULT_GRAPH = new DefaultGraph();

/**
 * The RDF/JS factory for the terms of one document, passed to the parsing libraries. It rejects, at
 * the parser's current location, input that those libraries accept: relative or malformed IRIs,
 * malformed language tags, variables.
 *
 * Nodes without a label in the document get `g1`, `g2`, and so on; labels of the document get the
 * prefix `d`. The two therefore never collide, and no state outlives the document.
 */
export class DocumentTerms {
  private generated = 0;
  /**
   * Caches the last language tag and its normalised form: a tag in scope of many literals is
   * checked once.
   */
  private givenTag = '';
  private languageTag = '';
  private readonly fail: (message: string) => never;
  private readonly meter: IriMeter;

  /**
   * `fail` throws INVALID_RDF with the current location; `meter` bounds the length of IRIs,
   * individually and in total.
   */
  constructor(fail: (message: string) => never, meter = new IriMeter()) {
    this.fail = fail;
    this.meter = meter;
  }

  namedNode<Iri extends string = string>(value: Iri): NamedNode<Iri> {
    if (value.length > SHORT_IRI) this.meter.claim(value);
    if (!isAbsoluteIri(value)) this.fail(iriProblem(value));
    return new NamedNode<Iri>(value);
  }

  blankNode(value?: string): BlankNode {
    return new BlankNode(value === undefined ? `g${++this.generated}` : `d${value}`);
  }

  literal(
    value: string,
    languageOrDatatype?: string | RDF.NamedNode | { language: string; direction?: 'ltr' | 'rtl' | '' | null },
  ): Literal {
    if (languageOrDatatype === undefined) return new Literal(value, '', STRING);
    if (typeof languageOrDatatype === 'string') return this.tagged(value, languageOrDatatype, '');
    if (!('termType' in languageOrDatatype))
      return this.tagged(value, languageOrDatatype.language, languageOrDatatype.direction ?? '');
    const datatype = languageOrDatatype.value;
    // RDF 1.1 Concepts 3.3: a literal has a language tag if and only if its datatype is
    // rdf:langString.
    if (datatype === RDF_LANG_STRING || datatype === RDF_DIR_LANG_STRING)
      this.fail(`A literal with the datatype <${datatype}> needs a language tag`);
    return new Literal(value, '', datatype === XSD_STRING ? STRING : languageOrDatatype);
  }

  private tagged(value: string, language: string, direction: 'ltr' | 'rtl' | ''): Literal {
    if (language !== this.givenTag) {
      this.meter.claimLanguageTag(language.length);
      if (!isLanguageTag(language)) this.fail(`"${shortened(language)}" is not a well-formed language tag`);
      this.givenTag = language;
      this.languageTag = languageTagCase(language);
    }
    return taggedLiteral(value, this.languageTag, direction);
  }

  variable(value: string): never {
    return this.fail(`?${value} is a variable, which RDF data cannot contain`);
  }

  defaultGraph(): DefaultGraph {
    return DEFAULT_GRAPH;
  }

  quad(
    subject: RDF.Quad_Subject,
    predicate: RDF.Quad_Predicate,
    object: RDF.Quad_Object,
    graph: RDF.Quad_Graph = DEFAULT_GRAPH,
  ): Quad {
    return new Quad(subject, predicate, object, graph);
  }
}

function iriProblem(iri: string): string {
  const shown = shortened(iri);
  return /^[A-Za-z][A-Za-z0-9+.-]*:/.test(iri)
    ? `<${shown}> contains a character that is not allowed in an IRI`
    : `<${shown}> is relative, and there is no base IRI to resolve it against: pass baseIri`;
}

function shortened(text: string): string {
  return text.length > 200 ? `${text.slice(0, 200)}...` : text;
}
