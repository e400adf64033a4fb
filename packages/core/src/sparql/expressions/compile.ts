import { WorldsError } from '../../model/worlds-error.ts';
import type { Expression } from '../algebra/algebra.ts';
import type { CompiledExpression, CompileScope, EvaluationContext, RowReader } from './compiled-expression.ts';
import type { FunctionRow } from './function-row.ts';
import { FUNCTIONS, IRI_FUNCTIONS } from './function-table.ts';
import { constantOperand, Operand, variableOperand } from './operand.ts';
import { variablesOfPattern } from './pattern-variables.ts';
import { booleanValue, valueOfTerm } from './value.ts';

export type { CompiledExpression, CompileScope, EvaluationContext, RowReader };

/**
 * Maximum nesting depth of calls, because evaluation recurses. Chains of `||` and `&&` are
 * flattened and do not count.
 */
const MAX_DEPTH = 1000;

/**
 * Compiles an expression to closures. Constant parts are evaluated here; errors in them become
 * constants, too.
 *
 * Throws INVALID_SPARQL for an unknown built-in or a wrong number of arguments, and LIMIT_EXCEEDED
 * if calls nest too deep or a constant regular expression is too large. An unknown function IRI
 * does not throw: calling it is an evaluation error (section 17.6).
 */
export function compileExpression(expression: Expression, scope: CompileScope): CompiledExpression {
  return compile(expression, scope, 0);
}

function compile(expression: Expression, scope: CompileScope, depth: number): Operand {
  if (depth > MAX_DEPTH)
    throw new WorldsError(
      'LIMIT_EXCEEDED',
      `An expression nests more than ${MAX_DEPTH} calls. Compute a part of it with BIND, or write a list with IN.`,
    );
  switch (expression.type) {
    case 'variable':
      return variableOperand(expression.name, scope.column(expression.name), scope.context.calls);
    case 'term':
      return constantOperand(valueOfTerm(expression.term));
    case 'call': {
      const row = FUNCTIONS.get(expression.function);
      if (row === undefined)
        throw new WorldsError('INVALID_SPARQL', `There is no function ${expression.function} in SPARQL.`);
      const parts = operandsOf(expression).map((part) => compile(part, scope, depth + 1));
      checkCount(expression.function, row, parts.length);
      return compileCall(row, parts, scope.context);
    }
    case 'iriCall': {
      const parts = expression.arguments.map((part) => compile(part, scope, depth + 1));
      const row = IRI_FUNCTIONS.get(expression.iri);
      if (row === undefined || parts.length < row.minArguments || parts.length > row.maxArguments)
        return constantOperand(undefined, parts);
      return compileCall(row, parts, scope.context);
    }
    case 'exists': {
      const test = scope.exists(expression.pattern, expression.negated);
      return new Operand((row) => booleanValue(test(row)), test, variablesOfPattern(expression.pattern), false);
    }
  }
}

/**
 * Compiles a call. With constant arguments it is evaluated here, until the results of
 * such calls are long together: the others are evaluated with the rows, where they can pause.
 */
function compileCall(row: FunctionRow, parts: readonly Operand[], context: EvaluationContext): Operand {
  const { calls } = context;
  if (calls === undefined || parts.length === 0 || !parts.every((part) => part.constant !== undefined)) {
    return row.compile(parts, context);
  }
  if (!calls.mayFold) return row.compile(parts.map(notConstant), context);
  const operand = row.compile(parts, context);
  calls.folds(operand.constant?.value);
  return operand;
}

function notConstant(part: Operand): Operand {
  return new Operand(part.evaluate, part.test, [part], part.deterministic);
}

/** Flattens a chain of one connective that the parser nested to the left. */
function operandsOf(call: Expression & { readonly type: 'call' }): readonly Expression[] {
  if ((call.function !== '||' && call.function !== '&&') || call.arguments.length < 2) return call.arguments;
  const reversed: Expression[] = [];
  let rest: Expression = call;
  while (rest.type === 'call' && rest.function === call.function && rest.arguments.length >= 2) {
    for (let i = rest.arguments.length - 1; i > 0; i--) reversed.push(rest.arguments[i]);
    rest = rest.arguments[0];
  }
  reversed.push(rest);
  return reversed.reverse();
}

function checkCount(name: string, { minArguments, maxArguments }: FunctionRow, count: number): void {
  if (count >= minArguments && count <= maxArguments) return;
  const wanted =
    minArguments === maxArguments
      ? `${minArguments}`
      : maxArguments === Number.POSITIVE_INFINITY
        ? `at least ${minArguments}`
        : `${minArguments} to ${maxArguments}`;
  throw new WorldsError('INVALID_SPARQL', `${name} takes ${wanted} arguments, but the query gives it ${count}.`);
}
