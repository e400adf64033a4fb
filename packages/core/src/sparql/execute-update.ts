import { dataFactory } from '../model/term.ts';
import { throwIfAborted, WorldsError } from '../model/worlds-error.ts';
import { QuadList } from '../storage/quad-list.ts';
import { QuadBatch, type QuadSource } from '../storage/quad-source.ts';
import { Slicer } from '../storage/slicer.ts';
import type { EvaluateOptions, UpdateView } from '../storage/sparql-engine.ts';
import { DEFAULT_GRAPH, NO_TERM, type TermId } from '../storage/term-source.ts';
import type { GraphOperand, TemplateQuad, Update, UpdateOperation } from './algebra/algebra.ts';
import { canonicalModify } from './canonical-order.ts';
import { DataTemplate } from './data-template.ts';
import { datasetOf, type Evaluation, openEvaluation, planIn, type RequestOptions } from './evaluate-query.ts';
import type { Operator } from './exec/operator.ts';
import { PacedStream } from './paced-stream.ts';
import { withoutOverflow } from './stack-depth.ts';
import { Template, templateVariables } from './template.ts';

type Operation<Type extends UpdateOperation['type']> = Extract<UpdateOperation, { type: Type }>;

/** Runs the operations of a request in order; each sees what those before it did (SPARQL 1.1 Update section 3). */
export function executeUpdate(
  { operations }: Update,
  view: UpdateView,
  request: RequestOptions,
  options: EvaluateOptions,
): void | Promise<void> {
  const slicer = new Slicer(options.signal);
  try {
    for (let i = 0; i < operations.length; i++) {
      throwIfAborted(options.signal);
      const running = execute(operations[i], view, request, options, slicer);
      if (running) return goOn(running, operations.slice(i + 1), view, request, options, slicer);
    }
  } catch (error) {
    throw withoutOverflow(error);
  }
}

/** Waits for an operation, then runs the others. */
async function goOn(
  running: Promise<void>,
  operations: readonly UpdateOperation[],
  view: UpdateView,
  request: RequestOptions,
  options: EvaluateOptions,
  slicer: Slicer,
): Promise<void> {
  try {
    await running;
    for (const operation of operations) {
      throwIfAborted(options.signal);
      const next = execute(operation, view, request, options, slicer);
      if (next) await next;
    }
  } catch (error) {
    throw withoutOverflow(error);
  }
}

/** Runs one operation. What is done at once, as a few triples of data are, gives nothing to wait for. */
function execute(
  operation: UpdateOperation,
  view: UpdateView,
  request: RequestOptions,
  options: EvaluateOptions,
  slicer: Slicer,
): void | Promise<void> {
  switch (operation.type) {
    case 'insertData': {
      const inserted = dataOf(operation.quads, view, slicer);
      return inserted instanceof Promise
        ? inserted.then((ready) => view.apply({ inserted: ready }))
        : view.apply({ inserted });
    }
    case 'deleteData': {
      const deleted = dataOf(operation.quads, view, slicer);
      return deleted instanceof Promise
        ? deleted.then((ready) => view.apply({ deleted: ready }))
        : view.apply({ deleted });
    }
    case 'modify':
      return modify(operation, view, request, options);
    case 'clear':
    case 'drop':
      return emptyGraphs(operation, view);
    case 'create':
      return createGraph(operation, view);
    case 'add':
    case 'move':
    case 'copy':
      return transfer(operation, view, slicer);
    case 'load':
      // LOAD without SILENT was refused before anything ran.
      return undefined;
  }
}

/** The quads of INSERT DATA and DELETE DATA. */
function dataOf(quads: readonly TemplateQuad[], view: UpdateView, slicer: Slicer): QuadList | Promise<QuadList> {
  const list = new QuadList(quads.length);
  const making = slicer.runOrWait(new DataTemplate(view.terms).instantiate(quads, list));
  return making instanceof Promise ? making.then(() => list) : list;
}

