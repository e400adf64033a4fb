import type * as RDF from '@rdfjs/types';
import { BlankNode, dataFactory, NamedNode } from '../../model/term.ts';
import { RDF as RDF_NAMESPACE } from '../../model/vocabulary.ts';
import type { Constant, Path, PatternTerm, Variable, WrittenText } from '../algebra/algebra.ts';
import { addPath } from '../algebra/path-patterns.ts';
import type { TripleSink } from '../algebra/triple-sink.ts';
import { PathParser } from './path-parser.ts';
import { INSERT_DATA_TRIPLES, type TripleMode, WHERE_TRIPLES } from './triple-mode.ts';

const FIRST = new NamedNode(`${RDF_NAMESPACE}first`);
const REST = new NamedNode(`${RDF_NAMESPACE}rest`);
const NIL = new NamedNode(`${RDF_NAMESPACE}nil`);
const REIFIES = new NamedNode(`${RDF_NAMESPACE}reifies`);

/** Most operands whose places are remembered. */
const MAX_OPERANDS = 16;

const OBJECT = 'a variable, an IRI, a literal, a blank node, "(", "[", "<<" or "<<("';
const SUBJECT = 'a variable, an IRI, a literal, a blank node, "(", "[" or "<<"';

/**
 * Parses triples with all abbreviations (rules 75 to 106; SPARQL 1.2 rules 56 to 124). Expands
 * collections, blank node property lists, reified triples and annotations to plain triples and
 * passes them to `sink`.
 */
export class TriplesParser extends PathParser {
  protected sink!: TripleSink;
  protected mode: TripleMode = WHERE_TRIPLES;
  /** Number of the current basic graph pattern. */
  protected block = 0;
  /**
   * Blank node labels in patterns so far, with their basic graph pattern: a label may occur in only
   * one (section 19.6).
   */
  private patternLabels: Map<string, number> | undefined;
  /** Blank node labels in INSERT DATA so far, with their operation; the same rule applies. */
  private dataLabels: Map<string, number> | undefined;

  /** In order of the text. */
  private readonly constants: Constant[] = [];
  private hasManyConstants = false;
  private operands = 0;

  /** Offset of the last empty "( )" or "[ ]". */
  private emptyNode = -1;

  private readonly freshVariable = (): Variable => ({ termType: 'Variable', value: this.freshName('p') });

  protected get writtenAs(): WrittenText | undefined {
    const { text, constants, comments } = this;
    const isOfUse = !this.hasManyConstants && constants.length + comments.length > 0;
    return isOfUse ? { text, constants, comments } : undefined;
  }

  /** Whether a subject starts at the current token. */
  protected atSubject(): boolean {
    switch (this.token) {
      case '<variable>':
      case '<iri>':
      case '<name>':
      case '<blank>':
      case '(':
      case '[':
      case '<<':
      // Rejected as a subject later, with a specific message.
      case '<<(':
        return true;
      default:
        return this.atLiteral();
    }
  }

  /** TriplesSameSubject and TriplesSameSubjectPath (rules 75, 81). */
  protected triplesSameSubject(): void {
    const subject = this.subject();
    if (subject) this.propertyList(subject);
  }

  /** Parses a subject; returns undefined if it stands alone, without a property list. */
  protected subject(): PatternTerm | undefined {
    const isNode = this.at('[') || this.at('(');
    const mayStandAlone = isNode || this.at('<<');
    const { start } = this;
    const subject = this.graphNode(SUBJECT);
    // Empty "[ ]" and "( )" need a predicate; "[ :p 1 ]", "(1)" and "<< ... >>" may stand alone.
    const isEmpty = isNode && this.emptyNode === start;
    return mayStandAlone && !isEmpty && !this.atVerb() ? undefined : subject;
  }

  private atVerb(): boolean {
    return this.at('<variable>') || this.at('a') || this.atIri() || (this.mode.paths && this.atPath());
  }

  /** PropertyListNotEmpty and PropertyListPathNotEmpty (rules 77, 83). */
  private propertyList(subject: PatternTerm): void {
    do {
      const verb = this.verb();
      do this.object(subject, verb);
      while (this.accept(','));
    } while (this.atNextVerb());
  }

  /** Skips the semicolons after the objects of a verb and returns whether another verb follows. */
  protected atNextVerb(): boolean {
    if (!this.at(';')) return false;
    while (this.accept(';'));
    return this.atVerb();
  }

  protected verb(): Variable | RDF.NamedNode | Path {
    if (this.at('<variable>')) return this.patternVariable();
    if (this.mode.paths) return this.path();
    if (this.at('a')) return this.typeKeyword();
    if (this.atPath()) this.fail(`A property path is not allowed in ${this.mode.place}`);
    const iri = this.iri('a predicate: a variable, an IRI or "a"');
    if (this.atPathOperator()) this.fail(`A property path is not allowed in ${this.mode.place}`);
    return iri;
  }

