import type * as RDF from '@rdfjs/types';
import { dataFactory } from '../../../src/model/term.ts';
import { XSD } from '../../../src/model/vocabulary.ts';
import type { Expression } from '../../../src/sparql/algebra/algebra.ts';
import {
  type CompileScope,
  compileExpression,
  type EvaluationContext,
  type RowReader,
} from '../../../src/sparql/expressions/compile.ts';
import { blankValue, termOfValue, type Value, valueOfTerm } from '../../../src/sparql/expressions/value.ts';

/**
 * Expressions as tables write them: terms as in SPARQL with the prefix `xsd:`, variables, and calls
 * of anything as `NAME(argument, ...)`, operators and casts too: `+(1, 2.5)`, `NOT IN(?x, 1)`,
 * `xsd:integer("1")`. `ERROR` is a call that always fails.
 */
export function readExpression(text: string): Expression {
  const { expression, rest } = readFrom(text.trim());
  if (rest.trim() !== '') throw new Error(`Left over: ${rest}`);
  return expression;
}

const TERM =
  /^(?:"((?:[^"\\]|\\.)*)"(?:@([A-Za-z0-9-]+?)(?:--(ltr|rtl))?(?![A-Za-z0-9-])|\^\^(?:xsd:(\w+)|<([^>]*)>))?|<([^<>(]*)>|_:(\w+)|(true|false)\b|([+-]?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)(?!\w))/s;
const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', '"': '"', '\\': '\\' };

function readFrom(text: string): { expression: Expression; rest: string } {
  const variable = /^\?(\w+)/.exec(text);
  if (variable) return { expression: { type: 'variable', name: variable[1]! }, rest: text.slice(variable[0].length) };
  const term = TERM.exec(text);
  if (term) return { expression: { type: 'term', term: termOf(term) }, rest: text.slice(term[0].length) };
  if (text.startsWith('ERROR'))
    return { expression: { type: 'iriCall', iri: 'urn:none', distinct: false, arguments: [] }, rest: text.slice(5) };
  const open = text.indexOf('(');
  const name = text.slice(0, open).trim();
  const parts: Expression[] = [];
  let rest = text.slice(open + 1).trimStart();
  while (!rest.startsWith(')')) {
    const part = readFrom(rest);
    parts.push(part.expression);
    rest = part.rest.trimStart();
    if (rest.startsWith(',')) rest = rest.slice(1).trimStart();
    else if (!rest.startsWith(')')) throw new Error(`Expected , or ) at: ${rest}`);
  }
  rest = rest.slice(1);
  if (name.startsWith('xsd:'))
    return { expression: { type: 'iriCall', iri: XSD + name.slice(4), distinct: false, arguments: parts }, rest };
  return { expression: { type: 'call', function: name, arguments: parts }, rest };
}

function termOf([
  ,
  string,
  language,
  direction,
  xsd,
  datatype,
  iri,
  blank,
  boolean,
  number,
]: RegExpExecArray): RDF.Term {
  const typed = (lexical: string, name: string) => dataFactory.literal(lexical, dataFactory.namedNode(XSD + name));
  if (iri !== undefined) return dataFactory.namedNode(iri);
  if (blank !== undefined) return dataFactory.blankNode(blank);
  if (boolean !== undefined) return typed(boolean, 'boolean');
  if (number !== undefined)
    return typed(number, /e/i.test(number) ? 'double' : number.includes('.') ? 'decimal' : 'integer');
  const lexical = string!.replace(/\\(.)/gs, (_, character: string) => ESCAPES[character]!);
  if (language !== undefined)
    return dataFactory.literal(lexical, { language, direction: (direction as 'ltr' | 'rtl' | undefined) ?? '' });
  if (datatype !== undefined) return dataFactory.literal(lexical, dataFactory.namedNode(datatype));
  return xsd === undefined ? dataFactory.literal(lexical) : typed(lexical, xsd);
}

/** The term that a text denotes. */
export function readTerm(text: string): RDF.Term {
  const expression = readExpression(text);
  if (expression.type !== 'term') throw new Error(`No term: ${text}`);
  return expression.term;
}

export function readValue(text: string): Value {
  return valueOfTerm(readTerm(text));
}

