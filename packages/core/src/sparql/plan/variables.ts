import type { Algebra, Expression, PatternTerm } from '../algebra/algebra.ts';
import { balanced } from '../algebra/balanced.ts';
import type { Scope } from './scope.ts';

/**
 * Returns the variables that an algebra expression may bind (in scope, SPARQL 1.1 section 18.2.1).
 */
export function variablesOf(algebra: Algebra): ReadonlySet<string> {
  const names = new Set<string>();
  collect(algebra, names);
  return names;
}

function collect(algebra: Algebra, names: Set<string>): void {
  switch (algebra.type) {
    case 'bgp':
      for (const { subject, predicate, object } of algebra.patterns) {
        for (const term of [subject, predicate, object]) collectTerm(term, names);
      }
      return;
    case 'path':
      collectTerm(algebra.subject, names);
      collectTerm(algebra.object, names);
      return;
    case 'join':
    case 'union':
      for (const operand of algebra.operands) collect(operand, names);
      return;
    case 'leftJoin':
      collect(algebra.left, names);
      collect(algebra.right, names);
      return;
    case 'minus':
      collect(algebra.left, names);
      return;
    case 'graph':
    case 'service':
      if (algebra.name.termType === 'Variable') names.add(algebra.name.value);
      collect(algebra.input, names);
      return;
    case 'extend':
      names.add(algebra.variable);
      collect(algebra.input, names);
      return;
    case 'values':
      for (const name of algebra.variables) names.add(name);
      return;
    case 'group':
      for (const { variable } of algebra.keys) names.add(variable);
      for (const { variable } of algebra.aggregates) names.add(variable);
      return;
    case 'project':
      for (const name of algebra.variables) names.add(name);
      return;
    default:
      collect(algebra.input, names);
  }
}

function collectTerm(term: PatternTerm, names: Set<string>): void {
  if (term.termType === 'Variable') {
    names.add(term.value);
  } else if (term.termType === 'TriplePattern') {
    for (const part of [term.subject, term.predicate, term.object]) collectTerm(part, names);
  }
}

/**
 * Returns the variables that an algebra expression binds in every solution, as far as its structure
 * shows.
 */
export function certainVariablesOf(algebra: Algebra): ReadonlySet<string> {
  const names = new Set<string>();
  collectCertain(algebra, names);
  return names;
}

/**
 * Collects into one set across levels, so that deep nesting does not copy sets from level to level.
 */
function collectCertain(algebra: Algebra, names: Set<string>): void {
  switch (algebra.type) {
    case 'bgp':
    case 'path':
      collect(algebra, names);
      return;
    case 'join':
      for (const operand of algebra.operands) collectCertain(operand, names);
      return;
    case 'union': {
      const [first, ...rest] = algebra.operands.map(certainVariablesOf);
      for (const name of first) if (rest.every((others) => others.has(name))) names.add(name);
      return;
    }
    case 'values':
      algebra.variables.forEach((name, column) => {
        if (algebra.rows.every((row) => row[column] !== undefined)) names.add(name);
      });
      return;
    case 'graph':
      if (algebra.name.termType === 'Variable') names.add(algebra.name.value);
      collectCertain(algebra.input, names);
      return;
    case 'leftJoin':
    case 'minus':
      collectCertain(algebra.left, names);
      return;
    case 'filter':
    case 'extend':
    case 'distinct':
    case 'reduced':
    case 'orderBy':
    case 'slice':
      collectCertain(algebra.input, names);
      return;
    case 'project': {
      const inner = certainVariablesOf(algebra.input);
      for (const name of algebra.variables) if (inner.has(name)) names.add(name);
      return;
    }
  }
}

/** Returns the variables mentioned in an expression, including those of EXISTS patterns. */
export function expressionVariables(expression: Expression): ReadonlySet<string> {
  const names = new Set<string>();
  const visit = (one: Expression): void => {
    switch (one.type) {
      case 'variable':
        names.add(one.name);
        return;
      case 'call':
      case 'iriCall':
        for (const argument of one.arguments) visit(argument);
        return;
      case 'exists':
        collect(one.pattern, names);
        return;
    }
  };
  visit(expression);
  return names;
}

/**
 * Whether an expression names none of the variables. One with an EXISTS may: its pattern sees those
 * of the rows.
 */
