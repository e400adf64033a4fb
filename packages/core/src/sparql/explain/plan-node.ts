import type { PlanNode } from '../../contracts/query-plan.ts';
import { NO_TERM, type TermSource } from '../../contracts/term-source.ts';
import type { Operator, PlanNames } from '../exec/operator.ts';
import type { Scope } from '../plan/scope.ts';
import { termText, variableText } from './pattern-text.ts';
import type { Measure } from './profile.ts';

/** Longer details are truncated, because nobody reads a list of thousands. */
const MAX_DETAIL_LENGTH = 1000;

export function planNames({ counter }: Scope, terms: TermSource): PlanNames {
  return {
    variable: (slot) => {
      const name = counter.names[slot];
      return name === undefined ? `#${slot}` : variableText(name);
    },
    term: (id) => (id === NO_TERM ? '(a term that the dataset does not have)' : termText(terms.term(id))),
  };
}

/** Converts an operator and its inputs to plain JSON, with the measurements if the plan was run. */
export function planNode(operator: Operator, names: PlanNames, measure?: Measure): PlanNode {
  return {
    operator: operator.name,
    detail: shortened(operator.detail?.(names) ?? ''),
    estimatedRows: rounded(operator.estimate),
    ...(measure ? measured(measure) : {}),
    inputs: operator.inputs.map((input, at) => planNode(input, names, measure?.inputs[at])),
  };
}

function measured({ rows, runs, timeMs, memoryBytes }: Measure): Partial<PlanNode> {
  return { actualRows: rows, runs, timeMs: rounded(timeMs), memoryBytes };
}

/** Rounds to three decimals, and replaces infinity, which JSON lacks. */
function rounded(value: number): number {
  if (!Number.isFinite(value)) return Number.MAX_VALUE;
  return value < 1e12 ? Math.round(value * 1000) / 1000 : value;
}

export function shortened(text: string): string {
  return text.length <= MAX_DETAIL_LENGTH ? text : `${text.slice(0, MAX_DETAIL_LENGTH)}…`;
}

/** Formats a plan for reading: one operator per line, with inputs indented below their consumer. */
export function planText(plan: PlanNode): string {
  const lines: string[] = [];
  const add = (node: PlanNode, depth: number): void => {
    lines.push('  '.repeat(depth) + lineOf(node));
    for (const input of node.inputs) add(input, depth + 1);
  };
  add(plan, 0);
  return lines.join('\n');
}

function lineOf({ operator, detail, estimatedRows, actualRows, runs = 1, timeMs, memoryBytes }: PlanNode): string {
  const facts = [`${actualRows === undefined ? '' : 'estimated '}${approximate(estimatedRows)} rows`];
  if (actualRows !== undefined) facts.push(`actual ${actualRows}`);
  if (runs !== 1) facts.push(`${runs} runs`);
  if (timeMs !== undefined) facts.push(`${timeMs.toFixed(2)} ms`);
  if (memoryBytes) facts.push(`${memoryBytes} bytes`);
  return `${operator}${detail === '' ? '' : ` ${detail}`}  [${facts.join(', ')}]`;
}

function approximate(rows: number): string {
  if (rows >= 1e12) return rows.toExponential(0);
  return rows >= 10 || Number.isInteger(rows) ? String(Math.round(rows)) : rows.toPrecision(2);
}
