import type * as RDF from '@rdfjs/types';
import { WorldsError } from '../../model/worlds-error.ts';
import type { QuadSource } from '../../storage/quad-source.ts';
import { ANY_NAMED_GRAPH, DEFAULT_GRAPH, NO_TERM, type TermId } from '../../storage/term-source.ts';
import type { Algebra, Expression, Path, PatternTerm, TriplePattern } from '../algebra/algebra.ts';
import { balanced } from '../algebra/balanced.ts';
import { Apply, Seed } from '../exec/apply.ts';
import { CountRange } from '../exec/count-range.ts';
import { Distinct } from '../exec/distinct.ts';
import { ExistsFilter } from '../exec/exists-filter.ts';
import { ExistsMark } from '../exec/exists-mark.ts';
import { Extend } from '../exec/extend.ts';
import { Filter } from '../exec/filter.ts';
import { GraphEach } from '../exec/graph-each.ts';
import { GraphNames } from '../exec/graph-names.ts';
import { Group } from '../exec/group.ts';
import { HashJoin } from '../exec/hash-join.ts';
import { type Operator, pruned } from '../exec/operator.ts';
import { Order } from '../exec/order.ts';
import { type PathEnd, PathJoin } from '../exec/path-join.ts';
import type { PathStep } from '../exec/path-walk.ts';
import { ProbeJoin } from '../exec/probe-join.ts';
import { Project } from '../exec/project.ts';
import { CONSTANT, type QuadPattern, slotsOf } from '../exec/quad-pattern.ts';
import { RowNumber } from '../exec/row-number.ts';
import { Rows } from '../exec/rows.ts';
import { Scan } from '../exec/scan.ts';
import { Slice } from '../exec/slice.ts';
import { TripleMatch } from '../exec/triple-match.ts';
import { Union } from '../exec/union.ts';
import { MAX_PLAN_DEPTH, tooDeep } from '../stack-depth.ts';
import { type Conditions, needsSolutionNumber } from './conditions.ts';
import { bestBeginning } from './first-rows.ts';
import { JoinOrder, type JoinRows } from './join-order.ts';
import { pathEnds, pathPairs } from './path-estimate.ts';
import { planSearch } from './plan-search.ts';
import { Scope } from './scope.ts';
import { isSearchService, searchedVariable } from './search-service.ts';
import { isPlain, isSeedable, type SeededNames } from './seedable.ts';
import { PatternStatistics } from './statistics.ts';
import {
  certainVariablesOf,
  conjuncts,
  decidedWithoutExists,
  expressionVariables,
  mentionsExists,
  replaceExists,
  variablesOf,
} from './variables.ts';

/** Where patterns look: the default graph, a named one, or every named one with a variable for its name. */
export interface ActiveGraph {
  /** CONSTANT, or the slot of the graph's variable. */
  readonly slot: number;
  readonly id: TermId;
}

/** For more graphs than so many a pattern is not planned for all of them before. */
const MAX_PLANNED_GRAPHS = 32;

/** From so many wanted rows on a join is planned for all. */
const MAX_FIRST_ROWS = 256;

/** Conditions of one place that are filters of their own; more are one. */
const MAX_FILTERS = 16;

export const DEFAULT_ACTIVE_GRAPH: ActiveGraph = { slot: CONSTANT, id: DEFAULT_GRAPH };

/** A part of a group that joins with the others. */
type Unit =
  | { readonly kind: 'pattern'; readonly pattern: QuadPattern; readonly slots: readonly number[] }
  | {
      readonly kind: 'path';
      readonly subject: PathEnd;
      readonly path: PathStep;
      readonly algebra: Path;
      readonly object: PathEnd;
      readonly graph: PathEnd;
      readonly slots: readonly number[];
    }
  | {
      readonly kind: 'triple';
      readonly slot: number;
      readonly parts: readonly PathEnd[];
      readonly slots: readonly number[];
    }
  | { readonly kind: 'operator'; readonly operator: Operator; readonly slots: readonly number[] }
  /** A search whose text comes with the rows. */
  | {
      readonly kind: 'search';
      readonly textSlot: number;
      readonly slots: readonly number[];
      readonly plan: (input: Operator) => Operator;
    };