export function isWithout(expression: Expression, names: Pick<ReadonlySet<string>, 'has'>): boolean {
  if (mentionsExists(expression)) return false;
  for (const name of expressionVariables(expression)) if (names.has(name)) return false;
  return true;
}

/** Whether an expression mentions a variable or an EXISTS. */
export function mentionsVariable(expression: Expression): boolean {
  if (expression.type === 'variable' || expression.type === 'exists') return true;
  return (expression.type === 'call' || expression.type === 'iriCall') && expression.arguments.some(mentionsVariable);
}

/** Returns the slots of the variables in an expression without EXISTS, with duplicates. */
export function mentionedSlots(expression: Expression, scope: Scope, slots: number[] = []): number[] {
  if (expression.type === 'variable') {
    const slot = scope.find(expression.name);
    if (slot !== undefined) slots.push(slot);
  } else if (expression.type === 'call' || expression.type === 'iriCall') {
    for (const argument of expression.arguments) mentionedSlots(argument, scope, slots);
  }
  return slots;
}

/** Splits a condition into the parts that must all be true. */
export function conjuncts(condition: Expression): readonly Expression[] {
  return operandsOf('&&', condition);
}

/** Flattens nested operands of an associative operator. */
function operandsOf(operator: '&&' | '||', expression: Expression): readonly Expression[] {
  const operands: Expression[] = [];
  const visit = (one: Expression): void => {
    if (one.type === 'call' && one.function === operator) for (const argument of one.arguments) visit(argument);
    else operands.push(one);
  };
  visit(expression);
  return operands;
}

/** Whether EXISTS occurs anywhere in an expression. */
export function mentionsExists(expression: Expression): boolean {
  if (expression.type === 'exists') return true;
  return (expression.type === 'call' || expression.type === 'iriCall') && expression.arguments.some(mentionsExists);
}

/**
 * Returns each EXISTS of an expression in textual order, without those nested in EXISTS patterns.
 */
export function everyExists(expression: Expression): readonly (Expression & { readonly type: 'exists' })[] {
  const found: (Expression & { readonly type: 'exists' })[] = [];
  const visit = (one: Expression): void => {
    if (one.type === 'exists') found.push(one);
    else if (one.type === 'call' || one.type === 'iriCall') for (const argument of one.arguments) visit(argument);
  };
  visit(expression);
  return found;
}

/** Returns the expression with each EXISTS replaced. */
export function replaceExists(
  expression: Expression,
  replace: (exists: Expression & { readonly type: 'exists' }) => Expression,
): Expression {
  switch (expression.type) {
    case 'exists':
      return replace(expression);
    case 'call':
    case 'iriCall':
      if (!mentionsExists(expression)) return expression;
      return { ...expression, arguments: expression.arguments.map((argument) => replaceExists(argument, replace)) };
    default:
      return expression;
  }
}

/** Returns an expression without EXISTS in which variables are replaced by other expressions. */
export function replaceVariables(expression: Expression, others: ReadonlyMap<string, Expression>): Expression {
  switch (expression.type) {
    case 'variable':
      return others.get(expression.name) ?? expression;
    case 'call':
    case 'iriCall':
      return { ...expression, arguments: expression.arguments.map((part) => replaceVariables(part, others)) };
    default:
      return expression;
  }
}

/**
 * Returns the disjuncts without EXISTS, which can decide `a || EXISTS {...}` on their own;
 * undefined if there are none.
 */
export function decidedWithoutExists(expression: Expression): Expression | undefined {
  if (expression.type !== 'call' || expression.function !== '||') return undefined;
  const parts = disjuncts(expression).filter((part) => !mentionsExists(part) && isDeterministic(part));
  return parts.length > 0 ? balanced('||', parts) : undefined;
}

/** Functions that may return different results for the same arguments. */
const CHANGING: ReadonlySet<string> = new Set(['RAND', 'UUID', 'STRUUID', 'BNODE']);

/** Whether an expression always has the same result for the same row. */
export function isDeterministic(expression: Expression): boolean {
  if (expression.type === 'call' && CHANGING.has(expression.function)) return false;
  return (expression.type !== 'call' && expression.type !== 'iriCall') || expression.arguments.every(isDeterministic);
}

/** Splits a condition into the alternatives of which one must be true. */
export function disjuncts(expression: Expression): readonly Expression[] {
  return operandsOf('||', expression);
}
