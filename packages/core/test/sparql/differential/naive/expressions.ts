import type * as RDF from '@rdfjs/types';
import { dataFactory } from '../../../../src/index.ts';
import type { Aggregate, Algebra, Expression } from '../../../../src/sparql/algebra/algebra.ts';
import type { FunctionContext } from './functions.ts';
import { boolean, isSimple, XSD } from './meaning.ts';
import type { Semantics } from './semantics.ts';

type Solution = ReadonlyMap<string, RDF.Term>;

export interface ExpressionContext extends FunctionContext {
  readonly semantics: Semantics;
  /** Whether a pattern has a solution with the bindings of this one. */
  exists(pattern: Algebra, solution: Solution): boolean;
  /** A new label, or the one of this label and solution. */
  blankNode(label: string | undefined, solution: Solution): string;
  /** Told `function` and the {@link nameOfFunction} of each call that gave a value. */
  gave(name: string): void;
}

/**
 * The value of an expression for one solution, read from section 17 term by term; undefined is an
 * error.
 */
export function evaluate(expression: Expression, solution: Solution, context: ExpressionContext): RDF.Term | undefined {
  const again = (one: Expression) => evaluate(one, solution, context);
  const { semantics } = context;
  const counted = (value: RDF.Term | undefined) => {
    if (value) context.gave(`function ${nameOfFunction(expression)}`);
    return value && semantics.spell(value);
  };
  switch (expression.type) {
    case 'variable':
      return solution.get(expression.name);
    case 'term':
      return semantics.constant?.(expression.term) ?? expression.term;
    case 'exists':
      return counted(boolean(context.exists(expression.pattern, solution) !== expression.negated));
    case 'iriCall': {
      const [argument] = expression.arguments.map(again);
      return counted(argument && semantics.cast(expression.iri, argument));
    }
    case 'call': {
      const { function: name, arguments: args } = expression;
      const apply = semantics.call(name);
      if (!apply) return counted(form(name, args, solution, context));
      const values = args.map(again);
      return counted(isComplete(values) ? apply(values, context) : undefined);
    }
  }
}

/** What calls are counted by: `STRLEN`, `xsd:integer`, `NOT EXISTS`. */
export function nameOfFunction(
  call:
    | { type: 'call'; function: string }
    | { type: 'iriCall'; iri: string }
    | { type: 'exists'; negated: boolean }
    | Expression,
): string {
  switch (call.type) {
    case 'call':
      return call.function;
    case 'iriCall':
      return call.iri.replace(XSD, 'xsd:');
    case 'exists':
      return call.negated ? 'NOT EXISTS' : 'EXISTS';
    default:
      throw new Error(`A ${call.type} is no call.`);
  }
}

/** `COUNT`, `COUNT *`, `SUM DISTINCT`. */
export function nameOfAggregate({ function: name, distinct, argument }: Aggregate): string {
  return `${name}${distinct ? ' DISTINCT' : ''}${argument ? '' : ' *'}`;
}

const isComplete = (values: readonly (RDF.Term | undefined)[]): values is readonly RDF.Term[] =>
  values.every((value) => value !== undefined);

/** What is no function in the strict sense (section 17.4.1), and BNODE. */
function form(
  name: string,
  args: readonly Expression[],
  solution: Solution,
  context: ExpressionContext,
): RDF.Term | undefined {
  const again = (one: Expression) => evaluate(one, solution, context);
  const truth = (one: Expression) => context.semantics.truth(again(one));
  switch (name) {
    // The table of section 17.2.
    case '||':
    case '&&': {
      const decisive = name === '||';
      const truths = args.map(truth);
      if (truths.includes(decisive)) return boolean(decisive);
      return truths.includes(undefined) ? undefined : boolean(!decisive);
    }
    case '!': {
      const value = truth(args[0]);
      return value === undefined ? undefined : boolean(!value);
    }
    case 'BOUND':
      return boolean(again(args[0]) !== undefined);
    case 'IF': {
      const value = truth(args[0]);
      return value === undefined ? undefined : again(args[value ? 1 : 2]);
    }
    case 'COALESCE':
      for (const one of args) {
        const value = again(one);
        if (value) return value;
      }
      return undefined;
    // Sections 17.4.1.9 and 17.4.1.10: a chain of = with ||.
    case 'IN':
    case 'NOT IN': {
      const [tested, ...list] = args.map(again);
      const equal = context.semantics.call('=')!;
      const truths = list.map((one) => context.semantics.truth(tested && one && equal([tested, one], context)));
      if (!tested) return undefined;
      if (truths.includes(true)) return boolean(name === 'IN');
      return truths.includes(undefined) ? undefined : boolean(name === 'NOT IN');
    }
    case 'BNODE': {
      const label = args.length > 0 ? again(args[0]) : undefined;
      if (args.length > 0 && !(label && isSimple(label))) return undefined;
      return dataFactory.blankNode(context.blankNode(label?.value, solution));
    }
    default:
      throw new Error(`The naive evaluator has no function ${name}.`);
  }
}
