import type * as RDF from '@rdfjs/types';
import { wrong } from '../../contracts/search-pattern.ts';
import { ANY_NAMED_GRAPH, DEFAULT_GRAPH, NO_TERM, type TermId } from '../../contracts/term-source.ts';
import { WorldsError } from '../../model/worlds-error.ts';
import type { Algebra, Expression, PatternTerm } from '../algebra/algebra.ts';
import { HashJoin } from '../exec/hash-join.ts';
import type { Operator } from '../exec/operator.ts';
import { CONSTANT } from '../exec/quad-pattern.ts';
import type { RowTest } from '../exec/row-function.ts';
import { type SearchEnd, TextSearch } from '../exec/text-search.ts';
import { filterAll } from './filter-all.ts';
import { idOfConstant } from './id-of-constant.ts';
import type { PatternPlanner } from './pattern-planner.ts';
import type { Planning } from './planning.ts';
import type { Scope } from './scope.ts';
import { readSearchService } from './search-service.ts';
import { isSeedable } from './seedable.ts';
import { variablesOf } from './variables.ts';
import { seededNames } from './without-exists.ts';

/**
 * Plans `SERVICE <urn:rdf-worlds:search>` for the rows of `input` and joins with them. With SILENT,
 * an invalid search yields one empty solution.
 */
export function* planSearch(
  planner: PatternPlanner,
  service: Algebra & { readonly type: 'service' },
  input: Operator,
  scope: Scope,
): Planning<Operator> {
  try {
    return yield* planWorkingSearch(planner, service, input, scope);
  } catch (error) {
    if (service.silent && error instanceof WorldsError) return input;
    throw error;
  }
}

/**
 * The other patterns run once to determine which triples are searched, and are then looked up for
 * the hits.
 */
function* planWorkingSearch(
  planner: PatternPlanner,
  service: Algebra & { readonly type: 'service' },
  input: Operator,
  scope: Scope,
): Planning<Operator> {
  const { search, rest, late } = readSearchService(service);
  const { parts, limit } = search;
  const end = (part: PatternTerm | undefined): SearchEnd | undefined => part && endOf(part, planner, scope);
  if (parts.query.termType === 'Variable' && !input.slots.includes(scope.slot(parts.query.value))) {
    const name = parts.query.value;
    throw wrong(
      `?${name} has no value at this point; bind it in the same group, as in VALUES ?${name} { "some words" }`,
    );
  }
  if (parts.graph && scope.graph.id !== DEFAULT_GRAPH)
    throw wrong('the surrounding GRAPH already selects the graph; remove ws:graph, or GRAPH');
  const named = end(parts.graph);
  // The rank is bound in every hit and unbound where a silent search failed.
  const mark = parts.rank?.termType === 'Variable' ? parts.rank.value : `.rank${scope.counter.names.length}`;
  const marked = service.silent ? { slot: scope.slot(mark), id: NO_TERM } : end(parts.rank);
  const activeGraph: TermId = !named ? scope.graph.id : named.slot === CONSTANT ? named.id : ANY_NAMED_GRAPH;
  const found = new TextSearch(input, {
    query: end(parts.query)!,
    subject: end(parts.subject),
    predicate: end(parts.predicate),
    object: end(parts.object),
    graph: named,
    score: end(parts.score),
    rank: marked,
    limit,
    activeGraph,
    silent: service.silent,
    ...(rest ? { among: yield* planner.plan(rest, scope) } : {}),
  });
  const unlessFailed = late.map((condition) => (service.silent ? orFailed(condition, mark) : condition));
  // A filter sees only the group that contains it (SPARQL 1.1 section 5.2.2), although outer rows
  // are already joined here.
  const inside = scope.subquery([]);
  for (const name of [...variablesOf(service.input), ...(service.silent ? [mark] : [])]) inside.adopt(name, scope);
  if (!rest) return yield* filterAll(planner, found, unlessFailed, inside);
  const join = function* (): Planning<Operator> {
    if (planner.optimize && !service.silent && isSeedable(rest, seededNames(found, scope), false)) {
      return yield* planner.planSeeded(rest, found, scope);
    }
    const other = yield* planner.plan(rest, scope);
    if (!service.silent) return new HashJoin(found, other, 'inner', found.estimate);
    // A failed search yields one empty solution, regardless of the other patterns in the service.
    return new HashJoin(found, other, 'left', found.estimate, isBound(marked!.slot, mark));
  };
  return yield* filterAll(planner, yield* join(), unlessFailed, inside);
}

/** Returns a condition that also holds for rows whose search failed. */
function orFailed(condition: Expression, mark: string): Expression {
  return {
    type: 'call',
    function: '||',
    arguments: [{ type: 'call', function: '!', arguments: [boundOf(mark)] }, condition],
  };
}

function boundOf(name: string): Expression {
  return { type: 'call', function: 'BOUND', arguments: [{ type: 'variable', name }] };
}

function isBound(slot: number, name: string): RowTest {
  return {
    expression: boundOf(name),
    reads: [slot],
    start: () => (batch, row) => (batch.columns[slot]?.[row] ?? NO_TERM) !== NO_TERM,
  };
}

function endOf(part: PatternTerm, planner: PatternPlanner, scope: Scope): SearchEnd {
  if (part.termType === 'Variable') return { slot: scope.slot(part.value), id: NO_TERM };
  return { slot: CONSTANT, id: idOfConstant(planner, part as RDF.Term) };
}
