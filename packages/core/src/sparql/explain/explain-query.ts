import type { QuadSource } from '../../contracts/quad-source.ts';
import type { PlanNode, QueryPlan } from '../../contracts/query-plan.ts';
import type { ExplainOptions } from '../../contracts/sparql-engine.ts';
import type { Query } from '../algebra/algebra.ts';
import { runQuery } from '../evaluate-query.ts';
import { type PlannedQuery, planQuery } from '../plan-query.ts';
import type { RequestOptions } from '../request-options.ts';
import { algebraText } from './algebra-text.ts';
import { termText, tripleText } from './pattern-text.ts';
import { planNames, planNode, planText, shortened } from './plan-node.ts';
import { Profile } from './profile.ts';

/**
 * Explains how a query is evaluated over a dataset. With `analyze`, also runs the query, discards
 * its rows and adds the measurements of each operator to the plan.
 */
export async function explainQuery(
  query: Query,
  source: QuadSource,
  request: RequestOptions,
  options: ExplainOptions,
): Promise<QueryPlan> {
  const planned = await planQuery(query, source, request, options);
  const profile = options.analyze && planned.operator ? new Profile(planned.operator) : undefined;
  let rows: number | undefined;
  if (options.analyze) {
    planned.evaluation.execution.profile = profile;
    rows = await drain(planned, options);
  }
  const plan = nodeOf(planned, profile, rows);
  return {
    form: query.type,
    ...(query.algebra ? { algebra: algebraText(query.algebra) } : {}),
    plan,
    text: planText(plan),
  };
}

/** Runs the query to completion and counts its rows. */
async function drain(planned: PlannedQuery, options: ExplainOptions): Promise<number> {
  const result = await runQuery(planned, options);
  if (result.type === 'boolean') return 1;
  let rows = 0;
  for await (const batch of result.batches) rows += batch.length;
  return rows;
}

function nodeOf({ query, evaluation, operator }: PlannedQuery, profile: Profile | undefined, rows?: number): PlanNode {
  const { scope, source } = evaluation;
  const input = operator && planNode(operator, planNames(scope, source.terms), profile?.root);
  if (query.type === 'select' || query.type === 'ask') return input!;
  // Instantiating a template or describing resources is not an operator, so it gets a node of its
  // own here.
  const perSolution = query.type === 'construct' ? query.template.length : query.targets.length;
  const detail =
    query.type === 'construct' ? query.template.map(tripleText).join(' . ') : query.targets.map(termText).join(' ');
  return {
    operator: query.type,
    detail: shortened(detail),
    estimatedRows: (input?.estimatedRows ?? 1) * perSolution,
    ...(rows === undefined ? {} : { actualRows: rows }),
    inputs: input ? [input] : [],
  };
}