  protected object(subject: PatternTerm, verb: Variable | RDF.NamedNode | Path): void {
    this.countTriple();
    const object = this.graphNode(OBJECT);
    if ('termType' in verb) {
      this.sink.triple(subject, verb, object);
      if (this.at('~') || this.at('{|')) this.annotations(subject, verb, object);
    } else {
      // SPARQL 1.2 section 19.8, note 17
      if (this.at('~') || this.at('{|'))
        this.fail('Only a triple with a simple predicate can be annotated, not a property path');
      addPath(this.sink, subject, verb, object, this.freshVariable);
    }
  }

  /**
   * Annotation (SPARQL 1.2 rules 109 to 112): each block belongs to the reifier immediately before
   * it, or to a new one.
   */
  private annotations(subject: PatternTerm, predicate: Variable | RDF.NamedNode, object: PatternTerm): void {
    const triple = tripleTerm(subject, predicate, object);
    let reifier: PatternTerm | undefined;
    for (;;) {
      if (this.at('~')) {
        reifier = this.reifier();
        this.sink.triple(reifier, REIFIES, triple);
      } else if (this.at('{|')) {
        if (!reifier) {
          reifier = this.anonymous('An annotation without a reifier makes a blank node, which');
          this.sink.triple(reifier, REIFIES, triple);
        }
        const depth = this.descend();
        this.next();
        this.propertyList(reifier);
        this.expect('|}', '";", "," or "|}"');
        this.ascend(depth);
        reifier = undefined;
      } else return;
    }
  }

  /** Reifier (SPARQL 1.2 rule 70): `~` with a name, or a new blank node. */
  private reifier(): PatternTerm {
    const { start } = this;
    this.next();
    if (this.at('<variable>')) return this.patternVariable();
    if (this.atIri()) return this.iri();
    if (this.at('<blank>')) return this.labelledBlankNode();
    if (this.at('[')) {
      this.next();
      this.expect(']');
    }
    return this.anonymous('A reifier without a name is a blank node, which', start);
  }

  /** GraphNode and GraphNodePath (rules 104, 105), or a subject. */
  private graphNode(what: string): PatternTerm {
    switch (this.token) {
      case '(':
        return this.collection();
      case '[':
        return this.blankNodePropertyList();
      case '<<':
        return this.reifiedTriple();
      case '<<(':
        if (what === SUBJECT) this.checkTermSubject();
        return this.tripleTerm();
      default:
        return this.placedTerm(what);
    }
  }

  /** A simple term; remembers where a constant is. */
  private placedTerm(what: string): PatternTerm {
    const { start } = this;
    const term = this.simpleTerm(what);
    if (term.termType !== 'NamedNode' && term.termType !== 'Literal') return term;
    if (this.hasManyConstants) return term;
    if (this.constants.length - this.operands === this.mode.maxConstants) {
      this.hasManyConstants = true;
      return term;
    }
    return this.remembered(term, start, false);
  }

  /** Remembers where an operand is; the others of a long list are the same in all texts. */
  protected placedOperand(term: RDF.NamedNode | RDF.Literal, start: number): RDF.Term {
    if (this.hasManyConstants || this.operands === MAX_OPERANDS) return term;
    this.operands++;
    return this.remembered(term, start, true);
  }

  private remembered(term: RDF.NamedNode | RDF.Literal, start: number, isOperand: boolean): Constant['term'] {
    // Names of the prologue share their terms, which must not be mistaken for this one.
    const constant = term.termType === 'NamedNode' ? new NamedNode(term.value) : term;
    this.constants.push({ term: constant, start, end: this.previousEnd, isOperand });
    return constant;
  }

  /**
   * RDF 1.2 permits triple terms only as objects. Patterns may have them as subjects (SPARQL 1.2
   * rule 107, VarOrTerm), which match nothing.
   */
  private checkTermSubject(): void {
    if (!this.mode.isPattern) this.fail('A triple term "<<( )>>" cannot be a subject: reify it with "<< >>"');
  }

  /** A variable, IRI, literal or blank node. */
  private simpleTerm(what: string): PatternTerm {
    switch (this.token) {
      case '<variable>':
        return this.patternVariable();
      case '<iri>':
      case '<name>':
        return this.iri();
      case '<blank>':
        return this.labelledBlankNode();
      default:
        return this.atLiteral() ? this.literal() : this.failExpected(what);
    }
  }

  protected patternVariable(): Variable {
    if (!this.mode.variables) this.fail(`A variable is not allowed in ${this.mode.place}`);
    return this.variable();
  }

  /** Collection (rules 102, 103), or NIL. */
  private collection(): PatternTerm {
    const { start } = this;
    this.next();
    if (this.accept(')')) {
      this.emptyNode = start;
      return NIL;
    }
    const depth = this.descend();
    const head = this.anonymous('A list is made of blank nodes, which', start);
    let cell = head;
    for (;;) {
      this.countTriple();
      this.sink.triple(cell, FIRST, this.graphNode(OBJECT));
      if (this.accept(')')) break;
      const rest = this.anonymous('A list is made of blank nodes, which', start);
      this.sink.triple(cell, REST, rest);
      cell = rest;
    }
    this.sink.triple(cell, REST, NIL);
    this.ascend(depth);
    return head;
  }

