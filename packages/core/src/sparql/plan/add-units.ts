import type * as RDF from '@rdfjs/types';
import {
  ANY_NAMED_GRAPH,
  DEFAULT_GRAPH,
  NO_TERM,
  type TermId,
  type TripleTermIndex,
} from '../../contracts/term-source.ts';
import type { Algebra, Path, PatternTerm } from '../algebra/algebra.ts';
import type { Pause } from '../exec/batch.ts';
import { Distinct } from '../exec/distinct.ts';
import type { Execution } from '../exec/execution.ts';
import { GraphEach } from '../exec/graph-each.ts';
import { GraphNames } from '../exec/graph-names.ts';
import { HashJoin } from '../exec/hash-join.ts';
import type { Operator } from '../exec/operator.ts';
import type { PathEnd } from '../exec/path-join.ts';
import type { PathStep } from '../exec/path-walk.ts';
import { CONSTANT } from '../exec/quad-pattern.ts';
import { Rows } from '../exec/rows.ts';
import { Scan } from '../exec/scan.ts';
import { SlotSet } from '../exec/slot-set.ts';
import { Union } from '../exec/union.ts';
import { MAX_PLAN_DEPTH, tooDeep } from '../stack-depth.ts';
import { type ActiveGraph, UNKNOWN_GRAPH } from './active-graph.ts';
import { idOfConstant } from './id-of-constant.ts';
import { PathEstimates } from './path-estimate.ts';
import type { PatternPlanner } from './pattern-planner.ts';
import { planSearch } from './plan-search.ts';
import { planWhileRunning } from './plan-while-running.ts';
import { type Planning, planAll } from './planning.ts';
import { graphInside } from './rules/graph-inside.ts';
import type { Scope } from './scope.ts';
import { isSearchService, searchedVariable } from './search-service.ts';
import { isPlain, needsTriples } from './seedable.ts';
import { patternUnit, type Unit } from './unit.ts';
import { certainVariablesOf, variablesOf } from './variables.ts';

/** Maximum number of graphs for which a GRAPH pattern is planned up front. */
const MAX_PLANNED_GRAPHS = 32;
/** Maximum number of nested GRAPHs that are planned for their estimates alone. */
const MAX_ESTIMATED_GRAPHS = 2;

/** Adds the triple patterns of a basic graph pattern as units. */
export function addPatterns(
  planner: PatternPlanner,
  { patterns }: Algebra & { type: 'bgp' },
  scope: Scope,
  units: Unit[],
): void {
  const { graph } = scope;
  if (patterns.length === 0 && graph.id !== DEFAULT_GRAPH) addGraphNames(planner, graph, units);
  for (const { subject, predicate, object } of patterns) {
    // Each unit becomes an operator nested in the previous one, so units add to the plan's depth.
    if (units.length > MAX_PLAN_DEPTH) throw tooDeep();
    const index = planner.optimize ? planner.source.terms.tripleTerms : undefined;
    const s = patternEnd(planner, subject, scope, units, index);
    const p = patternEnd(planner, predicate, scope, units, index);
    const o = patternEnd(planner, object, scope, units, index);
    units.push(patternUnit([s, p, o], graph, { subject, predicate, object }));
  }
}

/** Adds the parts of a group as join units. */
export function* addUnits(planner: PatternPlanner, algebra: Algebra, scope: Scope, units: Unit[]): Planning<void> {
  switch (algebra.type) {
    case 'join':
      for (const operand of algebra.operands) yield* addUnits(planner, operand, scope, units);
      return;
    case 'bgp':
      addPatterns(planner, algebra, scope, units);
      return;
    case 'path': {
      const { graph } = scope;
      const subject = pathEnd(planner, algebra.subject, scope, units);
      const object = pathEnd(planner, algebra.object, scope, units);
      // A zero-length path matches only in a graph that exists.
      if (graph.id !== DEFAULT_GRAPH && !addGraphsOfPath(planner, algebra, [subject, object], scope, units))
        addGraphNames(planner, graph, units);
      const slots = [subject.slot, object.slot, graph.slot].filter((slot) => slot !== CONSTANT);
      const path = pathStep(planner, algebra.path);
      const graphId = graph.slot === CONSTANT ? graph.id : ANY_NAMED_GRAPH;
      const estimates = new PathEstimates(planner.basis, path, graphId);
      units.push({ kind: 'path', subject, path, algebra: algebra.path, object, graph, slots, estimates });
      return;
    }
    case 'graph':
      yield* addGraph(planner, algebra, scope, units);
      return;
    default: {
      const text = algebra.type === 'service' && isSearchService(algebra) ? searchedVariable(algebra) : undefined;
      if (text !== undefined && algebra.type === 'service') {
        const slots = Array.from(variablesOf(algebra), (name) => scope.slot(name));
        const plan = (input: Operator) => planSearch(planner, algebra, input, scope);
        units.push({ kind: 'search', textSlot: scope.slot(text), slots, plan });
        return;
      }
      const operator = yield* planner.plan(algebra, scope);
      const canBeSeeded = algebra.type === 'union' || algebra.type === 'filter';
      const part = canBeSeeded ? { algebra, scope } : undefined;
      units.push({ kind: 'operator', operator, slots: operator.slots, part });
    }
  }
}

