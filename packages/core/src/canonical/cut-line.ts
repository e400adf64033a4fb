import type * as RDF from '@rdfjs/types';
import type { TermBytesSource } from '../contracts/term-bytes.ts';
import { DEFAULT_GRAPH, NO_TERM, type TermId } from '../contracts/term-source.ts';
import { quotedText } from '../model/quoted-text.ts';
import { XSD_STRING } from '../model/vocabulary.ts';

/** Capacity of the cache of predicate and graph texts. */
const CACHE_SIZE = 1 << 12;

/** A line of canonical N-Quads, split at its blank nodes. */
export interface CutLine {
  /** One more than `nodes`; the last one ends with the line feed. */
  readonly texts: readonly string[];
  readonly nodes: readonly TermId[];
  /**
   * Position of each node as written by Hash Related Blank Node (RDFC-1.0 section 4.7): `s`, `o` or
   * `g`, followed by the predicate unless it is the graph. RDFC-1.0 has no triple terms; for a node
   * inside one, the path into it comes first: `o<p>s<q>` is the subject of a triple term with
   * predicate `p`, itself the object of a quad with predicate `q`.
   */
  readonly positions: readonly string[];
}

/**
 * Writes quads as lines of canonical N-Quads (RDF 1.2 N-Quads section 3), which extends RDFC-1.0
 * appendix A by triple terms and base directions.
 */
export class LineCutter {
  private readonly terms: TermBytesSource;
  private readonly kept = new Map<TermId, string>();
  private lastSubject: TermId = NO_TERM;
  private lastSubjectText = '';
  private text = '';
  private texts: string[] = [];
  private nodes: TermId[] = [];
  private positions: string[] = [];

  constructor(terms: TermBytesSource) {
    this.terms = terms;
  }

  line(subject: TermId, predicate: TermId, object: TermId, graph: TermId): CutLine {
    this.texts = [];
    this.nodes = [];
    this.positions = [];
    this.text = '';
    const middle = this.oftenUsed(predicate);
    this.subject(subject, `s${middle}`);
    this.text += ` ${middle} `;
    this.term(object, 'o', middle);
    if (graph !== DEFAULT_GRAPH) {
      this.text += ' ';
      if (this.terms.kind(graph) === 'blank') this.blankNode(graph, 'g');
      else this.text += this.oftenUsed(graph);
    }
    this.texts.push(`${this.text} .\n`);
    const { texts, nodes, positions } = this;
    return { texts, nodes, positions };
  }

  /** Writes a subject, caching the last text: quads come sorted by subject. */
  private subject(id: TermId, position: string): void {
    if (this.terms.kind(id) === 'blank') {
      this.blankNode(id, position);
      return;
    }
    if (id !== this.lastSubject) {
      this.lastSubject = id;
      this.lastSubjectText = termText(this.terms.term(id));
    }
    this.text += this.lastSubjectText;
  }

  /** @param position without the predicate of the quad */
  private term(id: TermId, position: string, predicate: string): void {
    const { terms } = this;
    const kind = terms.kind(id);
    if (kind === 'blank') this.blankNode(id, position + predicate);
    else if (kind === 'triple') this.tripleTerm(id, position, predicate);
    else this.text += termText(terms.term(id));
  }

  private tripleTerm(id: TermId, position: string, predicate: string): void {
    const [s, p, o] = this.terms.tripleOf(id);
    const middle = this.oftenUsed(p);
    this.text += '<<( ';
    this.term(s, `${position}${middle}s`, predicate);
    this.text += ` ${middle} `;
    this.term(o, `${position}${middle}o`, predicate);
    this.text += ' )>>';
  }

  private blankNode(id: TermId, position: string): void {
    this.texts.push(this.text);
    this.text = '';
    this.nodes.push(id);
    this.positions.push(position);
  }

  private oftenUsed(id: TermId): string {
    const kept = this.kept.get(id);
    if (kept !== undefined) return kept;
    const text = termText(this.terms.term(id));
    if (this.kept.size === CACHE_SIZE) this.kept.clear();
    this.kept.set(id, text);
    return text;
  }
}

/** Returns an IRI or a literal in canonical N-Quads. */
function termText(term: RDF.Term): string {
  if (term.termType !== 'Literal') return `<${term.value}>`;
  const text = quotedText(term.value);
  // "The language tag MUST be in lower case": tags compare without case, so one spelling represents
  // all.
  if (term.language) return `${text}@${term.language.toLowerCase()}${term.direction ? `--${term.direction}` : ''}`;
  // "Literals with the datatype xsd:string MUST NOT use the datatype IRI part of the literal."
  return term.datatype.value === XSD_STRING ? text : `${text}^^<${term.datatype.value}>`;
}
