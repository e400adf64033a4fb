import type { Changes, QuadColumns } from '../contracts/changes.ts';
import { QuadBatch } from '../contracts/quad-batch.ts';
import { QuadList } from '../contracts/quad-list.ts';
import type { QuadSource } from '../contracts/quad-source.ts';
import { Slicer } from '../contracts/slicer.ts';
import type { EvaluateOptions, UpdateView } from '../contracts/sparql-engine.ts';
import { DEFAULT_GRAPH, NO_TERM, type TermId } from '../contracts/term-source.ts';
import { dataFactory } from '../model/term.ts';
import { throwIfAborted, WorldsError } from '../model/worlds-error.ts';
import type { GraphOperand, Update, UpdateOperation } from './algebra/algebra.ts';
import { canonicalModify } from './canonical-order.ts';
import { DataTemplate } from './data-template.ts';
import type { Operator } from './exec/operator.ts';
import type { ModifyQuery } from './modify-query.ts';
import { PacedStream } from './paced-stream.ts';
import { datasetOf, type Evaluation, openEvaluation, type PlannedQuery, planIn } from './plan-query.ts';
import type { RequestOptions } from './request-options.ts';
import { withoutOverflow } from './stack-depth.ts';
import { Template, templateVariables } from './template.ts';

type Operation<Type extends UpdateOperation['type']> = Extract<UpdateOperation, { type: Type }>;

/**
 * Runs the operations of a request in order. Each operation sees the effects of the previous ones
 * (SPARQL 1.1 Update section 3).
 */
export function executeUpdate(
  { operations }: Update,
  view: UpdateView,
  request: RequestOptions,
  options: EvaluateOptions,
  planModify?: PlanModify,
): void | Promise<void> {
  return new UpdateRun(operations, view, request, options, planModify).run();
}

/** Plans the only operation of an update as a query (`modifyQuery`). */
export type PlanModify = (source: QuadSource) => PlannedQuery | Promise<PlannedQuery>;

/** State of one update request. */
class UpdateRun {
  private readonly operations: readonly UpdateOperation[];
  private readonly view: UpdateView;
  private readonly request: RequestOptions;
  private readonly options: EvaluateOptions;
  private readonly planModify: PlanModify | undefined;
  private readonly slicer: Slicer;
  private next = 0;
  /**
   * Named graphs that may have gained quads since all of them were cleared. Makes the cost of
   * another CLEAR proportional to what was written since the last one. Undefined while not tracked.
   */
  private filled: Set<TermId> | undefined;

  constructor(
    operations: readonly UpdateOperation[],
    view: UpdateView,
    request: RequestOptions,
    options: EvaluateOptions,
    planModify: PlanModify | undefined,
  ) {
    this.operations = operations;
    this.view = view;
    this.request = request;
    this.options = options;
    this.planModify = planModify;
    this.slicer = new Slicer(options.signal);
  }

  /** Runs synchronously while the time slice lasts; returns a promise for the rest. */
  run(): void | Promise<void> {
    try {
      while (this.next < this.operations.length) {
        throwIfAborted(this.options.signal);
        const running = this.step();
        if (running) return this.goOn(running);
        if (this.next < this.operations.length && this.slicer.due) return this.goOn(this.slicer.pause());
      }
    } catch (error) {
      throw withoutOverflow(error);
    }
  }

  /** Awaits an operation or a pause, then runs the remaining operations. */
  private async goOn(running: Promise<void>): Promise<void> {
    try {
      await running;
      while (this.next < this.operations.length) {
        throwIfAborted(this.options.signal);
        if (this.slicer.due) await this.slicer.pause();
        const step = this.step();
        if (step) await step;
      }
    } catch (error) {
      throw withoutOverflow(error);
    }
  }

  /**
   * Runs the next operation, or merges the next few if the result is the same. Returns a promise
   * only if it has to wait; a few triples of data are applied synchronously.
   */
  private step(): void | Promise<void> {
    const operation = this.operations[this.next];
    if (operation.type === 'insertData' || operation.type === 'deleteData') return this.data();
    this.next++;
    const { view, slicer } = this;
    switch (operation.type) {
      case 'modify':
        return this.modify(operation);
      case 'clear':
      case 'drop':
        return this.emptyGraphs(operation);
      case 'create':
        return createGraph(operation, view);
      case 'add':
      case 'move':
      case 'copy': {
        const changes = transfer(operation, view, slicer);
        return changes.then((made) => (made ? this.apply(made) : undefined));
      }
      case 'load':
        // A LOAD without SILENT was rejected before any operation ran.
        return undefined;
    }
  }