/** Makes a plan of an algebra expression for one dataset: its constants are ids, its join order follows the dataset's counts. */
export class Planner {
  readonly source: QuadSource;
  private readonly conditions: Conditions;
  private readonly statistics: PatternStatistics;
  /** False: nothing is rewritten. */
  readonly optimize: boolean;
  /** Slots whose values stand as terms in the pattern that is being planned, which belongs to an EXISTS. */
  private substituted: ReadonlySet<number> = NO_SLOTS;

  constructor(source: QuadSource, conditions: Conditions, { optimize = true }: { optimize?: boolean } = {}) {
    this.source = source;
    this.conditions = conditions;
    this.statistics = new PatternStatistics(source);
    this.optimize = optimize;
  }

  /**
   * The plan of a whole query or WHERE clause over the default graph, of whose solutions only some variables are read.
   *
   * @param keep how many of the solutions anyone will look at
   */
  planFor(algebra: Algebra, scope: Scope, read: readonly string[], keep = Number.POSITIVE_INFINITY): Operator {
    const operator = this.plan(algebra, scope, DEFAULT_ACTIVE_GRAPH, keep);
    if (!this.optimize) return operator;
    return pruned(
      operator,
      read.map((name) => scope.slot(name)),
    );
  }

  /** @param keep how many rows anyone will look at, when that is known: lets ORDER BY keep no more, and joins begin where the first are found soon */
  plan(algebra: Algebra, scope: Scope, graph: ActiveGraph, keep = Number.POSITIVE_INFINITY): Operator {
    switch (algebra.type) {
      case 'bgp':
      case 'path':
      case 'join':
      case 'graph':
        return this.planGroup(algebra, [], scope, graph, undefined, keep);
      case 'filter':
        return this.planFilter(algebra, [], scope, graph);
      case 'values':
        return this.planValues(algebra, scope);
      case 'union':
        return new Union(algebra.operands.map((operand) => this.plan(operand, scope, graph)));
      case 'leftJoin':
        return this.planLeftJoin(algebra, this.plan(algebra.left, scope, graph), scope, graph);
      case 'minus': {
        const left = this.plan(algebra.left, scope, graph);
        return new HashJoin(left, this.plan(algebra.right, scope, graph), 'anti', left.estimate / 2);
      }
      case 'extend':
        return this.extend(this.plan(algebra.input, scope, graph), algebra.variable, algebra.expression, scope, graph);
      case 'group':
        return this.planAggregation(algebra, scope, graph);
      case 'orderBy': {
        let input = this.plan(algebra.input, scope, graph);
        for (const { expression } of algebra.conditions) input = this.numbered(input, expression, scope);
        const conditions = algebra.conditions.map(({ expression, descending }) => {
          const marked = this.marked(input, expression, scope, graph);
          input = marked.input;
          return { expression: marked.expression, descending };
        });
        const keys = conditions.map(({ expression, descending }) => ({
          descending,
          value: this.conditions.value(expression, scope, graph, this, solutionSlot(input)),
          expression,
        }));
        return new Order(input, keys, keep);
      }
      case 'project': {
        const inner = scope.subquery(algebra.variables);
        const input = this.plan(algebra.input, inner, graph, keep);
        return new Project(
          input,
          algebra.variables.map((name) => inner.slot(name)),
        );
      }
      case 'distinct':
        return new Distinct(this.plan(algebra.input, scope, graph));
      case 'reduced':
        return this.plan(algebra.input, scope, graph);
      case 'slice': {
        const { offset, limit } = algebra;
        const inner = this.optimize ? offset + Math.min(keep, limit ?? keep) : Number.POSITIVE_INFINITY;
        return new Slice(this.plan(algebra.input, scope, graph, inner), offset, limit);
      }
      case 'service':
        if (isSearchService(algebra)) return this.search(algebra, UNIT, scope, graph);
        if (algebra.silent) return UNIT;
        throw new WorldsError(
          'UNSUPPORTED',
          'SERVICE is refused: this engine makes no network requests. Use SERVICE SILENT, or the engine of @rdf-worlds/comunica with allowed endpoints.',
        );
    }
  }

  private search(service: Algebra & { type: 'service' }, input: Operator, scope: Scope, graph: ActiveGraph): Operator {
    const filterAll = this.filterAll.bind(this);
    try {
      return planSearch({ planner: this, filterAll, seededNames }, service, input, scope, graph);
    } catch (error) {
      if (service.silent && error instanceof WorldsError) return input;
      throw error;
    }
  }

