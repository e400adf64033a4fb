import { describe, expect, it } from 'vitest';
import { dataFactory } from '../../../src/model/term.ts';
import { WorldsError } from '../../../src/model/worlds-error.ts';
import type { Algebra, Expression } from '../../../src/sparql/algebra/algebra.ts';
import { type CompileScope, compileExpression } from '../../../src/sparql/expressions/compile.ts';
import { FUNCTIONS } from '../../../src/sparql/expressions/function-table.ts';
import { CONTEXT, FixedRow, readExpression, readValue, scopeOf, show } from './expression-text.ts';

function codeOf(run: () => unknown): string | undefined {
  try {
    run();
    return undefined;
  } catch (error) {
    if (error instanceof WorldsError) return error.code;
    throw error;
  }
}

const compileText = (text: string, scope: CompileScope = scopeOf(['x', 'y'])) =>
  compileExpression(readExpression(text), scope);

/**
 * The built-ins of SPARQL 1.1 (grammar production 121), those of SPARQL 1.2, and the operators,
 * each with its numbers of arguments.
 */
const ARITIES: Readonly<Record<string, readonly [least: number, most: number]>> = {
  '||': [2, Infinity],
  '&&': [2, Infinity],
  '!': [1, 1],
  '=': [2, 2],
  '!=': [2, 2],
  '<': [2, 2],
  '>': [2, 2],
  '<=': [2, 2],
  '>=': [2, 2],
  '+': [2, 2],
  '-': [2, 2],
  '*': [2, 2],
  '/': [2, 2],
  'unary-': [1, 1],
  'unary+': [1, 1],
  IN: [1, Infinity],
  'NOT IN': [1, Infinity],
  STR: [1, 1],
  LANG: [1, 1],
  LANGMATCHES: [2, 2],
  DATATYPE: [1, 1],
  BOUND: [1, 1],
  IRI: [1, 1],
  URI: [1, 1],
  BNODE: [0, 1],
  RAND: [0, 0],
  ABS: [1, 1],
  CEIL: [1, 1],
  FLOOR: [1, 1],
  ROUND: [1, 1],
  CONCAT: [0, Infinity],
  STRLEN: [1, 1],
  UCASE: [1, 1],
  LCASE: [1, 1],
  ENCODE_FOR_URI: [1, 1],
  CONTAINS: [2, 2],
  STRSTARTS: [2, 2],
  STRENDS: [2, 2],
  STRBEFORE: [2, 2],
  STRAFTER: [2, 2],
  YEAR: [1, 1],
  MONTH: [1, 1],
  DAY: [1, 1],
  HOURS: [1, 1],
  MINUTES: [1, 1],
  SECONDS: [1, 1],
  TIMEZONE: [1, 1],
  TZ: [1, 1],
  NOW: [0, 0],
  UUID: [0, 0],
  STRUUID: [0, 0],
  MD5: [1, 1],
  SHA1: [1, 1],
  SHA256: [1, 1],
  SHA384: [1, 1],
  SHA512: [1, 1],
  COALESCE: [0, Infinity],
  IF: [3, 3],
  STRLANG: [2, 2],
  STRDT: [2, 2],
  SAMETERM: [2, 2],
  ISIRI: [1, 1],
  ISURI: [1, 1],
  ISBLANK: [1, 1],
  ISLITERAL: [1, 1],
  ISNUMERIC: [1, 1],
  REGEX: [2, 3],
  SUBSTR: [2, 3],
  REPLACE: [3, 4],
  LANGDIR: [1, 1],
  HASLANG: [1, 1],
  HASLANGDIR: [1, 1],
  STRLANGDIR: [3, 3],
  TRIPLE: [3, 3],
  SUBJECT: [1, 1],
  PREDICATE: [1, 1],
  OBJECT: [1, 1],
  ISTRIPLE: [1, 1],
};

