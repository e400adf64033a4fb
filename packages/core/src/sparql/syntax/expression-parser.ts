import type * as RDF from '@rdfjs/types';
import { dataFactory } from '../../model/term.ts';
import type { AggregateScope } from '../algebra/aggregate-scope.ts';
import type { Aggregate, AggregateFunction, Algebra, Expression } from '../algebra/algebra.ts';
import { balanced } from '../algebra/balanced.ts';
import { AGGREGATE_FUNCTIONS, BUILT_IN_FUNCTIONS } from './built-in-functions.ts';
import { TriplesParser } from './triples-parser.ts';

/** Operator precedence, from loose to tight (rules 111 to 117). */
const OR = 1;
const AND = 2;
const COMPARE = 3;
const ADD = 4;
const MULTIPLY = 5;

const EXPRESSION = 'an expression';

const call = (name: string, args: readonly Expression[]): Expression => ({
  type: 'call',
  function: name,
  arguments: args,
});
const constant = (term: RDF.Term): Expression => ({ type: 'term', term });

/**
 * Parses expressions (rules 107 to 128) directly into the algebra. Aggregates become variables of
 * the current {@link AggregateScope}.
 */
export abstract class ExpressionParser extends TriplesParser {
  /** Undefined where aggregates are not allowed. */
  protected aggregateScope: AggregateScope | undefined;
  private insideAggregate = false;
  private isInFilter = false;
  private aggregateCount = 0;

  /** GroupGraphPattern (rule 53), the pattern of EXISTS. */
  protected abstract existsPattern(): Algebra;

  /** Expression (rule 110), restricted to operators with at least the precedence `minimum`. */
  protected expression(minimum = OR): Expression {
    let left = this.unary();
    const depth = this.depthMark();
    /** Comparisons do not chain: "a = b = c" is not an expression. */
    let maximum = MULTIPLY;
    for (;;) {
      // "?a<<urn:b>" is a comparison with an IRI.
      if (this.at('<<') || this.at('<<(')) this.splitLess();
      const operator = this.token;
      const level = this.operatorLevel();
      if (level < minimum || level > maximum) break;
      if (level === OR || level === AND) {
        const operands = [left];
        while (this.accept(operator)) operands.push(this.expression(level + 1));
        left = balanced(operator as '||' | '&&', operands);
        maximum = level;
        continue;
      }
      this.descend();
      if (level === COMPARE) {
        left = this.comparison(left, operator);
        maximum = AND;
      } else if (this.atSignedNumber()) left = this.signedTerm(left);
      else {
        this.next();
        left = call(operator, [left, level === ADD ? this.expression(MULTIPLY) : this.unary()]);
      }
    }
    this.ascend(depth);
    return left;
  }

  /** Returns the precedence of the current token as an operator, or 0 if it is not one. */
  private operatorLevel(): number {
    switch (this.token) {
      case '||':
        return OR;
      case '&&':
        return AND;
      case '=':
      case '!=':
      case '<':
      case '>':
      case '<=':
      case '>=':
      case 'IN':
      case 'NOT':
        return COMPARE;
      case '+':
      case '-':
        return ADD;
      case '*':
      case '/':
        return MULTIPLY;
      default:
        return this.atSignedNumber() ? ADD : 0;
    }
  }

  private comparison(left: Expression, operator: string): Expression {
    this.next();
    if (operator === 'NOT') this.expect('IN', 'IN after NOT');
    if (operator !== 'NOT' && operator !== 'IN') return call(operator, [left, this.expression(ADD)]);
    if (!this.at('(')) this.failExpected('a list of expressions in brackets after IN');
    const list = [left];
    this.argumentList(list);
    return call(operator === 'NOT' ? 'NOT IN' : 'IN', list);
  }

  /**
   * "?x -1 * 2": the sign of the number acts as an operator, and the number takes the factors after
   * it (rule 116).
   */
  private signedTerm(left: Expression): Expression {
    const operator = this.text[this.start];
    let right = constant(this.unsignedNumber());
    const depth = this.depthMark();
    while (this.at('*') || this.at('/')) {
      const factor = this.token;
      this.descend();
      this.next();
      right = call(factor, [right, this.unary()]);
    }
    this.ascend(depth);
    return call(operator, [left, right]);
  }

