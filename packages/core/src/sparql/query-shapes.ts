import type * as RDF from '@rdfjs/types';
import type { QuadSource } from '../contracts/quad-source.ts';
import { NO_TERM } from '../contracts/term-source.ts';
import type { RequestLimits } from '../model/request-limits.ts';
import type {
  Algebra,
  Expression,
  PatternTerm,
  Query,
  TemplateTriple,
  TriplePattern,
  Variable,
  WrittenText,
} from './algebra/algebra.ts';
import { parameterised } from './parameters.ts';
import { keyOf, MAX_TEXT_LENGTH } from './parsed-texts.ts';
import { RecentTexts } from './recent-texts.ts';
import { beginsWith, TextTemplates } from './text-templates.ts';

/** Limits of the cache. Each shape holds the algebra of one of its texts. */
const KEPT = { texts: 256, length: 1 << 18 };
/**
 * Most quads that match a pattern with the constant in place of a parameter. The plan that texts
 * share starts from their constants; another order would seldom be better for so few rows, and
 * never by much.
 */
const MAX_MATCHES = 256;

/** A query whose plan serves all texts of a shape, and the constants of one text. */
export interface SharedQuery {
  /** The same object for all texts that differ in the same constants. */
  readonly query: Query;
  /** Terms by name of parameter; undefined if the texts have the same constants. */
  readonly given: ReadonlyMap<string, RDF.Term> | undefined;
  /** The patterns that have parameters; none if there is only one plan: for a single pattern. */
  readonly patterns: readonly TriplePattern[];
  /** Whether conditions have parameters. */
  readonly hasOperands: boolean;
}

/** What is known of a text that was not parsed. */
export interface RecognizedQuery {
  /** A query that differs from that of the text in constants alone. */
  readonly like: Query;
  readonly shared: SharedQuery;
}

/** A query with parameters in place of constants. */
type GeneralQuery = Omit<SharedQuery, 'given'>;

type Constants = WrittenText['constants'];

/** Texts that are the same but for comments and constants. */
interface Shape {
  readonly baseIri: string | undefined;
  readonly limits: RequestLimits | undefined;
  /** The first query that had this shape, and its constants. */
  readonly example: Query;
  readonly constants: Constants;
  /** By constant: the name of its parameter if texts have differed in it. */
  readonly names: (string | undefined)[];
  /** Undefined if no text has differed yet, or no query could serve them all. */
  general: GeneralQuery | undefined;
  /**
   * Shapes of the texts that have the same operands, by these: if texts that differ in operands
   * cannot share a plan. Undefined otherwise.
   */
  byOperands: RecentTexts<Shape> | undefined;
}

/** Limits of {@link Shape.byOperands}. */
const KEPT_OPERANDS = { texts: 16, length: 1 << 12 };

/** Updates without a WHERE. */
const BLIND = beginsWith(String.raw`(?:INSERT|DELETE)\s+DATA|LOAD|CLEAR|DROP|CREATE|ADD|MOVE|COPY`);

const NO_PATTERNS: readonly TriplePattern[] = [];

/**
 * Recognizes queries that differ in comments and constants alone, such as the texts that a program
 * makes from a template: to plan a short query takes longer than to run it. What all texts have in
 * common remains constant, so that it is planned by its statistics.
 */
export class QueryShapes {
  private readonly shapes = new RecentTexts<Shape>(KEPT);
  /** Of the texts that share a plan. */
  private readonly templates = new TextTemplates<Query, Shape>();

  /**
   * Remembers a parsed query. Returns the one that it can share a plan with; undefined if it is the
   * first of its shape, or differs from others in what a plan depends on.
   */
  find(query: Query, baseIri: string | undefined, limits: RequestLimits | undefined): SharedQuery | undefined {
    const { writtenAs } = query;
    if (!writtenAs || writtenAs.text.length > MAX_TEXT_LENGTH) return undefined;
    const { constants } = writtenAs;
    const key = keyOf(textBetween(writtenAs), baseIri);
    const shape = this.shapes.get(key);
    if (!shape) {
      this.shapes.put(key, newShape(query, constants, baseIri, limits));
      return undefined;
    }
    if (shape.baseIri !== baseIri || shape.limits !== limits) return undefined;
    const terms = constants.map(({ term }) => term);
    const shared = sharedBy(shape, terms);
    if (shared) this.templates.put(query, baseIri, limits, shape);
    else if (shape.byOperands) rememberIn(shape.byOperands, newShape(query, constants, baseIri, limits), terms);
    return shared;
  }