  /** Plans a pattern to run for the rows of `start`, whose bindings it joins with. */
  planSeeded(algebra: Algebra, start: Operator, scope: Scope, graph: ActiveGraph): Operator {
    if (algebra.type === 'filter') return this.planFilter(algebra, [], scope, graph, start);
    if (algebra.type === 'union') {
      return new Union(algebra.operands.map((operand) => this.planSeeded(operand, start, scope, graph)));
    }
    return this.planGroup(algebra, [], scope, graph, start);
  }

  // --- filters

  private planFilter(
    algebra: Algebra & { type: 'filter' },
    outer: readonly Expression[],
    scope: Scope,
    graph: ActiveGraph,
    start?: Operator,
  ): Operator {
    const all = [...outer, ...conjuncts(algebra.condition)];
    const { input } = algebra;
    if (input.type === 'filter') return this.planFilter(input, all, scope, graph, start);
    if (start || input.type === 'bgp' || input.type === 'join' || input.type === 'path' || input.type === 'graph') {
      return this.planGroup(input, all, scope, graph, start);
    }
    if (this.optimize && input.type === 'leftJoin') {
      // What the right side cannot change may be asked before it is joined.
      const right = variablesOf(input.right);
      const early = all.filter(
        (one) => !mentionsExists(one) && [...expressionVariables(one)].every((name) => !right.has(name)),
      );
      const late = all.filter((one) => !early.includes(one));
      const left: Algebra =
        early.length > 0 ? { type: 'filter', input: input.left, condition: balanced('&&', early) } : input.left;
      const joined = this.planLeftJoin(input, this.plan(left, scope, graph), scope, graph);
      return this.filterAll(joined, late, scope, graph);
    }
    return this.filterAll(this.plan(input, scope, graph), all, scope, graph);
  }

  /** Many conditions become one, since each filter is an operator upon the one before. */
  private filterAll(input: Operator, conditions: readonly Expression[], scope: Scope, graph: ActiveGraph): Operator {
    let parts = conditions;
    const plain = conditions.filter((condition) => condition.type !== 'exists');
    if (plain.length > MAX_FILTERS) {
      parts = [balanced('&&', plain), ...conditions.filter((condition) => condition.type === 'exists')];
    }
    if (parts.length > MAX_PLAN_DEPTH) throw tooDeep();
    return parts.reduce((operator, condition) => this.filter(operator, condition, scope, graph), input);
  }

  private filter(input: Operator, condition: Expression, scope: Scope, graph: ActiveGraph): Operator {
    if (condition.type === 'exists') {
      const { pattern, negated } = condition;
      const seeded = this.seededPattern(input, pattern, scope, graph);
      if (seeded) return new Apply(input, seeded.seed, seeded.part, negated ? 'anti' : 'semi');
      return new ExistsFilter(input, negated, this.conditions.pattern(pattern, scope, graph, this), pattern);
    }
    const marked = this.marked(this.numbered(input, condition, scope), condition, scope, graph);
    const test = this.conditions.test(marked.expression, scope, graph, this, solutionSlot(marked.input));
    return new Filter(marked.input, test);
  }

  /** The pattern of an EXISTS, to be run for all rows of the input together; undefined where that is not the same as for each by itself. */
  private seededPattern(
    input: Operator,
    pattern: Algebra,
    scope: Scope,
    graph: ActiveGraph,
  ): { readonly seed: Seed; readonly part: Operator } | undefined {
    if (!this.optimize || !isSeedable(pattern, seededNames(input, scope), true)) return undefined;
    const seed = new Seed(input, scope.counter.take());
    const { substituted } = this;
    this.substituted = input.certain;
    const part = this.planSeeded(pattern, seed, scope, graph);
    this.substituted = substituted;
    return { seed, part };
  }