  /** BlankNodePropertyList (rules 99, 101), or ANON. */
  private blankNodePropertyList(): PatternTerm {
    const { start } = this;
    const node = this.anonymous('"[ ]" is a blank node, which', start);
    this.next();
    if (this.accept(']')) {
      this.emptyNode = start;
      return node;
    }
    const depth = this.descend();
    this.propertyList(node);
    this.expect(']', '";", "," or "]"');
    this.ascend(depth);
    return node;
  }

  /** ReifiedTriple (SPARQL 1.2 rule 116): emits the reifying triple and returns the reifier. */
  private reifiedTriple(): PatternTerm {
    const { start } = this;
    const depth = this.descend();
    this.next();
    const subject = this.innerTerm(
      'a subject in "<< >>": a variable, an IRI, a literal, a blank node or "<<"',
      true,
      this.mode.isPattern,
    );
    const predicate = this.innerVerb();
    const object = this.innerTerm(
      'an object in "<< >>": a variable, an IRI, a literal, a blank node, "<<" or "<<("',
      true,
      true,
    );
    const reifier = this.at('~')
      ? this.reifier()
      : this.anonymous('A reified triple without "~" is a blank node, which', start);
    this.expect('>>', '"~" or ">>"');
    this.ascend(depth);
    this.sink.triple(reifier, REIFIES, tripleTerm(subject, predicate, object));
    return reifier;
  }

  /** TripleTerm (SPARQL 1.2 rule 119). */
  private tripleTerm(): PatternTerm {
    const depth = this.descend();
    this.next();
    const subject = this.innerTerm(
      'a subject in "<<( )>>": a variable, an IRI, a literal or a blank node',
      false,
      this.mode.isPattern,
    );
    const predicate = this.innerVerb();
    const object = this.innerTerm(
      'an object in "<<( )>>": a variable, an IRI, a literal, a blank node or "<<("',
      false,
      true,
    );
    this.expect(')>>');
    this.ascend(depth);
    return tripleTerm(subject, predicate, object);
  }

  /**
   * Parses a subject or object inside a triple term or reified triple, where collections and
   * property lists are not allowed.
   */
  private innerTerm(what: string, reified: boolean, term: boolean): PatternTerm {
    if (reified && this.at('<<')) return this.reifiedTriple();
    if (term && this.at('<<(')) return this.tripleTerm();
    if (!this.at('[')) return this.simpleTerm(what);
    const { start } = this;
    this.next();
    this.expect(']');
    return this.anonymous('"[ ]" is a blank node, which', start);
  }

  private innerVerb(): Variable | RDF.NamedNode {
    if (this.at('<variable>')) return this.patternVariable();
    return this.at('a') ? this.typeKeyword() : this.iri('a predicate: a variable, an IRI or "a"');
  }

  private countTriple(): void {
    if (this.mode.isPattern) this.countPattern();
    else this.countNested();
  }

  private anonymous(what: string, offset = this.start): PatternTerm {
    switch (this.mode.blankNodes) {
      case 'variables':
        return { termType: 'Variable', value: this.freshName('a') };
      case 'nodes':
        return new BlankNode(this.freshName('a'));
      default:
        this.fail(`${what} is not allowed in ${this.mode.place}: use a variable or an IRI`, offset);
    }
  }

  private labelledBlankNode(): PatternTerm {
    const label = this.value;
    const { blankNodes, place } = this.mode;
    if (blankNodes === 'refused') this.fail(`A blank node is not allowed in ${place}: use a variable or an IRI`);
    if (blankNodes === 'variables') {
      this.claimLabel((this.patternLabels ??= new Map()), 'two basic graph patterns: use a variable');
    } else if (this.mode === INSERT_DATA_TRIPLES) {
      this.claimLabel((this.dataLabels ??= new Map()), 'two INSERT DATA operations: each has blank nodes of its own');
    }
    this.next();
    return blankNodes === 'variables' ? { termType: 'Variable', value: `.b_${label}` } : new BlankNode(label);
  }

  /** Section 19.6 */
  private claimLabel(labels: Map<string, number>, where: string): void {
    const owner = labels.get(this.value);
    if (owner === undefined) labels.set(this.value, this.block);
    else if (owner !== this.block) this.fail(`The blank node _:${this.value} is not allowed in ${where}`);
  }
}

/** Returns an RDF triple term if all components are concrete terms, otherwise a pattern. */
function tripleTerm(subject: PatternTerm, predicate: PatternTerm, object: PatternTerm): PatternTerm {
  const isTerm =
    subject.termType === 'NamedNode' &&
    predicate.termType === 'NamedNode' &&
    (object.termType === 'NamedNode' || object.termType === 'Literal' || object.termType === 'Quad');
  return isTerm
    ? dataFactory.quad(subject, predicate, object as RDF.Quad_Object)
    : { termType: 'TriplePattern', subject, predicate, object };
}
