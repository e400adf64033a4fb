import type * as RDF from '@rdfjs/types';
import { dataFactory } from '../../../src/index.ts';
import type { Aggregate, Algebra, Expression, PatternTerm } from '../../../src/sparql/algebra/algebra.ts';
import { makeAccumulator } from '../../../src/sparql/expressions/aggregates.ts';
import { type CompiledExpression, compileExpression, type RowReader } from '../../../src/sparql/expressions/compile.ts';
import { compareForOrder } from '../../../src/sparql/expressions/ordering.ts';
import { blankValue, termOfValue, type Value, valueOfTerm } from '../../../src/sparql/expressions/value.ts';
import { keyOf, type NaiveDataset, type Triple } from './naive-dataset.ts';
import { pathPairs } from './naive-path.ts';
import { substituted } from './naive-substitution.ts';

/** A solution mapping; terms are those of the dataset's pool. */
export type Solution = ReadonlyMap<string, RDF.Term>;

/** Thrown when an answer grows beyond what nested loops should be asked for. */
export class TooBig extends Error {}

const MAX_SOLUTIONS = 4000;

class SolutionReader implements RowReader {
  readonly solution: Solution;
  private readonly names: readonly string[];

  constructor(solution: Solution, names: readonly string[]) {
    this.solution = solution;
    this.names = names;
  }
  value(column: number): Value | undefined {
    const term = this.solution.get(this.names[column]);
    return term && valueOfTerm(term);
  }
  bound(column: number): boolean {
    return this.solution.has(this.names[column]);
  }
}

/** The algebra read aloud (SPARQL 1.1 section 18): bags are arrays, joins are nested loops, nothing is clever. */
export class NaiveEvaluator {
  private readonly dataset: NaiveDataset;
  private readonly now: Date;
  private readonly baseIri: string | undefined;
  private readonly names: string[] = [];
  private blankNodes = 0;
  /** Solutions that are told apart by BNODE(label): BIND makes a new map of the same solution. */
  private readonly numbers = new WeakMap<Solution, number>();

  constructor(dataset: NaiveDataset, now: Date, baseIri: string | undefined) {
    this.dataset = dataset;
    this.now = now;
    this.baseIri = baseIri;
  }

  evaluate(algebra: Algebra, graph: readonly Triple[] = this.dataset.defaultGraph): Solution[] {
    const solutions = this.operator(algebra, graph);
    if (solutions.length > MAX_SOLUTIONS) throw new TooBig();
    return solutions;
  }