  /** Recognizes a text without parsing it. Returns undefined if it has to be parsed. */
  recognize(text: string, baseIri: string | undefined, limits: RequestLimits | undefined): RecognizedQuery | undefined {
    const filled = BLIND.test(text) ? undefined : this.templates.find(text, baseIri, limits);
    const shared = filled && sharedBy(filled.kept, filled.terms);
    return shared && { like: filled.operation, shared };
  }
}

function newShape(
  example: Query,
  constants: Constants,
  baseIri: string | undefined,
  limits: RequestLimits | undefined,
): Shape {
  return { baseIri, limits, example, constants, names: [], general: undefined, byOperands: undefined };
}

function sharedBy(shape: Shape, terms: readonly RDF.Term[]): SharedQuery | undefined {
  if (shape.byOperands) {
    const narrower = shape.byOperands.get(operandsIn(shape.constants, terms));
    return narrower && sharedBy(narrower, terms);
  }
  if (differAnew(shape, terms)) {
    const general = withParameters(shape.example, shape.constants, shape.names);
    const isUsable = !general?.hasOperands || parameterised(general.query, givenBy(shape.names, terms), true);
    shape.general = isUsable ? general : undefined;
    if (!shape.general && hasNamedOperand(shape)) {
      shape.byOperands = new RecentTexts(KEPT_OPERANDS);
      return undefined;
    }
  }
  const { example, general, names } = shape;
  if (names.length === 0) return { query: example, given: undefined, patterns: NO_PATTERNS, hasOperands: false };
  return general && { ...general, given: givenBy(names, terms) };
}

/** Remembers the shape of a query unless there is one of its operands. */
function rememberIn(byOperands: RecentTexts<Shape>, shape: Shape, terms: readonly RDF.Term[]): void {
  const key = operandsIn(shape.constants, terms);
  if (!byOperands.get(key)) byOperands.put(key, shape);
}

function hasNamedOperand({ constants, names }: Shape): boolean {
  return constants.some(({ isOperand }, i) => isOperand && names[i] !== undefined);
}

/**
 * Writes the operands among the constants of a text, so that other operands are written otherwise.
 */
function operandsIn(constants: Constants, terms: readonly RDF.Term[]): string {
  return JSON.stringify(terms.filter((_, i) => constants[i].isOperand));
}

/**
 * The text without its comments and constants. NUL marks where constants were: within a valid text,
 * NUL is part of a string or a comment, where no constant begins.
 */
function textBetween({ text, constants, comments }: WrittenText): string {
  let between = '';
  let from = 0;
  let comment = 0;
  for (const { start, end } of constants) {
    for (; comment < comments.length && comments[comment].start < start; comment++) {
      between += text.slice(from, comments[comment].start);
      from = comments[comment].end;
    }
    between += `${text.slice(from, start)}\0`;
    from = end;
  }
  for (; comment < comments.length; comment++) {
    between += text.slice(from, comments[comment].start);
    from = comments[comment].end;
  }
  return between + text.slice(from);
}

/**
 * Names the constants that differ from the example for the first time; returns if there are any.
 */
function differAnew({ constants, names }: Shape, terms: readonly RDF.Term[]): boolean {
  let isAny = false;
  for (let i = 0; i < constants.length; i++) {
    if (names[i] !== undefined || constants[i].term.equals(terms[i])) continue;
    // Names in a text never start with a dot.
    names[i] = `.c${i}`;
    isAny = true;
  }
  return isAny;
}

function givenBy(names: readonly (string | undefined)[], terms: readonly RDF.Term[]): ReadonlyMap<string, RDF.Term> {
  const given = new Map<string, RDF.Term>();
  for (let i = 0; i < names.length; i++) {
    const name = names[i];
    if (name !== undefined) given.set(name, terms[i]);
  }
  return given;
}

/**
 * Returns undefined unless every named constant is a subject, an object or an operand where
 * {@link Replacing} enters, and nothing else.
 */
function withParameters(
  query: Query,
  constants: Constants,
  names: readonly (string | undefined)[],
): GeneralQuery | undefined {
  if (!query.algebra) return undefined;
  const parameters = new Map<unknown, Variable>();
  for (let i = 0; i < names.length; i++) {
    const value = names[i];
    if (value !== undefined) parameters.set(constants[i].term, { termType: 'Variable', value });
  }
  const replacing = new Replacing(parameters);
  const algebra = replacing.inAlgebra(query.algebra);
  const template = query.type === 'construct' ? replacing.inTemplate(query.template) : undefined;
  if (replacing.isUnsure || replacing.found.size < parameters.size) return undefined;
  const isOnlyPlan = replacing.count === 1 && !replacing.hasOperands;
  const patterns = isOnlyPlan ? NO_PATTERNS : replacing.patterns;
  const general = template ? { ...query, algebra, template } : { ...query, algebra };
  return { query: general as Query, patterns, hasOperands: replacing.hasOperands };
}