  /**
   * Takes EXISTS out of a larger expression: an operator of its own finds the answer, since it can look rows up together and pause, and a variable
   * brings it to the expression.
   */
  private marked(
    input: Operator,
    expression: Expression,
    scope: Scope,
    graph: ActiveGraph,
  ): { readonly input: Operator; readonly expression: Expression } {
    if (!mentionsExists(expression)) return { input, expression };
    let current = input;
    const replaced = replaceExists(expression, ({ pattern, negated }) => {
      const name = `.exists${scope.counter.names.length}`;
      const slot = scope.slot(name);
      const seeded = this.seededPattern(current, pattern, scope, graph);
      if (seeded) {
        current = new Apply(current, seeded.seed, seeded.part, 'mark', { markSlot: slot });
      } else {
        const decided = decidedWithoutExists(expression);
        const unless = decided && this.conditions.test(decided, scope, graph, this);
        const makePattern = this.conditions.pattern(pattern, scope, graph, this);
        current = new ExistsMark(current, slot, makePattern, pattern, unless);
      }
      const mark: Expression = { type: 'variable', name };
      return negated ? { type: 'call', function: '!', arguments: [mark] } : mark;
    });
    return { input: current, expression: replaced };
  }

  // --- joins

  private planGroup(
    algebra: Algebra,
    conditions: readonly Expression[],
    scope: Scope,
    graph: ActiveGraph,
    start?: Operator,
    keep = Number.POSITIVE_INFINITY,
  ): Operator {
    const units: Unit[] = [];
    this.addUnits(algebra, scope, graph, units);
    // Each is an operator upon the one before.
    if (units.length > MAX_PLAN_DEPTH) throw tooDeep();
    const order =
      this.optimize && units.length > 1
        ? new JoinOrder(units, (unit, current) => this.joinRows(unit, current), isRunnable)
        : undefined;
    let current = start;
    let waiting = conditions.map((condition) => waitingFor(condition, scope));
    const applyReady = (isLast: boolean): void => {
      if (!current || waiting.length === 0) return;
      const ready = isLast ? waiting : waiting.filter((one) => isReady(one, current!, units));
      if (ready.length === 0) return;
      const done = new Set(ready);
      waiting = waiting.filter((one) => !done.has(one));
      current = this.filterAll(
        current,
        ready.map(({ condition }) => condition),
        scope,
        graph,
      );
    };
    if (this.optimize) applyReady(false);
    while (units.length > 0) {
      let next = order?.take(current) ?? firstRunnable(units, current);
      if (order && !current && keep <= MAX_FIRST_ROWS) next = order.instead(next, this.beginning(next, units));
      units.splice(units.indexOf(next), 1);
      current = this.join(current, next);
      if (this.optimize) applyReady(false);
    }
    current ??= UNIT;
    applyReady(true);
    return current;
  }

  /** The part to begin with when only the first rows are wanted; `first` is what the estimates would take. */
  private beginning(first: Unit, units: readonly Unit[]): Unit {
    const patterns = units.filter((unit) => unit.kind === 'pattern');
    if (first.kind !== 'pattern' || patterns.length < units.length) return first;
    const others = patterns.filter((unit) => unit !== first).map(({ pattern }) => pattern);
    const best = bestBeginning([first.pattern, ...others], this.source);
    return patterns.find(({ pattern }) => pattern === best) ?? first;
  }

  private addUnits(algebra: Algebra, scope: Scope, graph: ActiveGraph, units: Unit[]): void {
    switch (algebra.type) {
      case 'join':
        for (const operand of algebra.operands) this.addUnits(operand, scope, graph, units);
        return;
      case 'bgp':
        if (algebra.patterns.length === 0 && graph.id !== DEFAULT_GRAPH) this.addGraphNames(graph, units);
        for (const { subject, predicate, object } of algebra.patterns) {
          const ends = [subject, predicate, object].map((term) => this.end(term, scope, units));
          units.push(patternUnit(ends, graph, { subject, predicate, object }));
        }
        return;
      case 'path': {
        // A path of length zero needs a graph to be in.
        if (graph.id !== DEFAULT_GRAPH) this.addGraphNames(graph, units);
        const subject = this.end(algebra.subject, scope, units, true);
        const object = this.end(algebra.object, scope, units, true);
        const slots = [subject.slot, object.slot].filter((slot) => slot !== CONSTANT);
        units.push({
          kind: 'path',
          subject,
          path: this.pathStep(algebra.path),
          algebra: algebra.path,
          object,
          graph,
          slots,
        });
        return;
      }
      case 'graph':
        this.addGraph(algebra, scope, units);
        return;
      default: {
        const text = algebra.type === 'service' && isSearchService(algebra) ? searchedVariable(algebra) : undefined;
        if (text !== undefined && algebra.type === 'service') {
          const slots = Array.from(variablesOf(algebra), (name) => scope.slot(name));
          const plan = (input: Operator) => this.search(algebra, input, scope, graph);
          units.push({ kind: 'search', textSlot: scope.slot(text), slots, plan });
          return;
        }
        const operator = this.plan(algebra, scope, graph);
        units.push({ kind: 'operator', operator, slots: operator.slots });
      }
    }
  }