function* addGraph(
  planner: PatternPlanner,
  algebra: Algebra & { type: 'graph' },
  scope: Scope,
  units: Unit[],
): Planning<void> {
  const { name, input } = algebra;
  if (name.termType !== 'Variable') {
    const id = planner.basis.find(name);
    const graph = { slot: CONSTANT, id: id === NO_TERM ? UNKNOWN_GRAPH : id };
    // A graph that does not exist has no solutions, even if its pattern matches without a triple.
    if (!needsTriples(input)) addGraphNames(planner, graph, units);
    yield* addUnits(planner, input, scope.inGraph(graph), units);
    return;
  }
  const slot = scope.slot(name.value);
  if (isPlain(input)) {
    yield* addUnits(planner, input, scope.inGraph({ slot, id: ANY_NAMED_GRAPH }), units);
    return;
  }
  const moved = planner.optimize ? graphInside(algebra) : undefined;
  if (moved) {
    yield* addUnits(planner, moved, scope, units);
    return;
  }
  // In general, the pattern is evaluated per graph, and the graph name is joined with its
  // solutions.
  const { graphs } = planner.source;
  const planFor: PlanFor = function* (id, within = scope) {
    const inner = yield* planner.plan(input, within.inGraph({ slot: CONSTANT, id }));
    const named = new Rows([slot], [[planner.source.terms.term(id)]]);
    return new HashJoin(inner, named, 'inner', inner.estimate);
  };
  // Nested GRAPHs multiply: the pattern would be planned for every combination of graphs.
  if (graphs.length ** (planner.openGraphs + 1) > MAX_PLANNED_GRAPHS) {
    const operator = yield* eachGraph(planner, slot, input, scope, planFor);
    units.push({ kind: 'operator', operator, slots: operator.slots });
    return;
  }
  planner.openGraphs++;
  const operators = yield* planAll(graphs, (id) => planFor(id));
  planner.openGraphs--;
  const operator = operators.length === 1 ? operators[0] : new Union(operators);
  units.push({ kind: 'operator', operator, slots: operators.length === 0 ? [slot] : operator.slots });
}

/** Plans the pattern of a GRAPH for one graph. */
type PlanFor = (graph: TermId, within?: Scope) => Planning<Operator>;

/**
 * Plans the pattern for each graph at run time, and for the first graph now, to get an estimate. A
 * pattern deep inside others of the kind gets none: it would be planned again with each of them.
 */
function* eachGraph(
  planner: PatternPlanner,
  slot: number,
  input: Algebra,
  scope: Scope,
  planFor: PlanFor,
): Planning<Operator> {
  const { graphs } = planner.source;
  const { substituted } = planner;
  planner.bindToRun();
  const slotsOfNames = (names: Iterable<string>) => Array.from(names, (name) => scope.slot(name));
  const slots = slotsOfNames(variablesOf(input));
  let estimate = 1;
  if (planner.estimatedGraphs < MAX_ESTIMATED_GRAPHS) {
    planner.estimatedGraphs++;
    ({ estimate } = yield* planFor(graphs[0]));
    planner.estimatedGraphs--;
  }
  const planLater = function* (graph: TermId, execution: Execution): Generator<Pause, Operator, void> {
    const before = planner.substituted;
    const taken = scope.counter.names.length;
    planner.substituted = substituted;
    planner.estimatedGraphs = 0;
    try {
      planner.beginAnother();
      const planning = planFor(graph, scope.copy());
      return yield* planWhileRunning(planning, execution);
    } finally {
      planner.substituted = before;
      // Other operators see this plan's rows only through the slots of its variables, so the slots
      // allocated here can be reused.
      scope.counter.names.length = taken;
    }
  };
  const certain = slotsOfNames(certainVariablesOf(input));
  return new GraphEach(slot, slots, certain, estimate * graphs.length, input, planLater);
}

