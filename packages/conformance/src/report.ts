import type { Outcome, TestOutcome } from './suite-run.ts';

export interface CategorySummary {
  readonly category: string;
  readonly passed: number;
  /** Known failures count here: in the table a failure is a failure. */
  readonly failed: number;
  readonly skipped: number;
  readonly total: number;
}

export interface RunSummary {
  readonly categories: readonly CategorySummary[];
  readonly passed: number;
  /** Failures that no table explains, and entries of the table of known failures that pass. */
  readonly failed: number;
  readonly knownFailures: number;
  readonly skipped: number;
}

export function summarize(outcomes: readonly TestOutcome[]): RunSummary {
  const byCategory = new Map<string, TestOutcome[]>();
  for (const outcome of outcomes) {
    const group = byCategory.get(outcome.category);
    if (group) group.push(outcome);
    else byCategory.set(outcome.category, [outcome]);
  }
  return {
    categories: [...byCategory].map(([category, group]) => ({
      category,
      passed: count(group, 'passed', 'stale'),
      failed: count(group, 'failed', 'known-failure'),
      skipped: count(group, 'skipped'),
      total: group.length,
    })),
    passed: count(outcomes, 'passed'),
    failed: count(outcomes, 'failed', 'stale'),
    knownFailures: count(outcomes, 'known-failure'),
    skipped: count(outcomes, 'skipped'),
  };
}

/**
 * The report as text: what did not pass with its reason, the table, the known failures, and the
 * closing line.
 */
export function formatReport(outcomes: readonly TestOutcome[], summary: RunSummary): string {
  return [
    ...section('Failed', outcomes, 'failed'),
    ...section('Passed, but listed as known failures: correct known-failures.ts', outcomes, 'stale'),
    ...section('Known failures', outcomes, 'known-failure'),
    ...section('Skipped', outcomes, 'skipped'),
    ...table(summary),
    '',
    `known failures: ${summary.knownFailures}`,
    closingLine(summary),
  ].join('\n');
}

/** `N passed, N failed`, and what was not asked to pass as skipped. */
export function closingLine({
  passed,
  failed,
  skipped,
  knownFailures,
}: Pick<RunSummary, 'passed' | 'failed' | 'skipped' | 'knownFailures'>): string {
  const left = skipped + knownFailures;
  return `${passed} passed, ${failed} failed${left > 0 ? `, ${left} skipped` : ''}`;
}

/** The summary and every test that did not simply pass, for other programs. */
export function reportJson(outcomes: readonly TestOutcome[], summary: RunSummary): string {
  const notable = outcomes.filter(({ outcome }) => outcome !== 'passed').map(({ error, ...rest }) => rest);
  return `${JSON.stringify({ summary, outcomes: notable }, null, 2)}\n`;
}

function section(title: string, outcomes: readonly TestOutcome[], kind: Outcome): string[] {
  const found = outcomes.filter(({ outcome }) => outcome === kind);
  if (found.length === 0) return [];
  return [
    `${title} (${found.length}):`,
    ...found.map(({ category, iri, name, reason }) => `  ${category}: ${name} <${iri}>\n    ${reason}`),
    '',
  ];
}

function table({ categories }: RunSummary): string[] {
  const width = Math.max(8, ...categories.map(({ category }) => category.length));
  const line = (name: string, ...cells: (string | number)[]) =>
    name.padEnd(width) + cells.map((cell) => String(cell).padStart(9)).join('');
  return [
    line('category', 'passed', 'failed', 'skipped', 'total'),
    ...categories.map(({ category, passed, failed, skipped, total }) => line(category, passed, failed, skipped, total)),
  ];
}

function count(outcomes: readonly TestOutcome[], ...kinds: Outcome[]): number {
  return outcomes.filter(({ outcome }) => kinds.includes(outcome)).length;
}