  private addGraph(algebra: Algebra & { type: 'graph' }, scope: Scope, units: Unit[]): void {
    const { name, input } = algebra;
    if (name.termType !== 'Variable') {
      const id = this.source.terms.find(name);
      const graph = { slot: CONSTANT, id: id === NO_TERM ? UNKNOWN_GRAPH : id };
      // A graph that is not there has no solutions, also where its pattern would need no triple.
      if (!needsTriples(input)) this.addGraphNames(graph, units);
      this.addUnits(input, scope, graph, units);
      return;
    }
    const slot = scope.slot(name.value);
    const graph = { slot, id: ANY_NAMED_GRAPH };
    if (isPlain(input)) {
      this.addUnits(input, scope, graph, units);
      return;
    }
    // In general the pattern is evaluated for each graph by itself, and the name joined to its solutions.
    const { graphs } = this.source;
    const planFor = (id: TermId, within = scope): Operator => {
      const inner = this.plan(input, within, { slot: CONSTANT, id });
      const named = new Rows([slot], [[this.source.terms.term(id)]]);
      return new HashJoin(inner, named, 'inner', inner.estimate);
    };
    if (graphs.length > MAX_PLANNED_GRAPHS) {
      const operator = this.eachGraph(slot, input, scope, planFor);
      units.push({ kind: 'operator', operator, slots: operator.slots });
      return;
    }
    const operators = Array.from(graphs, (id) => planFor(id));
    const operator = operators.length === 1 ? operators[0] : new Union(operators);
    units.push({ kind: 'operator', operator, slots: operators.length === 0 ? [slot] : operator.slots });
  }

  /** Plans the pattern for one graph, to know about it, and for each of them when it runs. */
  private eachGraph(
    slot: number,
    input: Algebra,
    scope: Scope,
    planFor: (graph: TermId, within?: Scope) => Operator,
  ): Operator {
    const { graphs } = this.source;
    const { substituted } = this;
    const slotsOfNames = (names: Iterable<string>) => Array.from(names, (name) => scope.slot(name));
    const slots = slotsOfNames(variablesOf(input));
    const estimate = planFor(graphs[0]).estimate * graphs.length;
    const planLater = (graph: TermId): Operator => {
      const before = this.substituted;
      const taken = scope.counter.names.length;
      this.substituted = substituted;
      try {
        return planFor(graph, new Scope(scope.counter, scope.names()));
      } finally {
        this.substituted = before;
        // Rows of this plan are seen by no other but through the slots of its variables: the numbers that it took are free again.
        scope.counter.names.length = taken;
      }
    };
    return new GraphEach(slot, slots, slotsOfNames(certainVariablesOf(input)), estimate, input, planLater);
  }

  private addGraphNames(graph: ActiveGraph, units: Unit[]): void {
    const operator =
      graph.slot === CONSTANT
        ? new GraphNames(undefined, graph.id === UNKNOWN_GRAPH ? NO_TERM : graph.id, 1)
        : new GraphNames(graph.slot, NO_TERM, this.source.graphs.length);
    units.push({ kind: 'operator', operator, slots: operator.slots });
  }

  /** One end of a pattern: a slot or an id. A triple term with variables becomes a variable that is taken apart afterwards. */
  private end(term: PatternTerm, scope: Scope, units: Unit[], mustExist = false): PathEnd {
    if (term.termType === 'Variable') return { slot: scope.slot(term.value), id: NO_TERM };
    if (term.termType === 'TriplePattern') {
      const slot = scope.counter.take();
      const parts = [term.subject, term.predicate, term.object].map((part) => this.end(part, scope, units, true));
      const slots = [slot, ...parts.map((part) => part.slot).filter((one) => one !== CONSTANT)];
      units.push({ kind: 'triple', slot, parts, slots });
      return { slot, id: NO_TERM };
    }
    const { terms } = this.source;
    return { slot: CONSTANT, id: mustExist ? terms.intern(term as RDF.Term) : terms.find(term as RDF.Term) };
  }