/** Puts parameters into the patterns and conditions of a query. */
class Replacing {
  private readonly parameters: ReadonlyMap<unknown, Variable>;
  readonly found = new Set<Variable>();
  /** The patterns that have parameters. */
  readonly patterns: TriplePattern[] = [];
  /** Number of all patterns. */
  count = 0;
  hasOperands = false;
  /** Whether a constant may also be part of a triple term, as that of an annotation. */
  isUnsure = false;

  constructor(parameters: ReadonlyMap<unknown, Variable>) {
    this.parameters = parameters;
  }

  /**
   * Enters the parts that `parameterised` can serve, and leaves the others as they are: a constant
   * in one of these is not found.
   */
  inAlgebra(algebra: Algebra): Algebra {
    switch (algebra.type) {
      case 'bgp':
        return { type: 'bgp', patterns: algebra.patterns.map((pattern) => this.inPattern(pattern)) };
      case 'join':
      case 'union':
        return { ...algebra, operands: algebra.operands.map((operand) => this.inAlgebra(operand)) };
      case 'leftJoin':
        return { ...algebra, left: this.inAlgebra(algebra.left), right: this.inAlgebra(algebra.right) };
      case 'filter':
        return { ...algebra, input: this.inAlgebra(algebra.input), condition: this.inExpression(algebra.condition) };
      case 'graph':
      case 'extend':
      case 'group':
      case 'orderBy':
      case 'project':
      case 'distinct':
      case 'reduced':
      case 'slice':
        return { ...algebra, input: this.inAlgebra(algebra.input) };
      case 'path':
        this.count++;
        return { ...algebra, subject: this.of(algebra.subject), object: this.of(algebra.object) };
      default:
        // However many: such a query is planned by itself.
        this.count += 2;
        return algebra;
    }
  }

  /** A parameter is bound by the row of the run, whether or not a pattern has it. */
  inTemplate(triples: readonly TemplateTriple[]): readonly TemplateTriple[] {
    return triples.map((triple) => ({ ...triple, subject: this.of(triple.subject), object: this.of(triple.object) }));
  }

  private inPattern(pattern: TriplePattern): TriplePattern {
    this.count++;
    const { predicate } = pattern;
    const [subject, object] = [this.of(pattern.subject), this.of(pattern.object)];
    if (subject === pattern.subject && object === pattern.object) return pattern;
    const replaced = { subject, predicate, object };
    this.patterns.push(replaced);
    return replaced;
  }

  /** Leaves patterns of EXISTS as they are. */
  private inExpression(expression: Expression): Expression {
    switch (expression.type) {
      case 'call':
      case 'iriCall':
        return { ...expression, arguments: expression.arguments.map((operand) => this.inExpression(operand)) };
      case 'term': {
        const parameter = this.parameters.get(expression.term);
        if (!parameter) return expression;
        this.found.add(parameter);
        this.hasOperands = true;
        return { type: 'variable', name: parameter.value };
      }
      default:
        return expression;
    }
  }

  private of(term: PatternTerm): PatternTerm {
    if (term.termType === 'Quad' || term.termType === 'TriplePattern') this.isUnsure = true;
    const parameter = this.parameters.get(term);
    if (!parameter) return term;
    this.found.add(parameter);
    return parameter;
  }
}

/** Whether few quads match each pattern of a shared query that has one of the constants. */
export function hasFewMatches({ patterns, given }: SharedQuery, source: QuadSource): boolean {
  const id = (term: PatternTerm) => {
    const constant = term.termType === 'Variable' ? given?.get(term.value) : term;
    if (!constant || constant.termType === 'TriplePattern') return NO_TERM;
    return source.terms.find(constant as RDF.Term) || undefined;
  };
  return patterns.every(({ subject, predicate, object }) => {
    const [s, p, o] = [id(subject), id(predicate), id(object)];
    // A term that the dataset does not have is in no quad.
    if (s === undefined || p === undefined || o === undefined) return true;
    return source.estimate(s, p, o, NO_TERM) <= MAX_MATCHES;
  });
}
