import type * as RDF from '@rdfjs/types';
import { IriBase, isAbsoluteIri } from '../../model/iri.ts';
import { isLanguageTag } from '../../model/language-tag.ts';
import { RememberedIri } from '../../model/remembered-iri.ts';
import {
  DEFAULT_REQUEST_LIMITS,
  ExpansionMeter,
  limitExceeded,
  type RequestLimitName,
  type RequestLimits,
} from '../../model/request-limits.ts';
import { dataFactory, Literal, NamedNode } from '../../model/term.ts';
import {
  RDF_DIR_LANG_STRING,
  RDF_LANG_STRING,
  RDF_TYPE,
  XSD_BOOLEAN,
  XSD_DECIMAL,
  XSD_DOUBLE,
  XSD_INTEGER,
  XSD_STRING,
} from '../../model/vocabulary.ts';
import type { Variable } from '../algebra/algebra.ts';
import { type Prologue, recentPrologue, rememberPrologue } from './prologue.ts';
import type { ScannableText } from './scannable-text.ts';
import { Scanner } from './scanner.ts';

export interface ParseOptions {
  /** Base of relative IRIs before any BASE; an absolute IRI. */
  readonly baseIri?: string;
  /** Defaults to DEFAULT_REQUEST_LIMITS. */
  readonly limits?: RequestLimits;
}

/**
 * Parts of a text parsed between two yields: elements, rows, conditions, declarations. A power of
 * two.
 */
const PARTS_PER_STEP = 64;

/** Must not be modified. */
const NO_PREFIXES = new Map<string, string>();
const TYPE = new RememberedIri(RDF_TYPE);
const BOOLEAN = new NamedNode(XSD_BOOLEAN);
const STRING = new NamedNode(XSD_STRING);
const NUMERIC_DATATYPES: Readonly<Record<string, RDF.NamedNode>> = {
  '<integer>': new NamedNode(XSD_INTEGER),
  '<decimal>': new NamedNode(XSD_DECIMAL),
  '<double>': new NamedNode(XSD_DOUBLE),
};

/**
 * A variable of the text and its rank by first appearance, which is the column order of `SELECT *`.
 */
interface KnownVariable {
  readonly term: Variable;
  readonly rank: number;
}

/**
 * Parses simple terms (rules 139 to 158 and the rules based on them), and the prologue they depend
 * on.
 */
export class TermParser extends Scanner {
  protected baseIri: string | undefined;
  private base: IriBase | undefined;
  /** Namespaces by prefix. The map may be shared: it is copied before a declaration. */
  protected prefixes = NO_PREFIXES;
  /** The cached prologue at the start of the text; unset once declarations follow it. */
  private opening: Prologue | undefined;
  private readonly variables = new Map<string, KnownVariable>();
  private depth = 0;
  private generated = 0;
  private readonly limits: RequestLimits;
  private readonly expansion: ExpansionMeter;
  /** Counters for the current query or operation. */
  private patterns = 0;
  private expressions = 0;
  private valueCount = 0;
  /** Counter for the current object of a template. */
  private nested = 0;
  /** Counter for the whole text. */
  private parts = 0;
  private readonly here = () => this.location();

  constructor(text: ScannableText, { baseIri, limits = DEFAULT_REQUEST_LIMITS }: ParseOptions) {
    super(text);
    this.baseIri = baseIri;
    this.limits = limits;
    this.expansion = new ExpansionMeter(limits);
  }

  /** Throws LIMIT_EXCEEDED for a limit, located at the current token. */
  private exceed(name: RequestLimitName): never {
    throw limitExceeded(name, this.limits, this.location());
  }

  /**
   * Enters a nesting level; returns the previous depth for {@link ascend}. Nested parts of a text
   * and links of a chain of OPTIONAL, MINUS, BIND or arithmetic all become levels of the algebra
   * tree. Throws LIMIT_EXCEEDED above `maxNesting`.
   */
  protected descend(): number {
    if (this.depth >= this.limits.maxNesting) this.exceed('maxNesting');
    return this.depth++;
  }

  /** Counts a triple pattern, a link of a path, or a group. */
  protected countPattern(): void {
    if (++this.patterns > this.limits.maxPatterns) this.exceed('maxPatterns');
  }

  /** Counts parts of expressions or clauses. */
  protected countExpression(count = 1): void {
    this.expressions += count;
    if (this.expressions > this.limits.maxExpressions) this.exceed('maxExpressions');
  }

  /** Counts the values of a row of VALUES. */
  protected countValues(count: number): void {
    this.valueCount += count;
    if (this.valueCount > this.limits.maxValues) this.exceed('maxValues');
  }

  /** Counts a triple nested in an object of a template, which is parsed without a yield. */
  protected countNested(): void {
    if (++this.nested > this.limits.maxNestedTriples) this.exceed('maxNestedTriples');
  }

  /** Counts a part of a list and returns whether to yield now. */
  protected endsStep(): boolean {
    return (++this.parts & (PARTS_PER_STEP - 1)) === 0;
  }