  private pathStep(path: Path): PathStep {
    const { terms } = this.source;
    switch (path.type) {
      case 'link':
        return { type: 'link', id: terms.find(path.iri) };
      case 'sequence':
      case 'alternative':
        return { type: path.type, paths: path.paths.map((one) => this.pathStep(one)) };
      case 'negated': {
        const ids = (iris: readonly RDF.NamedNode[] | undefined) => iris && new Set(iris.map((iri) => terms.find(iri)));
        return { type: 'negated', forward: ids(path.forward), backward: ids(path.backward) };
      }
      default:
        return { type: path.type, path: this.pathStep(path.path) };
    }
  }

  private rowsAfter(unit: Unit, current: Operator | undefined): number {
    const { perRow, fixed } = this.joinRows(unit, current);
    return (current ? Math.max(1, current.estimate) : 1) * perRow + fixed;
  }

  private joinRows(unit: Unit, current: Operator | undefined): JoinRows {
    switch (unit.kind) {
      case 'pattern':
        return { perRow: this.statistics.fanOut(unit.pattern, current?.slots ?? []), fixed: 0 };
      case 'path':
        return { perRow: this.pathRows(unit, current), fixed: 0 };
      case 'triple':
        return { perRow: 1, fixed: 0 };
      case 'search':
        return { perRow: 100, fixed: 0 };
      case 'operator': {
        const { estimate } = unit.operator;
        const isApart = current && !unit.slots.some((slot) => current.slots.includes(slot));
        return isApart ? { perRow: estimate, fixed: 0 } : { perRow: 0, fixed: estimate };
      }
    }
  }

  /** The rows of a path for one row that is there. */
  private pathRows({ subject, object, path, graph }: Unit & { kind: 'path' }, current: Operator | undefined): number {
    const { source } = this;
    const graphId = graph.slot === CONSTANT ? graph.id : ANY_NAMED_GRAPH;
    const isKnown = ({ slot }: PathEnd) => slot === CONSTANT || (current?.slots.includes(slot) ?? false);
    if (isKnown(subject) && isKnown(object)) return 0.5;
    const pairs = pathPairs(path, source, graphId);
    if (isKnown(subject)) return Math.min(pairs, pathEnds(path, subject.id, true, source, graphId));
    if (isKnown(object)) return Math.min(pairs, pathEnds(path, object.id, false, source, graphId));
    return pairs;
  }

  private join(current: Operator | undefined, unit: Unit): Operator {
    switch (unit.kind) {
      case 'pattern': {
        const rows = this.rowsAfter(unit, current);
        if (!current || current === UNIT) return new Scan(unit.pattern, rows);
        return new ProbeJoin(current, unit.pattern, rows);
      }
      case 'path':
        return new PathJoin(
          current ?? UNIT,
          unit.subject,
          unit.path,
          unit.object,
          unit.graph,
          this.substituted,
          unit.algebra,
          this.rowsAfter(unit, current),
        );
      case 'triple':
        return new TripleMatch(current ?? UNIT, unit.slot, unit.parts);
      case 'search':
        return unit.plan(current ?? UNIT);
      case 'operator': {
        if (!current || current === UNIT) return unit.operator;
        const { operator } = unit;
        const shared = operator.slots.some((slot) => current.slots.includes(slot));
        const estimate = shared ? Math.max(current.estimate, operator.estimate) : current.estimate * operator.estimate;
        return new HashJoin(current, operator, 'inner', estimate);
      }
    }
  }

  private planLeftJoin(
    { right, condition }: Algebra & { type: 'leftJoin' },
    left: Operator,
    scope: Scope,
    graph: ActiveGraph,
  ): Operator {
    const seeded = seededNames(left, scope);
    const shares = [...variablesOf(right)].some((name) => seeded.all.has(name));
    if (this.optimize && shares && isSeedable(right, seeded, false) && !(condition && needsSolutionNumber(condition))) {
      const seed = new Seed(left, scope.counter.take());
      const part = this.planSeeded(right, seed, scope, graph);
      // A condition with EXISTS becomes a filter of the part: as an operator it can pause.
      if (condition && mentionsExists(condition)) {
        return new Apply(left, seed, this.filterAll(part, conjuncts(condition), scope, graph), 'left');
      }
      return new Apply(left, seed, part, 'left', {
        condition: condition && this.conditions.test(condition, scope, graph, this),
      });
    }
    const other = this.plan(right, scope, graph);
    const estimate = Math.max(left.estimate, other.estimate);
    return new HashJoin(
      left,
      other,
      'left',
      estimate,
      condition && this.conditions.test(condition, scope, graph, this),
    );
  }