/** DELETE/INSERT (section 3.1.3): WHERE is evaluated once, over the state before; then all deletions, then all insertions. */
async function modify(
  operation: Operation<'modify'>,
  view: UpdateView,
  request: RequestOptions,
  options: EvaluateOptions,
): Promise<void> {
  if (options.dataset && (operation.using || operation.with !== undefined)) {
    throw new WorldsError(
      'INVALID_ARGUMENT',
      'The request names graphs, and the update has USING or WITH; say it in one place (SPARQL 1.1 Protocol 2.2.3).',
    );
  }
  const { evaluation, plan, withGraph } = planWhere(operation, view.source, request, options);
  const { source, scope, execution } = evaluation;
  const toDelete = new Template(operation.delete, source.terms, scope, withGraph);
  const toInsert = new Template(operation.insert, source.terms, scope, withGraph);
  const deleted = new QuadList(undefined, execution);
  const inserted = new QuadList(undefined, execution);
  for await (const batch of new PacedStream(execution.run(plan), execution)) {
    for (const step of [toDelete.instantiateAll(batch, deleted), toInsert.instantiateAll(batch, inserted)]) {
      for (const _ of step) if (execution.pauseDue) await execution.pause();
    }
  }
  await view.apply({ deleted, inserted });
  // Operations of one request share its memory.
  execution.releaseMemory();
}

/** The plan of WHERE over the dataset of USING or WITH (section 3.1.3), and the graph that the templates write to. */
export function planWhere(
  given: Operation<'modify'>,
  whole: QuadSource,
  request: RequestOptions,
  options: EvaluateOptions,
): { readonly evaluation: Evaluation; readonly plan: Operator; readonly withGraph: TermId } {
  const operation = options.canonicalOrder ? canonicalModify(given) : given;
  const withGraph =
    operation.with === undefined ? DEFAULT_GRAPH : whole.terms.intern(dataFactory.namedNode(operation.with));
  const source =
    operation.using || options.dataset
      ? datasetOf(whole, operation.using, options)
      : operation.with === undefined
        ? whole
        : whole.dataset([withGraph], [...whole.graphs]);
  const evaluation = openEvaluation(source, request, options, operation.baseIri);
  const read = templateVariables([...operation.delete, ...operation.insert]);
  const plan = planIn(evaluation, operation.where, read);
  return { evaluation, plan, withGraph };
}

/** CLEAR (section 3.1.5) leaves a graph empty, DROP (section 3.2.2) takes it away; the default graph is always there. */
async function emptyGraphs(operation: Operation<'clear' | 'drop'>, view: UpdateView): Promise<void> {
  const { type, target, silent } = operation;
  const graphs: TermId[] = [];
  if (target === 'default' || target === 'all') graphs.push(DEFAULT_GRAPH);
  if (target === 'named' || target === 'all') for (const graph of view.targetGraphs) graphs.push(graph);
  if (typeof target === 'object') {
    const graph = graphOf(target, view);
    if (view.hasTargetGraph(graph)) graphs.push(graph);
    else if (!silent) throw missing(type, target);
  }
  const kept = type === 'clear' ? graphs.filter((graph) => graph !== DEFAULT_GRAPH) : [];
  if (graphs.length > 0) await view.apply({ droppedGraphs: graphs, createdGraphs: kept });
}

/** CREATE (section 3.2.1). */
async function createGraph({ iri, silent }: Operation<'create'>, view: UpdateView): Promise<void> {
  const graph = graphOf({ iri }, view);
  if (!view.hasTargetGraph(graph)) {
    await view.apply({ createdGraphs: [graph] });
  } else if (!silent) {
    throw new WorldsError('ALREADY_EXISTS', `CREATE: the graph <${iri}> exists; write CREATE SILENT to let that pass.`);
  }
}

/** ADD, MOVE and COPY (sections 3.2.3 to 3.2.5); onto itself each does nothing. */
async function transfer(
  operation: Operation<'add' | 'move' | 'copy'>,
  view: UpdateView,
  slicer: Slicer,
): Promise<void> {
  const { type, from, to, silent } = operation;
  const source = graphOf(from, view);
  const target = graphOf(to, view);
  if (source === target) return;
  if (source !== DEFAULT_GRAPH && !view.hasTargetGraph(source)) {
    if (silent) return;
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
  await view.apply({
    droppedGraphs: [...(type === 'add' ? [] : [target]), ...(type === 'move' ? [source] : [])],
    // It exists afterwards, also when there was nothing to put into it.
    createdGraphs: target === DEFAULT_GRAPH ? [] : [target],
    inserted,
  });
}

function graphOf(graph: GraphOperand, view: UpdateView): TermId {
  return graph === 'default' ? DEFAULT_GRAPH : view.terms.intern(dataFactory.namedNode(graph.iri));
}

function missing(type: string, graph: GraphOperand): WorldsError {
  const keyword = type.toUpperCase();
  const name = graph === 'default' ? 'DEFAULT' : `<${graph.iri}>`;
  return new WorldsError(
    'NOT_FOUND',
    `${keyword}: the graph ${name} does not exist; write ${keyword} SILENT to let that pass.`,
  );
}
