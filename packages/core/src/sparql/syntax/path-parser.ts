import type * as RDF from '@rdfjs/types';
import type { Path } from '../algebra/algebra.ts';
import { TermParser } from './term-parser.ts';

const link = (path: RDF.NamedNode | Path): Path => ('termType' in path ? { type: 'link', iri: path } : path);

/** Parses property paths (rules 88 to 97). A path of one IRI is returned as that IRI. */
export class PathParser extends TermParser {
  /** Whether a path other than a plain IRI starts at the current token. */
  protected atPath(): boolean {
    return this.at('(') || this.at('!') || this.at('^');
  }

  protected atPathOperator(): boolean {
    switch (this.token) {
      case '/':
      case '|':
      case '*':
      case '+':
      case '?':
        return true;
      default:
        return false;
    }
  }

  /** PathAlternative (rule 89). */
  protected path(): RDF.NamedNode | Path {
    const first = this.pathSequence();
    if (!this.at('|')) return first;
    const paths = [link(first)];
    while (this.accept('|')) paths.push(link(this.pathSequence()));
    return { type: 'alternative', paths };
  }

  /** PathSequence (rule 90). */
  private pathSequence(): RDF.NamedNode | Path {
    const first = this.pathElement();
    if (!this.at('/')) return first;
    const paths = [link(first)];
    while (this.accept('/')) paths.push(link(this.pathElement()));
    return { type: 'sequence', paths };
  }

  /** PathEltOrInverse (rule 92), including PathElt. */
  private pathElement(): RDF.NamedNode | Path {
    const inverse = this.accept('^');
    let path = this.pathPrimary();
    switch (this.token) {
      case '*':
        this.next();
        path = { type: 'zeroOrMore', path: link(path) };
        break;
      case '+':
        this.next();
        path = { type: 'oneOrMore', path: link(path) };
        break;
      case '?':
        this.next();
        path = { type: 'zeroOrOne', path: link(path) };
        break;
    }
    return inverse ? { type: 'inverse', path: link(path) } : path;
  }

  /** PathPrimary (rule 94). */
  private pathPrimary(): RDF.NamedNode | Path {
    if (this.accept('(')) {
      const depth = this.descend();
      const path = this.path();
      this.expect(')', 'a path operator or ")"');
      this.ascend(depth);
      return path;
    }
    if (this.accept('!')) return this.negatedSet();
    return this.linkIri('a predicate: a variable, an IRI, "a", "^", "!" or "("');
  }

  private linkIri(what: string): RDF.NamedNode {
    this.countPattern();
    return this.at('a') ? this.typeKeyword() : this.iri(what);
  }

  /** PathNegatedPropertySet (rules 95, 96). */
  private negatedSet(): Path {
    const forward: RDF.NamedNode[] = [];
    const backward: RDF.NamedNode[] = [];
    const one = () => {
      const inverse = this.accept('^');
      (inverse ? backward : forward).push(this.linkIri('an IRI, "a" or "^" in a negated property set'));
    };
    if (!this.accept('(')) one();
    else if (!this.accept(')')) {
      do one();
      while (this.accept('|'));
      this.expect(')', '"|" or ")"');
    }
    // Section 18.2.2.3. "!()" excludes nothing: it matches every predicate, forwards.
    if (backward.length === 0) return { type: 'negated', forward };
    if (forward.length === 0) return { type: 'inverse', path: { type: 'negated', forward: backward } };
    return { type: 'negated', forward, backward };
  }
}