  // --- the rest

  private planValues({ variables, rows }: Algebra & { type: 'values' }, scope: Scope): Operator {
    return new Rows(
      variables.map((name) => scope.slot(name)),
      rows,
    );
  }

  private extend(
    input: Operator,
    variable: string,
    expression: Expression,
    scope: Scope,
    graph: ActiveGraph,
  ): Operator {
    const marked = this.marked(this.numbered(input, expression, scope), expression, scope, graph);
    const slot = scope.slot(variable);
    const term = this.conditions.term(marked.expression, scope, graph, this, solutionSlot(marked.input));
    return new Extend(marked.input, slot, term);
  }

  /**
   * BNODE(label) is one node a solution (section 17.4.2.9): the solution needs a number that stays with it. Each operator that numbers has a slot of its
   * own, so that a join of numbered rows does not take their numbers for a variable that they share.
   */
  private numbered(input: Operator, expression: Expression, scope: Scope): Operator {
    if (!needsSolutionNumber(expression) || solutionSlot(input) !== undefined) return input;
    return new RowNumber(input, scope.counter.take());
  }

  private planAggregation(
    { input, keys, aggregates }: Algebra & { type: 'group' },
    scope: Scope,
    graph: ActiveGraph,
  ): Operator {
    const counted = this.countFromRange(input, keys.length, aggregates, scope, graph);
    if (counted) return counted;
    // What is below the grouping is seen only through the keys and aggregates.
    const inner = scope.subquery([]);
    let operator = this.plan(input, inner, graph);
    const keySlots: number[] = [];
    const keyPairs: [inner: number, outer: number][] = [];
    for (const { variable, expression } of keys) {
      if (expression.type !== 'variable') operator = this.extend(operator, variable, expression, inner, graph);
      const name = expression.type === 'variable' ? expression.name : variable;
      const slot = inner.slot(name);
      keySlots.push(slot);
      keyPairs.push([slot, scope.slot(variable)]);
    }
    const specs = aggregates.map(({ variable, aggregate }) => {
      const { argument } = aggregate;
      const slot = scope.slot(variable);
      // Blank nodes of a pattern are variables of the plan, but not of a solution (section 18.3.1).
      if (!argument) return { slot, aggregate, solutionSlots: visibleSlots(operator, inner) };
      if (argument.type === 'variable') return { slot, aggregate, argumentSlot: inner.slot(argument.name) };
      const marked = this.marked(this.numbered(operator, argument, inner), argument, inner, graph);
      operator = marked.input;
      return {
        slot,
        aggregate,
        argument: this.conditions.value(marked.expression, inner, graph, this, solutionSlot(operator)),
      };
    });
    const unique = [...new Set(keySlots)];
    const missing = unique.filter((slot) => !operator.slots.includes(slot));
    if (missing.length > 0) operator = unbound(operator, missing);
    const grouped = new Group(operator, unique, specs);
    return new Project(grouped, [...keyPairs.map(([, outer]) => outer), ...specs.map(({ slot }) => slot)], keyPairs);
  }

  /** COUNT(*) of one pattern is the length of its range. */
  private countFromRange(
    input: Algebra,
    keys: number,
    aggregates: (Algebra & { type: 'group' })['aggregates'],
    scope: Scope,
    graph: ActiveGraph,
  ): Operator | undefined {
    if (!this.optimize || keys > 0 || aggregates.length !== 1) return undefined;
    const [{ variable, aggregate }] = aggregates;
    if (aggregate.function !== 'COUNT' || aggregate.distinct) return undefined;
    if (input.type !== 'bgp' || input.patterns.length !== 1) return undefined;
    const inner = scope.subquery([]);
    const units: Unit[] = [];
    this.addUnits(input, inner, graph, units);
    const [unit] = units;
    if (units.length !== 1 || unit.kind !== 'pattern') return undefined;
    const slots = unit.pattern.slots.filter((slot) => slot !== CONSTANT);
    if (new Set(slots).size !== slots.length) return undefined;
    const { argument } = aggregate;
    if (argument && !(argument.type === 'variable' && slots.includes(inner.slot(argument.name)))) return undefined;
    return new CountRange(unit.pattern, scope.slot(variable));
  }
}