  /** UnaryExpression (rule 118; `!` may be repeated, as in SPARQL 1.2). */
  private unary(): Expression {
    switch (this.token) {
      case '!': {
        const depth = this.descend();
        this.next();
        const operand = this.unary();
        this.ascend(depth);
        return call('!', [operand]);
      }
      case '+':
      case '-': {
        const operator = this.at('-') ? 'unary-' : 'unary+';
        this.next();
        return call(operator, [this.primary()]);
      }
      default:
        return this.primary();
    }
  }

  /** PrimaryExpression (rule 119). */
  private primary(): Expression {
    this.countExpression();
    switch (this.token) {
      case '(':
        return this.bracketed();
      case '<variable>':
        return this.variableExpression();
      case '<iri>':
      case '<name>': {
        const { start } = this;
        const iri = this.iri();
        return this.at('(') ? this.iriCall(iri) : this.operand(iri, start);
      }
      case '<<(':
        return this.tripleExpression();
      default:
        return this.atLiteral() ? this.literalOperand() : this.builtInCall(EXPRESSION);
    }
  }

  private literalOperand(): Expression {
    const { start } = this;
    return this.operand(this.literal(), start);
  }

  private operand(term: RDF.NamedNode | RDF.Literal, start: number): Expression {
    return constant(this.isInFilter ? this.placedOperand(term, start) : term);
  }

  /** BrackettedExpression (rule 120). The current token must be its opening bracket. */
  protected bracketed(): Expression {
    const depth = this.descend();
    this.next();
    const expression = this.expression();
    this.expect(')', 'an operator or ")"');
    this.ascend(depth);
    return expression;
  }

  /** Constraint (rule 69). */
  protected constraint(what: string): Expression {
    this.countExpression();
    if (this.at('(')) return this.bracketed();
    if (!this.atIri()) return this.builtInCall(what);
    const iri = this.iri();
    if (!this.at('(')) this.failExpected(`the arguments of <${iri.value}> in brackets`);
    return this.iriCall(iri);
  }

  /** The Constraint of a FILTER (rule 68); remembers where its constants are. */
  protected filterConstraint(what: string): Expression {
    const { isInFilter } = this;
    this.isInFilter = true;
    const condition = this.constraint(what);
    this.isInFilter = isInFilter;
    return condition;
  }

  /** Whether a Constraint starts at the current token. */
  protected atConstraint(): boolean {
    return (
      this.at('(') ||
      this.atIri() ||
      BUILT_IN_FUNCTIONS.has(this.token) ||
      AGGREGATE_FUNCTIONS.has(this.token) ||
      this.at('EXISTS') ||
      this.at('NOT')
    );
  }

  protected variableExpression(): Expression {
    const { start } = this;
    const { value: name } = this.variable();
    if (this.aggregateScope && !this.insideAggregate) this.aggregateScope.uses.push({ name, offset: start });
    return { type: 'variable', name };
  }

  /** FunctionCall (rule 70), starting at its bracket. */
  private iriCall(iri: RDF.NamedNode): Expression {
    const args: Expression[] = [];
    const distinct = this.argumentList(args, true);
    return { type: 'iriCall', iri: iri.value, distinct, arguments: args };
  }

  /**
   * ArgList and ExpressionList (rules 71, 72). Appends to `list` and returns whether they start
   * with DISTINCT.
   */
  private argumentList(list: Expression[], mayBeDistinct = false): boolean {
    const depth = this.descend();
    this.expect('(');
    let distinct = false;
    if (!this.accept(')')) {
      distinct = mayBeDistinct && this.accept('DISTINCT');
      do list.push(this.expression());
      while (this.accept(','));
      this.expect(')', 'an operator, "," or ")"');
    }
    this.ascend(depth);
    return distinct;
  }

  /** BuiltInCall (rule 121). */
  protected builtInCall(what: string): Expression {
    const { token, start } = this;
    if (token === 'EXISTS') return this.exists(false);
    if (token === 'NOT') {
      this.next();
      if (!this.at('EXISTS')) this.failExpected('EXISTS after NOT');
      return this.exists(true);
    }
    if (AGGREGATE_FUNCTIONS.has(token)) return this.aggregate(token as AggregateFunction);
    const builtIn = BUILT_IN_FUNCTIONS.get(token);
    if (!builtIn) this.failExpected(what);
    this.next();
    if (!this.at('(')) this.failExpected(`the arguments of ${token} in brackets`);
    const args: Expression[] = [];
    const { name, minArguments, maxArguments } = builtIn;
    if (name === 'BOUND') {
      this.next();
      args.push({ type: 'variable', name: this.boundVariable() });
      this.expect(')', '")" after the variable of BOUND');
    } else this.argumentList(args);
    if (args.length < minArguments || args.length > maxArguments) {
      const range = minArguments === maxArguments ? `${minArguments}` : `${minArguments} or ${maxArguments}`;
      this.fail(`${token} takes ${range} argument${range === '1' ? '' : 's'}, but has ${args.length}`, start);
    }
    return call(name, args);
  }