  /** Starts another object of a template. */
  protected beginObject(): void {
    this.nested = 0;
  }

  /** Checks the number of variables named in a SELECT or VALUES. */
  protected checkVariables(count: number): void {
    if (count > this.limits.maxVariables) this.exceed('maxVariables');
  }

  /** Checks the number of keys in GROUP BY or ORDER BY before another key is parsed. */
  protected checkKeys(before: number): void {
    if (before >= this.limits.maxKeys) this.exceed('maxKeys');
  }

  /** Starts another operation of an update; `before` is the number of previous ones. */
  protected beginOperation(before: number): void {
    if (before >= this.limits.maxOperations) this.exceed('maxOperations');
    this.patterns = 0;
    this.expressions = 0;
    this.valueCount = 0;
  }

  /** Returns the current depth, to be restored with {@link ascend} after a chain. */
  protected depthMark(): number {
    return this.depth;
  }

  /** Restores a depth returned by {@link descend} or {@link depthMark}. */
  protected ascend(depth: number): void {
    this.depth = depth;
  }

  /**
   * Returns a new name for a variable or blank node that the text does not name. Names in a text
   * never start with a dot.
   */
  protected freshName(kind: string): string {
    return `.${kind}${this.generated++}`;
  }

  /** Prologue (rule 4). Its declarations apply to the rest of the text. */
  protected *prologue(): Generator<void, void, void> {
    const { start, baseIri } = this;
    const isFirst = this.prefixes === NO_PREFIXES;
    const known = isFirst ? recentPrologue(this.text, start, baseIri) : undefined;
    if (known) {
      this.baseIri = known.baseIri;
      this.prefixes = known.prefixes;
      this.opening = known;
      this.skipTo(start + known.text.length);
    }
    if (!(this.atDeclaration() && (yield* this.declarations()))) return;
    this.opening = undefined;
    if (!isFirst || this.at('<end>')) return;
    this.opening = rememberPrologue(this.text.slice(start, this.start), baseIri, this.baseIri, this.prefixes);
  }

  private declare(prefix: string, namespace: string): void {
    const isShared = this.prefixes === NO_PREFIXES || this.prefixes === this.opening?.prefixes;
    if (isShared) this.prefixes = new Map(this.prefixes);
    this.prefixes.set(prefix, namespace);
  }

  private atDeclaration(): boolean {
    return this.at('BASE') || this.at('PREFIX') || this.at('VERSION');
  }

  /** Parses declarations and returns whether there were any. */
  private *declarations(): Generator<void, boolean, void> {
    for (let isAny = false; ; isAny = true) {
      if (isAny) this.countExpression();
      if (this.endsStep()) yield;
      if (this.accept('BASE')) {
        if (!this.at('<iri>')) this.failExpected('an IRI in angle brackets after BASE');
        this.baseIri = this.iri().value;
      } else if (this.accept('PREFIX')) {
        if (!this.at('<name>') || this.end !== this.colon + 1)
          this.failExpected('a prefix that ends with ":" after PREFIX');
        const prefix = this.text.slice(this.start, this.colon);
        this.next();
        if (!this.at('<iri>')) this.failExpected(`an IRI in angle brackets for the prefix "${prefix}:"`);
        this.declare(prefix, this.iri().value);
      } else if (this.accept('VERSION')) {
        // SPARQL 1.2, rule 8: a string on one line. It is informative only.
        const isLong = this.text.startsWith('"""', this.start) || this.text.startsWith("'''", this.start);
        if (!this.at('<string>') || (isLong && this.end - this.start > 2)) this.failExpected('a string after VERSION');
        this.next();
      } else return isAny;
    }
  }

  protected atIri(): boolean {
    return this.at('<iri>') || this.at('<name>');
  }

  /** iri (rule 136). */
  protected iri(what = 'an IRI'): RDF.NamedNode {
    let iri: RDF.NamedNode;
    if (this.at('<iri>')) iri = new NamedNode(this.absoluteIri(this.value));
    else if (this.at('<name>')) iri = this.expandedName();
    else this.failExpected(what);
    this.next();
    return iri;
  }

  private expandedName(): RDF.NamedNode {
    const name = this.opening && this.text.slice(this.start, this.end);
    const written = this.end - this.start;
    const known = name === undefined ? undefined : this.opening!.iriOf(name);
    if (known) {
      this.expansion.claim(known.value.length, known.value.length - written, this.end, this.here);
      return known;
    }
    const prefix = this.text.slice(this.start, this.colon);
    const namespace = this.prefixes.get(prefix);
    if (namespace === undefined)
      this.fail(`The prefix "${prefix}:" is not declared: add PREFIX ${prefix}: <...> at the beginning`);
    const iri = namespace + this.value;
    this.expansion.claim(iri.length, iri.length - written, this.end, this.here);
    return name === undefined ? new NamedNode(iri) : this.opening!.put(name, iri);
  }

