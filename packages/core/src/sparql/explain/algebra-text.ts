import type { Aggregate, Algebra, Expression, OrderCondition } from '../algebra/algebra.ts';
import { pathText, termText, tripleText, variableText } from './pattern-text.ts';

/** An algebra node as one line of text, with its inputs. */
interface Outline {
  readonly line: string;
  readonly inputs: readonly Algebra[];
}

/**
 * Formats the algebra of a query (SPARQL 1.1 section 18.2), one operation per line, indented by
 * depth.
 */
export function algebraText(algebra: Algebra): string {
  const lines: string[] = [];
  const add = (one: Algebra, depth: number): void => {
    const { line, inputs } = outlineOf(one);
    lines.push('  '.repeat(depth) + line);
    for (const input of inputs) add(input, depth + 1);
  };
  add(algebra, 0);
  return lines.join('\n');
}

/** Formats algebra on one line. */
export function algebraLine(algebra: Algebra): string {
  const { line, inputs } = outlineOf(algebra);
  return inputs.length === 0 ? line : `${line} (${inputs.map(algebraLine).join(', ')})`;
}

function outlineOf(algebra: Algebra): Outline {
  switch (algebra.type) {
    case 'bgp':
      return { line: ['bgp', algebra.patterns.map(tripleText).join(' . ')].join(' ').trimEnd(), inputs: [] };
    case 'path':
      return {
        line: `path ${termText(algebra.subject)} ${pathText(algebra.path)} ${termText(algebra.object)}`,
        inputs: [],
      };
    case 'join':
    case 'union':
      return { line: algebra.type, inputs: algebra.operands };
    case 'leftJoin': {
      const condition = algebra.condition ? ` if ${expressionText(algebra.condition)}` : '';
      return { line: `left join${condition}`, inputs: [algebra.left, algebra.right] };
    }
    case 'minus':
      return { line: 'minus', inputs: [algebra.left, algebra.right] };
    case 'filter':
      return { line: `filter ${expressionText(algebra.condition)}`, inputs: [algebra.input] };
    case 'graph':
      return { line: `graph ${termText(algebra.name)}`, inputs: [algebra.input] };
    case 'service':
      return { line: `service${algebra.silent ? ' silent' : ''} ${termText(algebra.name)}`, inputs: [algebra.input] };
    case 'extend':
      return { line: `extend ${namedText(algebra.variable, algebra.expression)}`, inputs: [algebra.input] };
    case 'values':
      return { line: valuesText(algebra), inputs: [] };
    case 'group':
      return { line: groupText(algebra), inputs: [algebra.input] };
    case 'orderBy':
      return { line: `order by ${algebra.conditions.map(orderText).join(', ')}`, inputs: [algebra.input] };
    case 'project':
      return { line: ['project', ...algebra.variables.map(variableText)].join(' '), inputs: [algebra.input] };
    case 'distinct':
    case 'reduced':
      return { line: algebra.type, inputs: [algebra.input] };
    case 'slice':
      return { line: sliceText(algebra.offset, algebra.limit), inputs: [algebra.input] };
  }
}

function valuesText({ variables, rows }: Algebra & { readonly type: 'values' }): string {
  const row = (terms: (typeof rows)[number]) => `(${terms.map((term) => (term ? termText(term) : 'UNDEF')).join(' ')})`;
  return `values (${variables.map(variableText).join(' ')}) ${rows.map(row).join(' ')}`.trimEnd();
}

function groupText({ keys, aggregates }: Algebra & { readonly type: 'group' }): string {
  const computed = aggregates.map(
    ({ variable, aggregate }) => `${aggregateText(aggregate)} AS ${variableText(variable)}`,
  );
  const by = keys.map(({ variable, expression }) => namedText(variable, expression));
  return ['group', ...(by.length > 0 ? [`by ${by.join(', ')}`] : []), computed.join(', ')].join(' ').trimEnd();
}

export function sliceText(offset: number, limit: number | undefined): string {
  const parts = [...(offset > 0 ? [`offset ${offset}`] : []), ...(limit === undefined ? [] : [`limit ${limit}`])];
  return ['slice', ...parts].join(' ');
}

const INFIX = new Set(['||', '&&', '=', '!=', '<', '>', '<=', '>=', '+', '-', '*', '/']);
const PREFIX = new Map([
  ['!', '!'],
  ['unary-', '-'],
  ['unary+', '+'],
]);

/** Formats an expression in SPARQL syntax, with every nested operation in brackets. */
export function expressionText(expression: Expression): string {
  switch (expression.type) {
    case 'variable':
      return variableText(expression.name);
    case 'term':
      return termText(expression.term);
    case 'call':
      return callText(expression);
    case 'iriCall':
      return `<${expression.iri}>(${expression.distinct ? 'DISTINCT ' : ''}${listText(expression.arguments)})`;
    case 'exists':
      return `${expression.negated ? 'NOT EXISTS' : 'EXISTS'} { ${algebraLine(expression.pattern)} }`;
  }
}

function callText(call: Expression & { readonly type: 'call' }): string {
  const { function: name, arguments: parts } = call;
  if (name === '||' || name === '&&') return parts.map((part) => connectedText(part, name)).join(` ${name} `);
  if (INFIX.has(name) && parts.length === 2) return `${operandText(parts[0])} ${name} ${operandText(parts[1])}`;
  const prefix = PREFIX.get(name);
  if (prefix !== undefined && parts.length === 1) return prefix + operandText(parts[0]);
  if (name === 'IN' || name === 'NOT IN') return `${operandText(parts[0])} ${name} (${listText(parts.slice(1))})`;
  return `${name}(${listText(parts)})`;
}

/** Chains of one connective are balanced trees; the grouping does not matter. */
function connectedText(part: Expression, connective: string): string {
  return part.type === 'call' && part.function === connective ? callText(part) : operandText(part);
}

function operandText(expression: Expression): string {
  const isOperation =
    expression.type === 'call' && (INFIX.has(expression.function) || /^(NOT )?IN$/.test(expression.function));
  return isOperation ? `(${expressionText(expression)})` : expressionText(expression);
}

function listText(parts: readonly Expression[]): string {
  return parts.map(expressionText).join(', ');
}

export function aggregateText({ function: name, distinct, argument, separator }: Aggregate): string {
  const what = argument ? expressionText(argument) : '*';
  const end = separator === undefined ? '' : `; SEPARATOR = ${JSON.stringify(separator)}`;
  return `${name}(${distinct ? 'DISTINCT ' : ''}${what}${end})`;
}

export function orderText({ expression, descending }: OrderCondition): string {
  return descending ? `DESC(${expressionText(expression)})` : expressionText(expression);
}

/** Returns `expression AS ?variable`, or just the variable if it stands for itself. */
export function namedText(variable: string, expression: Expression): string {
  const text = expressionText(expression);
  return text === variableText(variable) ? text : `${text} AS ${variableText(variable)}`;
}