  private apply(changes: Changes): void | Promise<void> {
    const applying = this.view.apply(changes);
    if (!this.filled || !changes.inserted) return applying;
    return applying ? applying.then(() => this.noteFilled(changes.inserted!)) : this.noteFilled(changes.inserted);
  }

  private noteFilled({ graph, length }: QuadColumns): void {
    let last = DEFAULT_GRAPH;
    for (let row = 0; row < length && this.filled; row++) {
      if (graph[row] === last) continue;
      last = graph[row];
      // Tracking stops if a graph has another name in the target world, as foreign blank nodes do.
      if (last === DEFAULT_GRAPH) continue;
      if (this.view.hasTargetGraph(last)) this.filled.add(last);
      else this.filled = undefined;
    }
  }

  /**
   * Merges the following INSERT DATA and DELETE DATA operations into one change. Nothing reads
   * between them. A change deletes before it inserts (section 3.1.3), so a DELETE DATA after an
   * INSERT DATA starts a new change.
   */
  private data(): void | Promise<void> {
    const changes: { deleted?: QuadList; inserted?: QuadList } = {};
    const making = this.slicer.runOrWait(this.collect(changes));
    return making ? making.then(() => this.apply(changes)) : this.apply(changes);
  }

  /** Kernel; yields between operations. */
  private *collect(changes: { deleted?: QuadList; inserted?: QuadList }): Generator<void, void, void> {
    const { operations, view } = this;
    for (;;) {
      const operation = operations[this.next];
      let list: QuadList;
      if (operation.type === 'insertData') list = changes.inserted ??= new QuadList(operation.quads.length);
      else if (operation.type === 'deleteData' && !changes.inserted)
        list = changes.deleted ??= new QuadList(operation.quads.length);
      else return;
      // Section 3.1.1: blank nodes in the data are fresh for each operation.
      yield* new DataTemplate(view.terms).instantiate(operation.quads, list);
      if (++this.next === operations.length) return;
      yield;
    }
  }

  /**
   * DELETE/INSERT (section 3.1.3): evaluates WHERE once against the state before, then applies all
   * deletions, then all insertions.
   */
  private async modify(operation: Operation<'modify'>): Promise<void> {
    const { view, request, options } = this;
    if (options.dataset && (operation.using || operation.with !== undefined)) {
      throw new WorldsError(
        'INVALID_ARGUMENT',
        'Both the request and the update (USING or WITH) name graphs; use only one of the two (SPARQL 1.1 Protocol 2.2.3).',
      );
    }
    const readsNamedGraphs = operation.readsNamedGraphs || Boolean(operation.using ?? options.dataset);
    const preparing = view.prepareSource?.(readsNamedGraphs);
    if (preparing) await preparing;
    const planning = this.planModify
      ? plannedModify(this.planModify(view.source))
      : planWhere(operation, view.source, request, options);
    const { evaluation, plan, templates, withGraph } = planning instanceof Promise ? await planning : planning;
    const { source, scope, execution } = evaluation;
    const toDelete = new Template(templates.delete, source.terms, scope, withGraph);
    const toInsert = new Template(templates.insert, source.terms, scope, withGraph);
    const deleted = new QuadList(undefined, execution);
    const inserted = new QuadList(undefined, execution);
    for await (const batch of new PacedStream(execution.run(plan), execution)) {
      for (const step of [toDelete.instantiateAll(batch, deleted), toInsert.instantiateAll(batch, inserted)]) {
        for (const _ of step) if (execution.pauseDue) await execution.pause();
      }
    }
    for (const list of [deleted, inserted]) {
      for (const _ of list.settle()) if (execution.pauseDue) await execution.pause();
    }
    await this.apply({ deleted, inserted });
    // The operations of a request share its memory limit.
    execution.releaseMemory();
  }

  /**
   * CLEAR (section 3.1.5) keeps the emptied graphs, DROP (section 3.2.2) removes them. The default
   * graph always exists.
   */
  private emptyGraphs(operation: Operation<'clear' | 'drop'>): void | Promise<void> {
    const { view } = this;
    const { type, target, silent } = operation;
    const graphs: TermId[] = [];
    if (target === 'default' || target === 'all') graphs.push(DEFAULT_GRAPH);
    if (target === 'named' || target === 'all') {
      const isFilled = (graph: TermId) => view.hasTargetGraph(graph);
      if (type === 'clear' && this.filled) for (const graph of this.filled) if (isFilled(graph)) graphs.push(graph);
      if (type === 'drop' || !this.filled) for (const graph of view.targetGraphs) graphs.push(graph);
      this.filled = new Set();
    }
    if (typeof target === 'object') {
      const graph = graphOf(target, view);
      if (view.hasTargetGraph(graph)) graphs.push(graph);
      else if (!silent) throw missing(type, target);
    }
    const kept = type === 'clear' ? graphs.filter((graph) => graph !== DEFAULT_GRAPH) : [];
    if (graphs.length > 0) return view.apply({ droppedGraphs: graphs, createdGraphs: kept });
  }
}