/** A term as {@link readExpression} reads it; `error` for undefined. */
export function show(term: RDF.Term | undefined): string {
  if (term === undefined) return 'error';
  switch (term.termType) {
    case 'NamedNode':
      return `<${term.value}>`;
    case 'BlankNode':
      return `_:${term.value}`;
    case 'Quad':
      return `TRIPLE(${show(term.subject)}, ${show(term.predicate)}, ${show(term.object)})`;
    case 'Literal':
      return showLiteral(term);
    default:
      throw new Error(`No value: ${term.termType}`);
  }
}

const BARE: Readonly<Record<string, RegExp>> = {
  boolean: /^(?:true|false)$/,
  integer: /^-?\d+$/,
  decimal: /^-?\d+\.\d+$/,
  double: /^-?\d+(?:\.\d+)?E-?\d+$/,
};

function showLiteral({ value, language, direction, datatype }: RDF.Literal): string {
  const quoted = `"${value.replace(/["\\\n\r\t]/g, (character) => `\\${Object.keys(ESCAPES).find((key) => ESCAPES[key] === character)}`)}"`;
  if (language) return `${quoted}@${language}${direction ? `--${direction}` : ''}`;
  if (datatype.value === `${XSD}string`) return quoted;
  if (!datatype.value.startsWith(XSD)) return `${quoted}^^<${datatype.value}>`;
  const name = datatype.value.slice(XSD.length);
  return BARE[name]?.test(value) ? value : `${quoted}^^xsd:${name}`;
}

/** A row with values in columns; undefined is unbound. */
export class FixedRow implements RowReader {
  private readonly values: readonly (Value | undefined)[];
  constructor(values: readonly (Value | undefined)[]) {
    this.values = values;
  }
  value(column: number): Value | undefined {
    return this.values[column];
  }
  bound(column: number): boolean {
    return this.values[column] !== undefined;
  }
}

export const CONTEXT: EvaluationContext = {
  now: new Date(Date.UTC(2024, 1, 29, 12, 30, 15, 250)),
  baseIri: 'http://example.org/base/',
  random: () => 0.25,
  uuid: () => '123e4567-e89b-42d3-a456-426614174000',
  blankNode: (label) => blankValue(label === undefined ? 'fresh' : `of-${label}`),
};

/** The variables of table rows, in the order of their columns. */
export function scopeOf(variables: readonly string[], context = CONTEXT): CompileScope {
  return {
    column: (variable) => (variables.includes(variable) ? variables.indexOf(variable) : undefined),
    exists: (_pattern, negated) => () => !negated,
    context,
  };
}

/**
 * Evaluates a text, once with its constants folded and once with every constant as the value of a
 * variable, so that the general code runs as well as what is specialised for constants. Both must
 * agree, and so must `evaluate` and `test`.
 */
export function evaluate(text: string, bindings: Readonly<Record<string, string>> = {}): string {
  const expression = readExpression(text);
  const names = Object.keys(bindings);
  const values = names.map((name) => readValue(bindings[name]!));
  const scope = scopeOf(names);
  const folded = compileExpression(expression, scope);
  const row = new FixedRow(values);
  const result = folded.evaluate(row);
  const shown = show(result && termOfValue(result));

  const [lifted, liftedNames, liftedValues] = liftConstants(expression, names, values);
  const general = compileExpression(lifted, scopeOf(liftedNames));
  const liftedRow = new FixedRow(liftedValues);
  const generalResult = general.evaluate(liftedRow);
  const generalShown = show(generalResult && termOfValue(generalResult));
  if (generalShown !== shown) throw new Error(`${text}: folded gives ${shown}, unfolded ${generalShown}`);
  if (folded.test(row) !== general.test(liftedRow)) throw new Error(`${text}: the tests of both forms differ`);
  if (result?.datatype === `${XSD}boolean` && folded.test(row) !== (result.number === 1))
    throw new Error(`${text}: evaluate and test differ`);
  return shown;
}

/** The expression with a variable in place of each constant, and the columns that this takes. */
function liftConstants(
  expression: Expression,
  names: readonly string[],
  values: readonly Value[],
): [Expression, string[], Value[]] {
  const allNames = [...names];
  const allValues = [...values];
  const lift = (node: Expression): Expression => {
    if (node.type === 'term') {
      allNames.push(`constant${allNames.length}`);
      allValues.push(valueOfTerm(node.term));
      return { type: 'variable', name: allNames[allNames.length - 1]! };
    }
    if (node.type === 'call' || node.type === 'iriCall') return { ...node, arguments: node.arguments.map(lift) };
    return node;
  };
  return [lift(expression), allNames, allValues];
}
