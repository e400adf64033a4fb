import type * as RDF from '@rdfjs/types';
import { dataFactory } from '../../../../src/index.ts';
import type { Aggregate, Algebra, Expression, PatternTerm } from '../../../../src/sparql/algebra/algebra.ts';
import { nodesIn } from '../algebra-nodes.ts';
import { type ExpressionContext, evaluate, nameOfAggregate } from './expressions.ts';
import { integer } from './meaning.ts';
import { keyOf, type NaiveDataset, type Triple } from './naive-dataset.ts';
import { pathPairs } from './naive-path.ts';
import { substituted } from './naive-substitution.ts';
import { compareTerms } from './order.ts';
import { type Semantics, SPECIFIED } from './semantics.ts';

/** A solution mapping; terms are those of the dataset's pool. */
export type Solution = ReadonlyMap<string, RDF.Term>;

/** Thrown when an answer grows beyond what nested loops should be asked for. */
export class TooBig extends Error {}

const MAX_SOLUTIONS = 4000;

export interface NaiveOptions {
  /**
   * Receives each function and aggregate that gave a value, by the name of the feature
   * (`coverage.ts`).
   */
  readonly gave?: (name: string) => void;
  /** What expressions mean, if not what the specification says. */
  readonly semantics?: Semantics;
}

/**
 * The algebra read aloud (SPARQL 1.1 section 18): bags are arrays, joins are nested loops, nothing
 * is clever.
 */
export class NaiveEvaluator {
  private readonly dataset: NaiveDataset;
  private readonly now: Date;
  private readonly baseIri: string | undefined;
  private readonly gave: (name: string) => void;
  private readonly semantics: Semantics;
  private blankNodes = 0;
  /** Solutions that are told apart by BNODE(label): BIND makes a new map of the same solution. */
  private readonly numbers = new WeakMap<Solution, number>();

  constructor(
    dataset: NaiveDataset,
    now: Date,
    baseIri: string | undefined,
    { gave = () => {}, semantics = SPECIFIED }: NaiveOptions = {},
  ) {
    this.dataset = dataset;
    this.now = now;
    this.baseIri = baseIri;
    this.gave = gave;
    this.semantics = semantics;
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
        // A triple term with variables stands for the nodes that it matches.
        const constant = (term: PatternTerm) =>
          term.termType === 'Variable' || term.termType === 'TriplePattern' ? undefined : dataset.pool.of(term);
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
          value: this.value(expression, graph),
        }));
        const rows = input(algebra.input).map((solution) => ({
          solution,
          values: keys.map(({ value }) => value(solution)),
        }));
        rows.sort((one, other) => {
          for (const [at, { descending }] of keys.entries()) {
            const order = compareTerms(one.values[at], other.values[at]);
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
        if (value) solution.set(variable, this.dataset.pool.of(value));
      }
      return solution;
    });
  }

  private aggregate(
    aggregate: Aggregate,
    members: readonly Solution[],
    graph: readonly Triple[],
  ): RDF.Term | undefined {
    const { argument, distinct } = aggregate;
    const gave = () => this.gave(`aggregate ${nameOfAggregate(aggregate)}`);
    if (!argument) {
      gave();
      return integer(distinct ? distinctOf(members.map(visible)).length : members.length);
    }
    const names = nodesIn(argument).flatMap((node) => (node.type === 'variable' ? [node.name] : []));
    const lacks = members.map((member) => names.some((name) => !member.has(name)));
    const value = this.semantics.aggregate(aggregate, members.map(this.value(argument, graph)), lacks);
    if (value) gave();
    return value && this.semantics.spell(value);
  }

  private tester(condition: Expression, graph: readonly Triple[]): (solution: Solution) => boolean {
    const value = this.value(condition, graph);
    return (solution) => this.semantics.truth(value(solution)) === true;
  }

  private value(expression: Expression, graph: readonly Triple[]): (solution: Solution) => RDF.Term | undefined {
    const context: ExpressionContext = {
      now: this.now,
      baseIri: this.baseIri,
      gave: this.gave,
      semantics: this.semantics,
      exists: (pattern, solution) => this.evaluate(substituted(pattern, solution), graph).length > 0,
      blankNode: (label, solution) =>
        label === undefined ? `new${this.blankNodes++}` : `new-${this.numberOf(solution)}-${label}`,
    };
    return (solution) => {
      const term = evaluate(expression, solution, context);
      return term && this.dataset.pool.of(term);
    };
  }
}

/**
 * Without what translation named: blank nodes of the text are not in the domain of a solution
 * (section 18.3.1).
 */
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
