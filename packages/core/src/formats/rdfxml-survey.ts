import type * as RDF from '@rdfjs/types';
import { TERM_KIND, TermBytes, type TermBytesSource } from '../contracts/term-bytes.ts';
import type { TermId } from '../contracts/term-source.ts';
import { RdfXmlPredicates } from './rdfxml-predicates.ts';

/**
 * What the root of a document must declare, learned from each of its triples before it is written.
 */
export class RdfXmlSurvey {
  private readonly terms: TermBytesSource;
  private readonly predicates: RdfXmlPredicates;
  private readonly elements = new Map<TermId, string>();
  /** Language tags that were seen. */
  private readonly tags = new Set<TermId>();
  private readonly at = new TermBytes();
  private hasTripleTerms = false;
  /** The prefix of its:dir and its:version; undefined if no literal has a base direction. */
  itsPrefix: string | undefined;

  constructor(terms: TermBytesSource, prefixes: Readonly<Record<string, string>> | undefined) {
    this.terms = terms;
    this.predicates = new RdfXmlPredicates(prefixes);
  }

  /** Adds a triple. Throws UNSUPPORTED for a predicate that XML cannot express. */
  add(predicate: TermId, object: TermId): void {
    const { terms, at } = this;
    for (;;) {
      if (!this.elements.has(predicate))
        this.elements.set(predicate, this.predicates.name(terms.term(predicate).value));
      terms.locate(object, at);
      if (at.kind === TERM_KIND.languageLiteral) this.addTag(at.reference, object);
      if (at.kind !== TERM_KIND.triple) return;
      this.hasTripleTerms = true;
      [, predicate, object] = terms.tripleOf(object);
    }
  }

  /** The stored tag of a literal says its base direction, too. */
  private addTag(tag: TermId, literal: TermId): void {
    if (this.tags.has(tag)) return;
    this.tags.add(tag);
    const { direction } = this.terms.term(literal) as RDF.Literal;
    if (direction) this.itsPrefix ??= this.predicates.itsPrefix();
  }

  /** Returns the element name of a predicate that was added. */
  element(predicate: TermId): string {
    return this.elements.get(predicate)!;
  }

  /** Namespace to prefix. */
  get namespaces(): ReadonlyMap<string, string> {
    return this.predicates.namespaces;
  }

  /** Whether the document must say that it is of RDF 1.2. */
  get isRdf12(): boolean {
    return this.hasTripleTerms || this.itsPrefix !== undefined;
  }
}