describe('static checks', () => {
  it('know every built-in and operator, and no other', () => {
    expect([...FUNCTIONS.keys()].sort()).toEqual(Object.keys(ARITIES).sort());
  });

  it.each(Object.entries(ARITIES))('%s takes %s arguments', (name, [least, most]) => {
    const call = (count: number): Expression => ({
      type: 'call',
      function: name,
      arguments: Array.from({ length: count }, () => ({ type: 'variable', name: 'x' })),
    });
    for (let count = 0; count <= 6; count++)
      expect(`${count} ${codeOf(() => compileExpression(call(count), scopeOf(['x'])))}`).toBe(
        `${count} ${count >= least && count <= most ? undefined : 'INVALID_SPARQL'}`,
      );
  });

  it('refuse an unknown built-in, also one that objects inherit', () => {
    for (const name of ['NOPE', '__proto__', 'constructor', 'toString'])
      expect(codeOf(() => compileExpression({ type: 'call', function: name, arguments: [] }, scopeOf([])))).toBe(
        'INVALID_SPARQL',
      );
  });

  it('take an unknown IRI for an error at evaluation (17.6)', () => {
    const call: Expression = {
      type: 'iriCall',
      iri: 'urn:f',
      distinct: false,
      arguments: [{ type: 'variable', name: 'x' }],
    };
    const compiled = compileExpression(call, scopeOf(['x']));
    expect(compiled.evaluate(new FixedRow([readValue('1')]))).toBeUndefined();
    expect([...compiled.variables]).toEqual(['x']);
  });

  it('refuse calls that nest too deep, but not long chains of || and &&', () => {
    let nested: Expression = { type: 'variable', name: 'x' };
    for (let i = 0; i < 20_000; i++) nested = { type: 'call', function: '!', arguments: [nested] };
    expect(codeOf(() => compileExpression(nested, scopeOf(['x'])))).toBe('LIMIT_EXCEEDED');

    for (const connective of ['||', '&&']) {
      let chain: Expression = readExpression('=(?x, 0)');
      for (let i = 1; i < 50_000; i++)
        chain = { type: 'call', function: connective, arguments: [chain, readExpression(`=(?x, ${i % 7})`)] };
      const compiled = compileExpression(chain, scopeOf(['x']));
      expect(compiled.test(new FixedRow([readValue('6')]))).toBe(connective === '||');
      expect(compiled.test(new FixedRow([readValue('9')]))).toBe(false);
      expect(compiled.test(new FixedRow([undefined]))).toBeUndefined();
    }
  });

  it('refuse a constant pattern that is too big', () => {
    expect(codeOf(() => compileText('REGEX(?x, "((a{100}){100}){100}")'))).toBe('LIMIT_EXCEEDED');
  });
});

describe('properties of a compiled expression', () => {
  it.each([
    ['?x', ['x'], true, false],
    ['?unknown', ['unknown'], true, true],
    ['+(?x, ?y)', ['x', 'y'], true, false],
    ['+(1, 2)', [], true, true],
    ['/(1, 0)', [], true, true],
    ['NOW()', [], true, true],
    ['IF(?x, 1, RAND())', ['x'], false, false],
    ['RAND()', [], false, false],
    ['UUID()', [], false, false],
    ['STRUUID()', [], false, false],
    ['BNODE()', [], false, false],
    ['BNODE("a")', [], false, false],
    ['REGEX(?x, "a")', ['x'], true, false],
    ['xsd:integer("5")', [], true, true],
    ['COALESCE(?unknown, ?x)', ['unknown', 'x'], true, false],
  ])('%s: variables %j, deterministic %s, constant %s', (text, variables, deterministic, constant) => {
    const compiled = compileText(text);
    expect([...compiled.variables].sort()).toEqual(variables);
    expect(compiled.deterministic).toBe(deterministic);
    expect(compiled.constant !== undefined).toBe(constant);
  });

  it('has the folded value', () => {
    expect(show(compileText('+(1, *(2, 3))').constant!.value!.term)).toBe('7');
    expect(compileText('||(false, =(1, "a"^^<urn:t>))').constant).toEqual({ value: undefined });
  });

  it('reads a variable called __proto__ like any other', () => {
    const compiled = compileText('=(?__proto__, 1)', scopeOf(['__proto__']));
    expect(compiled.test(new FixedRow([readValue('1')]))).toBe(true);
  });
});

