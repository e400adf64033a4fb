import type { QuadSource } from '../../contracts/quad-source.ts';
import type { PlanNode, QueryPlan } from '../../contracts/query-plan.ts';
import type { ExplainOptions } from '../../contracts/sparql-engine.ts';
import { WorldsError } from '../../model/worlds-error.ts';
import type { GraphOperand, GraphTarget, TemplateQuad, Update, UpdateOperation } from '../algebra/algebra.ts';
import { planWhere } from '../execute-update.ts';
import type { RequestOptions } from '../request-options.ts';
import { algebraText } from './algebra-text.ts';
import { termText, tripleText } from './pattern-text.ts';
import { planNames, planNode, planText, shortened } from './plan-node.ts';

/**
 * Explains how the operations of an update would run on the current dataset; later operations do
 * not see the effects of earlier ones. Throws INVALID_ARGUMENT with `analyze`, because explaining
 * an update must not change anything.
 */
export async function explainUpdate(
  { operations }: Update,
  source: QuadSource,
  request: RequestOptions,
  options: ExplainOptions,
): Promise<QueryPlan> {
  if (options.analyze) {
    throw new WorldsError(
      'INVALID_ARGUMENT',
      'An update cannot be explained with analyze, which would run it; analyze a SELECT with the same WHERE.',
    );
  }
  const inputs: PlanNode[] = [];
  for (const operation of operations) inputs.push(await operationNode(operation, source, request, options));
  const changes = inputs.reduce((sum, { estimatedRows }) => sum + estimatedRows, 0);
  const plan = { operator: 'update', detail: '', estimatedRows: changes, inputs };
  const patterns = operations.flatMap((operation) => (operation.type === 'modify' ? [operation.where] : []));
  return {
    form: 'update',
    ...(patterns.length > 0 ? { algebra: patterns.map((where) => algebraText(where)).join('\n') } : {}),
    plan,
    text: planText(plan),
  };
}

/** Describes one operation; `estimatedRows` is the number of quads deleted and inserted. */
async function operationNode(
  operation: UpdateOperation,
  source: QuadSource,
  request: RequestOptions,
  options: ExplainOptions,
): Promise<PlanNode> {
  switch (operation.type) {
    case 'insertData':
    case 'deleteData': {
      const { quads } = operation;
      const name = operation.type === 'insertData' ? 'insert data' : 'delete data';
      return leaf(name, templateText(quads), quads.length);
    }
    case 'modify': {
      const { evaluation, plan } = await planWhere(operation, source, request, options);
      const input = planNode(plan, planNames(evaluation.scope, source.terms));
      const parts = [
        ...(operation.with === undefined ? [] : [`with <${operation.with}>`]),
        ...(operation.delete.length > 0 ? [`delete ${templateText(operation.delete)}`] : []),
        ...(operation.insert.length > 0 ? [`insert ${templateText(operation.insert)}`] : []),
      ];
      const quads = operation.delete.length + operation.insert.length;
      return {
        operator: 'modify',
        detail: shortened(parts.join(', ')),
        estimatedRows: input.estimatedRows * quads,
        inputs: [input],
      };
    }
    case 'clear':
    case 'drop':
      return leaf(operation.type, targetText(operation.target), 0);
    case 'create':
      return leaf('create', `<${operation.iri}>`, 0);
    case 'load':
      return leaf('load', `<${operation.iri}> (silent: does nothing)`, 0);
    default:
      return leaf(operation.type, `${graphText(operation.from)} to ${graphText(operation.to)}`, 0);
  }
}

function leaf(operator: string, detail: string, estimatedRows: number): PlanNode {
  return { operator, detail: shortened(detail), estimatedRows, inputs: [] };
}

function templateText(quads: readonly TemplateQuad[]): string {
  const text = (quad: TemplateQuad) => tripleText(quad) + (quad.graph ? ` in graph ${termText(quad.graph)}` : '');
  return quads.map(text).join(' . ');
}

function graphText(graph: GraphOperand): string {
  return graph === 'default' ? 'the default graph' : `<${graph.iri}>`;
}

function targetText(target: GraphTarget): string {
  return typeof target === 'object' ? `<${target.iri}>` : target;
}