const NO_SLOTS: ReadonlySet<number> = new Set();

/** One row without bindings. */
const UNIT: Operator = new Rows([], [[]]);

/** A graph that the dataset does not know: no pattern matches in it. */
const UNKNOWN_GRAPH: TermId = -1;

/** The slot with the number of a solution, if the rows have one: behind what leaves each solution one row. */
function solutionSlot(operator: Operator): number | undefined {
  let one = operator;
  while (
    one instanceof Extend ||
    one instanceof Filter ||
    one instanceof Order ||
    one instanceof ExistsMark ||
    (one instanceof Apply && one.kind === 'mark')
  ) {
    [one] = one.inputs;
  }
  return one instanceof RowNumber ? one.slot : undefined;
}

function patternUnit(ends: readonly PathEnd[], graph: ActiveGraph, triple: TriplePattern): Unit {
  const [s, p, o] = ends;
  const pattern: QuadPattern = {
    ids: [s.id, p.id, o.id, graph.id],
    slots: [s.slot, p.slot, o.slot, graph.slot],
    triple,
    impossible: graph.id === UNKNOWN_GRAPH || ends.some(({ slot, id }) => slot === CONSTANT && id === NO_TERM),
  };
  return { kind: 'pattern', pattern, slots: slotsOf(pattern) };
}

/** Whether there can be a solution only where there is a triple. */
function needsTriples(algebra: Algebra): boolean {
  return algebra.type === 'bgp' && algebra.patterns.length > 0;
}

/** A triple term can be taken apart once it is bound. */
function isRunnable(unit: Unit, current: Operator | undefined): boolean {
  if (unit.kind === 'triple') return current?.slots.includes(unit.slot) ?? false;
  if (unit.kind === 'search') return current?.slots.includes(unit.textSlot) ?? false;
  // A path is walked in one graph: its name must be there in every row.
  if (unit.kind === 'path') return unit.graph.slot === CONSTANT || (current?.certain.has(unit.graph.slot) ?? false);
  return true;
}

function firstRunnable(units: readonly Unit[], current: Operator | undefined): Unit {
  return units.find((unit) => isRunnable(unit, current)) ?? units[0];
}

function seededNames({ slots, certain }: Operator, scope: Scope): SeededNames {
  const all = new Set<string>();
  const bound = new Set<string>();
  const given = new Set(slots);
  for (const [name, slot] of scope.names()) {
    if (given.has(slot)) all.add(name);
    if (certain.has(slot)) bound.add(name);
  }
  return { all, certain: bound };
}

/** The slots of names that a text can have. */
function visibleSlots({ slots }: Operator, scope: Scope): number[] {
  const visible: number[] = [];
  const given = new Set(slots);
  for (const [name, slot] of scope.names()) if (!name.startsWith('.') && given.has(slot)) visible.push(slot);
  return visible;
}

/** The same rows with slots that are unbound in all. */
function unbound(operator: Operator, slots: readonly number[]): Operator {
  return new Union([operator, new Rows(slots, [])]);
}

/** A condition of a group that waits for its variables. */
interface WaitingCondition {
  readonly condition: Expression;
  readonly needsAll: boolean;
  readonly slots: readonly number[];
}

function waitingFor(condition: Expression, scope: Scope): WaitingCondition {
  const needsAll = mentionsExists(condition);
  const slots: number[] = [];
  for (const name of expressionVariables(condition)) {
    const slot = scope.find(name);
    if (slot !== undefined) slots.push(slot);
  }
  return { condition, needsAll, slots };
}

/** A condition may be asked once what it mentions is bound in every row, or will not be bound by what is left to join. */
function isReady({ needsAll, slots }: WaitingCondition, current: Operator, rest: readonly Unit[]): boolean {
  if (needsAll) return rest.length === 0;
  return slots.every((slot) => current.certain.has(slot) || !rest.some((unit) => unit.slots.includes(slot)));
}