describe('EXISTS (17.4.1.4)', () => {
  const x = dataFactory.variable('x');
  const pattern: Algebra = {
    type: 'filter',
    input: {
      type: 'join',
      operands: [
        {
          type: 'bgp',
          patterns: [
            {
              subject: x,
              predicate: dataFactory.namedNode('http://p'),
              object: {
                termType: 'TriplePattern',
                subject: dataFactory.variable('inner'),
                predicate: dataFactory.namedNode('http://p'),
                object: dataFactory.literal('o'),
              },
            },
          ],
        },
        { type: 'values', variables: ['v'], rows: [] },
        {
          type: 'project',
          variables: ['projected'],
          input: {
            type: 'extend',
            variable: 'e',
            expression: { type: 'variable', name: 'used' },
            input: { type: 'bgp', patterns: [] },
          },
        },
        {
          type: 'group',
          input: { type: 'bgp', patterns: [] },
          keys: [{ variable: 'k', expression: { type: 'variable', name: 'key' } }],
          aggregates: [
            {
              variable: 'a',
              aggregate: { function: 'COUNT', distinct: false, argument: { type: 'variable', name: 'counted' } },
            },
          ],
        },
        { type: 'graph', name: dataFactory.variable('g'), input: { type: 'bgp', patterns: [] } },
      ],
    },
    condition: readExpression('=(?c, 1)'),
  };

  it('asks the executor, and mentions all variables of its pattern', () => {
    const asked: unknown[] = [];
    const scope: CompileScope = {
      ...scopeOf([]),
      exists: (given, negated) => {
        asked.push(given, negated);
        return () => !negated;
      },
    };
    for (const negated of [false, true]) {
      const compiled = compileExpression(
        { type: 'call', function: '!', arguments: [{ type: 'exists', negated, pattern }] },
        scope,
      );
      expect(compiled.test(new FixedRow([]))).toBe(negated);
      expect(compiled.deterministic).toBe(false);
      expect(compiled.constant).toBeUndefined();
      expect([...compiled.variables].sort()).toEqual([
        'a',
        'c',
        'counted',
        'e',
        'g',
        'inner',
        'k',
        'key',
        'projected',
        'used',
        'v',
        'x',
      ]);
    }
    expect(asked).toEqual([pattern, false, pattern, true]);
  });
});

describe('functions of the context', () => {
  it('call it once for each evaluation', () => {
    let calls = 0;
    const scope = scopeOf(['x'], { ...CONTEXT, random: () => ++calls / 10 });
    const compiled = compileText('RAND()', scope);
    expect(calls).toBe(0);
    expect(compiled.evaluate(new FixedRow([]))!.number).toBe(0.1);
    expect(compiled.evaluate(new FixedRow([]))!.number).toBe(0.2);
    const twice = compileText('||(>(RAND(), 1), >(RAND(), 1))', scope);
    expect(twice.test(new FixedRow([]))).toBe(false);
    expect(calls).toBe(4);
  });

  it('evaluate an argument once', () => {
    let calls = 0;
    const scope = scopeOf([], { ...CONTEXT, random: () => 0.5 + 0 * ++calls });
    for (const text of [
      'IN(RAND(), 1, 2, 3)',
      'SUBSTR(STR(RAND()), 1)',
      'REGEX(STR(RAND()), "x")',
      'IF(>(RAND(), 1), 1, 2)',
    ]) {
      calls = 0;
      compileText(text, scope).evaluate(new FixedRow([]));
      expect(`${text} ${calls}`).toBe(`${text} 1`);
    }
  });

  it('hand over the solution and the label of BNODE (17.4.2.9)', () => {
    const seen: unknown[] = [];
    const row = new FixedRow([readValue('"l"')]);
    const scope = scopeOf(['x'], {
      ...CONTEXT,
      blankNode: (label, solution) => {
        seen.push(label, solution);
        return CONTEXT.blankNode(label);
      },
    });
    compileText('BNODE(?x)', scope).evaluate(row);
    compileText('BNODE()', scope).evaluate(row);
    expect(seen).toEqual(['l', row, undefined, row]);
  });

  it('resolve nothing without a base', () => {
    const { baseIri: _, ...context } = CONTEXT;
    expect(compileText('IRI("a")', scopeOf([], context)).evaluate(new FixedRow([]))).toBeUndefined();
    expect(show(compileText('IRI("http://a")', scopeOf([], context)).evaluate(new FixedRow([]))!.term)).toBe(
      '<http://a>',
    );
  });
});
