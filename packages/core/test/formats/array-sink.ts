import type * as RDF from '@rdfjs/types';
import type { PatchSink, TermWriter } from '../../src/contracts/quad-sink.ts';
import { NO_TERM, type TermId } from '../../src/contracts/term-source.ts';
import { isAbsoluteIri } from '../../src/model/iri.ts';
import { dataFactory } from '../../src/model/term.ts';
import { WorldsError } from '../../src/model/worlds-error.ts';

/**
 * A sink that keeps the quads as they come, as terms, and checks them as the contract of `addQuad`
 * says. Of a patch it keeps what is left in the end.
 */
export class ArraySink implements PatchSink {
  readonly quads: RDF.Quad[] = [];
  readonly terms = new ArrayTermWriter();
  removes = false;
  private before: readonly RDF.Quad[] = [];

  get patch(): PatchSink {
    return this;
  }

  begin(): void {
    this.before = [...this.quads];
  }

  abort(): void {
    this.quads.splice(0, this.quads.length, ...this.before);
  }

  ignorePrefix(): void {}

  get length(): number {
    return this.quads.length;
  }

  add(subject: TermId, predicate: TermId, object: TermId, graph: TermId): void {
    const [s, p, o, g] = [subject, predicate, object, graph].map((id) => this.terms.term(id));
    this.addQuad(
      dataFactory.quad(s as RDF.Quad_Subject, p as RDF.Quad_Predicate, o as RDF.Quad_Object, g as RDF.Quad_Graph),
    );
  }

  addQuad(quad: RDF.Quad): void {
    check(quad);
    if (!this.removes) this.quads.push(quad);
    else this.quads.splice(0, this.quads.length, ...this.quads.filter((other) => !other.equals(quad)));
  }
}

/** Makes terms of bytes; every call makes a new id. Labels of blank nodes stay as they are. */
class ArrayTermWriter implements TermWriter {
  private readonly made: RDF.Term[] = [dataFactory.variable('no term'), dataFactory.defaultGraph()];

  term(id: TermId): RDF.Term {
    return this.made[id];
  }

  iri(bytes: Uint8Array, start: number, end: number): TermId {
    return this.add(dataFactory.namedNode(text(bytes, start, end)));
  }

  literal(bytes: Uint8Array, start: number, end: number, datatype: TermId): TermId {
    const type = datatype === NO_TERM ? undefined : (this.term(datatype) as RDF.NamedNode);
    return this.add(dataFactory.literal(text(bytes, start, end), type));
  }

  languageLiteral(
    bytes: Uint8Array,
    start: number,
    end: number,
    languageBytes: Uint8Array,
    languageStart: number,
    languageEnd: number,
  ): TermId {
    const [language, direction] = text(languageBytes, languageStart, languageEnd).split('--');
    const tag = direction ? { language, direction: direction as 'ltr' | 'rtl' } : language;
    return this.add(dataFactory.literal(text(bytes, start, end), tag));
  }

  blankNode(bytes: Uint8Array, start: number, end: number): TermId {
    return this.add(dataFactory.blankNode(text(bytes, start, end)));
  }

  triple(subject: TermId, predicate: TermId, object: TermId): TermId {
    const [s, p, o] = [subject, predicate, object].map((id) => this.term(id));
    return this.add(dataFactory.quad(s as RDF.Quad_Subject, p as RDF.Quad_Predicate, o as RDF.Quad_Object));
  }

  private add(term: RDF.Term): TermId {
    return this.made.push(term) - 1;
  }
}

function text(bytes: Uint8Array, start: number, end: number): string {
  return Buffer.from(bytes.subarray(start, end)).toString('utf8');
}

function check(quad: RDF.BaseQuad): void {
  const { subject, predicate, object, graph } = quad;
  refuseUnless(subject.termType === 'NamedNode' || subject.termType === 'BlankNode', 'subject', subject);
  refuseUnless(predicate.termType === 'NamedNode', 'predicate', predicate);
  refuseUnless(object.termType !== 'Variable' && object.termType !== 'DefaultGraph', 'object', object);
  refuseUnless(
    graph.termType === 'NamedNode' || graph.termType === 'BlankNode' || graph.termType === 'DefaultGraph',
    'graph',
    graph,
  );
  for (const term of [subject, predicate, object, graph]) {
    if (term.termType === 'NamedNode' && !isAbsoluteIri(term.value))
      throw new WorldsError('INVALID_RDF', `<${term.value}> is not absolute and valid`);
    if (term.termType === 'Literal' && !isAbsoluteIri(term.datatype.value))
      throw new WorldsError('INVALID_RDF', `<${term.datatype.value}> is not absolute and valid`);
    if (term.termType === 'Quad') check(term);
  }
}

function refuseUnless(condition: boolean, position: string, term: RDF.Term): void {
  if (!condition) throw new WorldsError('INVALID_RDF', `A ${term.termType} cannot be a ${position}`);
}