/**
 * Adds the graphs in which a path can begin or end at a constant, instead of all graphs. Returns
 * false if that is not known from one predicate.
 */
function addGraphsOfPath(
  planner: PatternPlanner,
  { path }: Algebra & { type: 'path' },
  [subject, object]: readonly [PathEnd, PathEnd],
  { graph, counter }: Scope,
  units: Unit[],
): boolean {
  if (!planner.optimize || graph.slot === CONSTANT) return false;
  const isFromSubject = subject.slot === CONSTANT;
  const known = isFromSubject ? subject : object;
  const step = known.slot === CONSTANT ? firstStep(path, isFromSubject) : undefined;
  if (!step) return false;
  const predicate = { slot: CONSTANT, id: planner.basis.find(step.iri) };
  const other = { slot: counter.take(), id: NO_TERM };
  const term: PatternTerm = { termType: 'Variable', value: '.any' };
  const ends = step.isForward ? [known, predicate, other] : [other, predicate, known];
  const { pattern } = patternUnit(ends, graph, { subject: term, predicate: step.iri, object: term });
  const graphs = new Scan(pattern, planner.statistics.count(pattern), SlotSet.of([graph.slot]));
  units.push({ kind: 'operator', operator: new Distinct(graphs), slots: graphs.slots });
  return true;
}

/** Returns the link with which every match of a path begins at its subject, or at its object. */
function firstStep(
  path: Path,
  isFromSubject: boolean,
): { readonly iri: RDF.NamedNode; readonly isForward: boolean } | undefined {
  switch (path.type) {
    case 'link':
      return { iri: path.iri, isForward: isFromSubject };
    case 'inverse':
      return firstStep(path.path, !isFromSubject);
    case 'sequence':
      return firstStep(path.paths.at(isFromSubject ? 0 : -1)!, isFromSubject);
    case 'oneOrMore':
      return firstStep(path.path, isFromSubject);
    default:
      return undefined;
  }
}

function addGraphNames(planner: PatternPlanner, graph: ActiveGraph, units: Unit[]): void {
  const operator =
    graph.slot === CONSTANT
      ? new GraphNames(undefined, graph.id === UNKNOWN_GRAPH ? NO_TERM : graph.id, 1)
      : new GraphNames(graph.slot, NO_TERM, planner.source.graphs.length);
  units.push({ kind: 'operator', operator, slots: operator.slots });
}

/**
 * Resolves one position of a pattern, or of a triple term in it, to a slot or an id. A triple term
 * with variables becomes a new variable, which a unit of its own takes apart or finds.
 *
 * @param index finds triple terms by a part; undefined if that is not equivalent
 */
function patternEnd(
  planner: PatternPlanner,
  term: PatternTerm,
  scope: Scope,
  units: Unit[],
  index: TripleTermIndex | undefined,
): PathEnd {
  if (term.termType === 'Variable') return { slot: scope.slot(term.value), id: NO_TERM };
  if (term.termType !== 'TriplePattern') return { slot: CONSTANT, id: planner.basis.find(term as RDF.Term) };
  const slot = scope.counter.take();
  const ends = [term.subject, term.predicate, term.object];
  const parts = ends.map((part) => patternEnd(planner, part, scope, units, index));
  const slots = [slot, ...parts.map((part) => part.slot).filter((one) => one !== CONSTANT)];
  if (index) planner.basis.bindToQuads();
  units.push({ kind: 'triple', slot, parts, slots, index });
  return { slot, id: NO_TERM };
}

/** Like `patternEnd`: a path of length zero matches a constant that is not in the data, too. */
function pathEnd(planner: PatternPlanner, term: PatternTerm, scope: Scope, units: Unit[]): PathEnd {
  if (term.termType === 'Variable' || term.termType === 'TriplePattern')
    return patternEnd(planner, term, scope, units, undefined);
  return { slot: CONSTANT, id: idOfConstant(planner, term as RDF.Term) };
}

function pathStep(planner: PatternPlanner, path: Path): PathStep {
  const { basis } = planner;
  planner.claimSteps(1);
  switch (path.type) {
    case 'link':
      return { type: 'link', id: basis.find(path.iri) };
    case 'sequence':
    case 'alternative':
      return { type: path.type, paths: path.paths.map((one) => pathStep(planner, one)) };
    case 'negated': {
      const ids = (iris: readonly RDF.NamedNode[] | undefined) => iris && new Set(iris.map((iri) => basis.find(iri)));
      return { type: 'negated', forward: ids(path.forward), backward: ids(path.backward) };
    }
    default:
      return { type: path.type, path: pathStep(planner, path.path) };
  }
}