  private boundVariable(): string {
    if (!this.at('<variable>')) this.failExpected('a variable as the argument of BOUND');
    const expression = this.variableExpression();
    return (expression as Extract<Expression, { type: 'variable' }>).name;
  }

  /**
   * ExistsFunc and NotExistsFunc (rules 125, 126). Aggregates and groups of the outer query do not
   * apply inside.
   */
  private exists(negated: boolean): Expression {
    this.next();
    const { aggregateScope, insideAggregate } = this;
    this.aggregateScope = undefined;
    this.insideAggregate = false;
    const pattern = this.existsPattern();
    this.aggregateScope = aggregateScope;
    this.insideAggregate = insideAggregate;
    return { type: 'exists', negated, pattern };
  }

  /** Aggregate (rule 127). */
  private aggregate(name: AggregateFunction): Expression {
    const scope = this.aggregateScope;
    if (this.insideAggregate) this.fail(`${name} cannot be nested in another aggregate`);
    if (!scope) this.fail(`${name} is not allowed here: aggregates belong in SELECT, HAVING and ORDER BY`);
    this.next();
    if (!this.at('(')) this.failExpected(`the argument of ${name} in brackets`);
    const depth = this.descend();
    this.next();
    this.insideAggregate = true;
    const distinct = this.accept('DISTINCT');
    const argument = name === 'COUNT' && this.accept('*') ? undefined : this.expression();
    this.insideAggregate = false;
    const separator = name === 'GROUP_CONCAT' ? this.separator() : undefined;
    this.expect(')', `")" after the argument of ${name}`);
    this.ascend(depth);
    return { type: 'variable', name: this.aggregateVariable(scope, { function: name, distinct, argument, separator }) };
  }

  /**
   * Returns the variable that holds the value of an aggregate. Equal aggregates of a variable share
   * one, however often the query repeats them.
   */
  protected aggregateVariable(scope: AggregateScope, aggregate: Aggregate): string {
    const { argument, distinct, separator } = aggregate;
    const repeats = !argument || argument.type === 'variable';
    const key = `${aggregate.function} ${distinct} ${argument?.type === 'variable' ? argument.name : '*'} ${separator}`;
    const known = repeats ? scope.names?.get(key) : undefined;
    if (known !== undefined) return known;
    const variable = `.agg${this.aggregateCount++}`;
    scope.aggregates.push({ variable, aggregate });
    if (repeats) (scope.names ??= new Map()).set(key, variable);
    return variable;
  }

  private separator(): string {
    if (!this.accept(';')) return ' ';
    this.expect('SEPARATOR', 'SEPARATOR after ";"');
    this.expect('=');
    const { value } = this;
    this.expect('<string>', 'a string as the separator');
    return value;
  }

  /**
   * ExprTripleTerm (SPARQL 1.2 rule 137): returns the term, or a call of TRIPLE if it contains
   * variables.
   */
  private tripleExpression(): Expression {
    const depth = this.descend();
    this.next();
    const subject = this.tripleOperand('an IRI or a variable', false);
    const predicate = this.at('a')
      ? constant(this.typeKeyword())
      : this.tripleOperand('an IRI, a variable or "a"', false);
    const object = this.tripleOperand('an IRI, a variable, a literal or "<<("', true);
    this.expect(')>>');
    this.ascend(depth);
    if (subject.type !== 'term' || predicate.type !== 'term' || object.type !== 'term')
      return call('TRIPLE', [subject, predicate, object]);
    return constant(
      dataFactory.quad(
        subject.term as RDF.Quad_Subject,
        predicate.term as RDF.Quad_Predicate,
        object.term as RDF.Quad_Object,
      ) as RDF.Term,
    );
  }

  private tripleOperand(what: string, isObject: boolean): Expression {
    if (this.at('<variable>')) return this.variableExpression();
    if (isObject && this.at('<<(')) return this.tripleExpression();
    if (isObject && this.atLiteral()) return constant(this.literal());
    return constant(this.iri(what));
  }
}