  private operator(algebra: Algebra, graph: readonly Triple[]): Solution[] {
    const { dataset } = this;
    const input = (one: Algebra) => this.evaluate(one, graph);
    switch (algebra.type) {
      case 'bgp':
        return algebra.patterns.reduce<Solution[]>(
          (solutions, pattern) => {
            const found = solutions.flatMap((solution) =>
              graph.flatMap((triple) => {
                const one = this.match(pattern.subject, triple.subject, solution);
                const two = one && this.match(pattern.predicate, triple.predicate, one);
                const three = two && this.match(pattern.object, triple.object, two);
                return three ? [three] : [];
              }),
            );
            if (found.length > MAX_SOLUTIONS) throw new TooBig();
            return found;
          },
          [new Map()],
        );
      case 'path': {
        const constant = (term: PatternTerm) =>
          term.termType === 'Variable' ? undefined : dataset.pool.of(term as RDF.Term);
        return pathPairs(
          algebra.path,
          graph,
          dataset.pool,
          constant(algebra.subject),
          constant(algebra.object),
        ).flatMap(([from, to]) => {
          const one = this.match(algebra.subject, from, new Map());
          const two = one && this.match(algebra.object, to, one);
          return two ? [two] : [];
        });
      }
      case 'join':
        return algebra.operands.map(input).reduce(joinOf);
      case 'union':
        return algebra.operands.flatMap(input);
      case 'leftJoin': {
        const left = input(algebra.left);
        const right = input(algebra.right);
        const test = algebra.condition && this.tester(algebra.condition, graph);
        return left.flatMap((one) => {
          const joined = joinOf([one], right).filter((merged) => !test || test(merged));
          return joined.length > 0 ? joined : [one];
        });
      }
      case 'minus': {
        const right = input(algebra.right);
        return input(algebra.left).filter(
          (one) => !right.some((other) => merge(one, other) && [...one.keys()].some((name) => other.has(name))),
        );
      }
      case 'filter':
        return input(algebra.input).filter(this.tester(algebra.condition, graph));
      case 'graph': {
        const { name } = algebra;
        if (name.termType !== 'Variable') {
          const triples = dataset.named.get(dataset.pool.of(name));
          return triples ? this.evaluate(algebra.input, triples) : [];
        }
        return [...dataset.named].flatMap(([term, triples]) =>
          joinOf(this.evaluate(algebra.input, triples), [new Map([[name.value, term]])]),
        );
      }
      case 'extend': {
        const value = this.value(algebra.expression, graph);
        return input(algebra.input).map((solution) => {
          const term = value(solution);
          if (!term) return solution;
          const extended = new Map([...solution, [algebra.variable, term]]);
          this.numbers.set(extended, this.numberOf(solution));
          return extended;
        });
      }
      case 'values':
        return algebra.rows.map(
          (row) =>
            new Map(
              row.flatMap((term, at): [string, RDF.Term][] =>
                term ? [[algebra.variables[at], dataset.pool.of(term)]] : [],
              ),
            ),
        );
      case 'group':
        return this.group(algebra, graph);
      case 'orderBy': {
        const keys = algebra.conditions.map(({ expression, descending }) => ({
          descending,
          compiled: this.compile(expression, graph),
        }));
        const rows = input(algebra.input).map((solution) => ({
          solution,
          values: keys.map(({ compiled }) => compiled.evaluate(new SolutionReader(solution, this.names))),
        }));
        rows.sort((one, other) => {
          for (const [at, { descending }] of keys.entries()) {
            const order = compareForOrder(one.values[at], other.values[at]);
            if (order !== 0) return descending ? -order : order;
          }
          return 0;
        });
        return rows.map(({ solution }) => solution);
      }
      case 'project':
        return input(algebra.input).map(
          (solution) => new Map([...solution].filter(([name]) => algebra.variables.includes(name))),
        );
      case 'distinct':
        return distinctOf(input(algebra.input));
      case 'reduced':
        return input(algebra.input);
      case 'slice': {
        const { offset, limit } = algebra;
        return input(algebra.input).slice(offset, limit === undefined ? undefined : offset + limit);
      }
      case 'service':
        return [new Map()];
    }
  }

  private numberOf(solution: Solution): number {
    const known = this.numbers.get(solution) ?? this.blankNodes++;
    this.numbers.set(solution, known);
    return known;
  }

  private match(pattern: PatternTerm, term: RDF.Term, solution: Solution): Solution | undefined {
    if (pattern.termType === 'Variable') {
      const known = solution.get(pattern.value);
      if (known) return known === term ? solution : undefined;
      return new Map([...solution, [pattern.value, term]]);
    }
    if (pattern.termType !== 'TriplePattern')
      return this.dataset.pool.of(pattern as RDF.Term) === term ? solution : undefined;
    if (term.termType !== 'Quad') return undefined;
    const { pool } = this.dataset;
    const one = this.match(pattern.subject, pool.of(term.subject), solution);
    const two = one && this.match(pattern.predicate, pool.of(term.predicate), one);
    return two && this.match(pattern.object, pool.of(term.object), two);
  }