  /** Section 4.1.1.2: resolves relative IRIs against the base as in RFC 3986 section 5.2. */
  private absoluteIri(iri: string): string {
    this.expansion.claim(iri.length, 0, this.end, this.here);
    if (hasScheme(iri)) {
      // The scanner validated the characters as written, but not those produced by escapes.
      if (this.escaped && !isAbsoluteIri(iri)) this.fail(`<${iri}> contains a character that is not allowed in an IRI`);
      return iri;
    }
    if (this.baseIri === undefined)
      this.fail(`The relative IRI <${iri}> has no base: write it in full, or declare BASE <...>`);
    // Resolution processes the whole base, however short the result is.
    this.expansion.claim(0, this.baseIri.length, this.end, this.here);
    // Parsed once, because parsing a long base costs more than the text that uses it.
    if (this.base?.iri !== this.baseIri) this.base = new IriBase(this.baseIri);
    const resolved = this.base.resolve(iri);
    this.expansion.claim(resolved.length, 0, this.end, this.here);
    if (!isAbsoluteIri(resolved))
      this.fail(`<${iri}> with the base <${this.baseIri}> is not an absolute IRI: <${resolved}>`);
    return resolved;
  }

  /** `a` as a predicate means rdf:type (section 4.2.4). */
  protected typeKeyword(): RDF.NamedNode {
    this.next();
    return TYPE;
  }

  /** Var (rule 108). */
  protected variable(what = 'a variable'): Variable {
    if (!this.at('<variable>')) this.failExpected(what);
    const term = this.knownVariable(this.value);
    this.next();
    return term;
  }

  private knownVariable(name: string): Variable {
    const known = this.variables.get(name);
    if (known) return known.term;
    const term: Variable = { termType: 'Variable', value: name };
    this.variables.set(name, { term, rank: this.variables.size });
    return term;
  }

  /** Sorts variable names by first appearance in the text. */
  protected inTextOrder(names: Iterable<string>): string[] {
    return [...names].sort((one, other) => this.variables.get(one)!.rank - this.variables.get(other)!.rank);
  }

  /** Whether a literal starts at the current token: a string, number or boolean. */
  protected atLiteral(): boolean {
    switch (this.token) {
      case '<string>':
      case '<integer>':
      case '<decimal>':
      case '<double>':
      case 'TRUE':
      case 'FALSE':
        return true;
      default:
        return false;
    }
  }

  /**
   * RDFLiteral, NumericLiteral or BooleanLiteral (rules 129 to 134). Requires {@link atLiteral}.
   */
  protected literal(): RDF.Literal {
    if (this.at('<string>')) return this.stringLiteral();
    const isBoolean = this.at('TRUE') || this.at('FALSE');
    const literal = isBoolean
      ? new Literal(this.token.toLowerCase(), '', BOOLEAN)
      : new Literal(this.value, '', NUMERIC_DATATYPES[this.token]);
    this.next();
    return literal;
  }

  /** Whether the current token is a number with a sign. */
  protected atSignedNumber(): boolean {
    if (!this.at('<integer>') && !this.at('<decimal>') && !this.at('<double>')) return false;
    const sign = this.text.charCodeAt(this.start);
    return sign === 0x2b || sign === 0x2d;
  }

  /** Returns the number at the current token without its sign. */
  protected unsignedNumber(): RDF.Literal {
    const literal = new Literal(this.value.slice(1), '', NUMERIC_DATATYPES[this.token]);
    this.next();
    return literal;
  }

  private stringLiteral(): RDF.Literal {
    const { value } = this;
    this.next();
    if (this.at('<language>')) {
      const [language, direction] = this.value.split('--');
      if (direction !== undefined && direction !== 'ltr' && direction !== 'rtl')
        this.fail(`The base direction of a string must be "ltr" or "rtl", not ${JSON.stringify(direction)}`);
      if (!isLanguageTag(language)) this.fail(`${JSON.stringify(language)} is not a well-formed language tag`);
      this.next();
      return dataFactory.literal(value, { language, direction });
    }
    if (this.accept('^^')) return new Literal(value, '', this.datatype());
    return new Literal(value, '', STRING);
  }

  /**
   * RDF 1.1 Concepts 3.3: a literal has the datatype rdf:langString "if and only if" it has a
   * language tag. The grammar permits the datatype without a tag, but no such literal exists, and
   * all parsers of this library reject it.
   */
  private datatype(): RDF.NamedNode {
    const { start } = this;
    const datatype = this.iri('the IRI of a datatype after "^^"');
    if (datatype.value === RDF_LANG_STRING || datatype.value === RDF_DIR_LANG_STRING)
      this.fail(`A literal with the datatype <${datatype.value}> needs a language tag: write "..."@en`, start);
    return datatype;
  }
}

/** RFC 3986 section 3.1. */
function hasScheme(iri: string): boolean {
  for (let at = 0; at < iri.length; at++) {
    const code = iri.charCodeAt(at);
    const lower = code | 32;
    if (lower >= 0x61 && lower <= 0x7a && code < 128) continue;
    if (at === 0) return false;
    if (code === 0x3a) return true;
    if (!((code >= 0x30 && code <= 0x39) || code === 0x2b || code === 0x2d || code === 0x2e)) return false;
  }
  return false;
}