/** The plan of a WHERE, and what is made of its solutions. */
interface PlannedModify {
  readonly evaluation: Evaluation;
  readonly plan: Operator;
  readonly templates: Pick<Operation<'modify'>, 'delete' | 'insert'>;
  /** The graph of triples outside GRAPH in the templates. */
  readonly withGraph: TermId;
}

/** Plans WHERE over the dataset of USING or WITH (section 3.1.3). */
export function planWhere(
  given: Operation<'modify'>,
  whole: QuadSource,
  request: RequestOptions,
  options: EvaluateOptions,
): PlannedModify | Promise<PlannedModify> {
  const operation = options.canonicalOrder ? canonicalModify(given) : given;
  const withGraph =
    operation.with === undefined ? DEFAULT_GRAPH : whole.terms.intern(dataFactory.namedNode(operation.with));
  const source =
    operation.using || options.dataset
      ? datasetOf(whole, operation.using, options, request.limits)
      : operation.with === undefined
        ? whole
        : whole.dataset([withGraph], whole.graphs);
  const evaluation = openEvaluation(source, request, options, operation.baseIri);
  const read = templateVariables([...operation.delete, ...operation.insert]);
  const planning = planIn(evaluation, operation.where, read);
  const planned = (plan: Operator) => ({ evaluation, plan, templates: operation, withGraph });
  return planning instanceof Promise ? planning.then(planned) : planned(planning);
}

function plannedModify(planning: ReturnType<PlanModify>): PlannedModify | Promise<PlannedModify> {
  if (planning instanceof Promise) return planning.then(plannedModify);
  const { query, evaluation, operator } = planning;
  const { template, deletes } = query as ModifyQuery;
  const templates = { delete: template.slice(0, deletes), insert: template.slice(deletes) };
  return { evaluation, plan: operator!, templates, withGraph: DEFAULT_GRAPH };
}

/** Implements CREATE (section 3.2.1). */
function createGraph({ iri, silent }: Operation<'create'>, view: UpdateView): void | Promise<void> {
  const graph = graphOf({ iri }, view);
  if (!view.hasTargetGraph(graph)) return view.apply({ createdGraphs: [graph] });
  if (!silent) {
    throw new WorldsError('ALREADY_EXISTS', `CREATE: the graph <${iri}> exists; write CREATE SILENT to ignore this.`);
  }
}

/**
 * Computes the changes of ADD, MOVE and COPY (sections 3.2.3 to 3.2.5). Returns undefined if source
 * and target are the same graph, which is a no-op.
 */
async function transfer(
  operation: Operation<'add' | 'move' | 'copy'>,
  view: UpdateView,
  slicer: Slicer,
): Promise<Changes | undefined> {
  const { type, from, to, silent } = operation;
  const source = graphOf(from, view);
  const target = graphOf(to, view);
  if (source === target) return undefined;
  if (source !== DEFAULT_GRAPH && !view.hasTargetGraph(source)) {
    // "By default, the service MAY return failure if the input graph does not exist. If SILENT is
    // present, the result of the operation will always be success." (section 3.2.4) A failed
    // operation has no effect at all: the target graph is kept.
    if (silent) return undefined;
    throw missing(type, from);
  }
  const inserted = new QuadList();
  const batch = new QuadBatch();
  const cursor = view.target.cursor();
  cursor.seek(NO_TERM, NO_TERM, NO_TERM, source);
  while (cursor.next(batch) > 0) {
    for (let row = 0; row < batch.length; row++) {
      inserted.add(batch.subject[row], batch.predicate[row], batch.object[row], target);
    }
    if (slicer.due) await slicer.pause();
  }
  return {
    droppedGraphs: [...(type === 'add' ? [] : [target]), ...(type === 'move' ? [source] : [])],
    // The target graph exists afterwards, even if no quads were copied.
    createdGraphs: target === DEFAULT_GRAPH ? [] : [target],
    inserted,
  };
}

function graphOf(graph: GraphOperand, view: UpdateView): TermId {
  return graph === 'default' ? DEFAULT_GRAPH : view.terms.intern(dataFactory.namedNode(graph.iri));
}

function missing(type: string, graph: GraphOperand): WorldsError {
  const keyword = type.toUpperCase();
  const name = graph === 'default' ? 'DEFAULT' : `<${graph.iri}>`;
  return new WorldsError(
    'NOT_FOUND',
    `${keyword}: the graph ${name} does not exist; write ${keyword} SILENT to ignore this.`,
  );
}