  private group({ input, keys, aggregates }: Algebra & { type: 'group' }, graph: readonly Triple[]): Solution[] {
    const keyValues = keys.map(({ expression }) => this.value(expression, graph));
    const groups = new Map<string, { readonly key: readonly (RDF.Term | undefined)[]; readonly members: Solution[] }>();
    for (const solution of this.evaluate(input, graph)) {
      const key = keyValues.map((value) => value(solution));
      const text = key.map((term) => (term ? keyOf(term) : '')).join('\n');
      const group = groups.get(text) ?? { key, members: [] };
      groups.set(text, group);
      group.members.push(solution);
    }
    // Without keys there is one group, also of nothing (section 18.5.1, as the W3C tests have it).
    if (keys.length === 0 && groups.size === 0) groups.set('', { key: [], members: [] });
    return [...groups.values()].map(({ key, members }) => {
      const solution = new Map<string, RDF.Term>();
      for (const [at, term] of key.entries()) if (term) solution.set(keys[at].variable, term);
      for (const { variable, aggregate } of aggregates) {
        const value = this.aggregate(aggregate, members, graph);
        if (value) solution.set(variable, this.dataset.pool.of(termOfValue(value)));
      }
      return solution;
    });
  }

  private aggregate(aggregate: Aggregate, members: readonly Solution[], graph: readonly Triple[]): Value | undefined {
    const accumulator = makeAccumulator(aggregate);
    const { argument, distinct } = aggregate;
    if (!argument) {
      for (const _ of distinct ? distinctOf(members.map(visible)) : members) accumulator.add(undefined);
    } else {
      const compiled = this.compile(argument, graph);
      for (const member of members) accumulator.add(compiled.evaluate(new SolutionReader(member, this.names)));
    }
    return accumulator.result();
  }

  private tester(condition: Expression, graph: readonly Triple[]): (solution: Solution) => boolean {
    const compiled = this.compile(condition, graph);
    return (solution) => compiled.test(new SolutionReader(solution, this.names)) === true;
  }

  private value(expression: Expression, graph: readonly Triple[]): (solution: Solution) => RDF.Term | undefined {
    // A variable gives its term, whatever the term's value.
    if (expression.type === 'variable') return (solution) => solution.get(expression.name);
    const compiled = this.compile(expression, graph);
    return (solution) => {
      const value = compiled.evaluate(new SolutionReader(solution, this.names));
      return value && this.dataset.pool.of(termOfValue(value));
    };
  }

  private compile(expression: Expression, graph: readonly Triple[]): CompiledExpression {
    return compileExpression(expression, {
      column: (name) => {
        const at = this.names.indexOf(name);
        return at >= 0 ? at : this.names.push(name) - 1;
      },
      exists: (pattern, negated) => (row) =>
        this.evaluate(substituted(pattern, (row as SolutionReader).solution), graph).length > 0 !== negated,
      context: {
        now: this.now,
        baseIri: this.baseIri,
        random: () => 0.5,
        uuid: () => '00000000-0000-4000-8000-000000000000',
        blankNode: (label, row) =>
          blankValue(
            label === undefined
              ? `new${this.blankNodes++}`
              : `new-${this.numberOf((row as SolutionReader).solution)}-${label}`,
          ),
      },
    });
  }
}

/** Without what translation named: blank nodes of the text are not in the domain of a solution (section 18.3.1). */
function visible(solution: Solution): Solution {
  return new Map([...solution].filter(([name]) => !name.startsWith('.')));
}

function distinctOf(solutions: readonly Solution[]): Solution[] {
  const seen = new Set<string>();
  return solutions.filter((solution) => {
    const key = [...solution]
      .map(([name, term]) => `${name} ${keyOf(term)}`)
      .sort()
      .join('\n');
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}

/** Section 18.3: the union of two compatible solutions. */
function merge(one: Solution, other: Solution): Solution | undefined {
  for (const [name, term] of other) {
    const known = one.get(name);
    if (known && known !== term) return undefined;
  }
  return new Map([...one, ...other]);
}

function joinOf(left: readonly Solution[], right: readonly Solution[]): Solution[] {
  if (left.length * right.length > MAX_SOLUTIONS * 250) throw new TooBig();
  return left.flatMap((one) => right.flatMap((other) => merge(one, other) ?? []));
}

/** The default graph's name in templates. */
export const DEFAULT = dataFactory.defaultGraph();
