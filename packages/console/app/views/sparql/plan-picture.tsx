import type { PlanNode } from '@rdf-worlds/core';
import { prefixedName, prefixVersion } from '../../rdf/prefixes.ts';
import { t } from '../../texts.ts';
import { ErrorNote } from '../../ui/error-note.tsx';
import { Icon } from '../../ui/icon.tsx';
import { byteSize, count, duration } from '../../ui/numbers.ts';
import { Waiting } from '../../ui/spinner.tsx';
import { Visible } from '../../ui/visible.tsx';
import type { QueryRun } from './query-run.ts';

/** The operators of a query as a tree, with rows and time of each. */
export function PlanPicture({ run }: { run: QueryRun }) {
  const state = run.plan.value;
  if (!state || state.isLoading) {
    return <Waiting />;
  }
  if (state.error !== undefined || !state.plan) {
    return (
      <div style={{ padding: '12px 16px' }}>
        <ErrorNote error={state.error} />
      </div>
    );
  }
  const { plan, algebra } = state.plan;
  const longest = Math.max(...timesOf(plan), 0.001);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
    <div class="plan" tabIndex={0} role="group" aria-label={t.sparql.plan}>
      <div class="plan-legend muted">
        <span>{t.plan.legend}</span>
      </div>
      <ul class="plan-tree">
        <Operator node={plan} longest={longest} />
      </ul>
      {algebra && (
        <details>
          <summary>{t.plan.algebra}</summary>
          <pre>
            <Visible text={algebra} />
          </pre>
        </details>
      )}
    </div>
  );
}

function timesOf(node: PlanNode): number[] {
  return [node.timeMs ?? 0, ...node.inputs.flatMap(timesOf)];
}

/** Returns the text with its IRIs as people read them, where a prefix fits. */
function withPrefixes(text: string): string {
  void prefixVersion.value;
  return text.replace(/<([^<>"\s]+)>/g, (whole, iri: string) => prefixedName(iri) ?? whole);
}

/** A factor by which an estimate may be wrong without being marked. */
const FAR_OFF = 20;

function Operator({ node, longest }: { node: PlanNode; longest: number }) {
  const { operator, detail, estimatedRows, actualRows, timeMs, memoryBytes, runs, inputs } = node;
  const off =
    actualRows === undefined
      ? 1
      : Math.max((actualRows + 1) / (estimatedRows + 1), (estimatedRows + 1) / (actualRows + 1));
  return (
    <li>
      <div class="operator">
        <div class="operator-head">
          <strong>{operator}</strong>
          {timeMs !== undefined && <span class="number muted">{duration(timeMs)}</span>}
        </div>
        {detail && (
          <code>
            <Visible text={withPrefixes(detail)} max={400} />
          </code>
        )}
        <div class="operator-facts number">
          {actualRows !== undefined ? (
            <span>{t.plan.rows(count(actualRows))}</span>
          ) : (
            <span>{t.plan.estimated(count(Math.round(estimatedRows)))}</span>
          )}
          {actualRows !== undefined && (
            <span class={off > FAR_OFF ? 'off' : 'muted'}>
              {off > FAR_OFF && <Icon name="warn" size={13} />} {t.plan.estimated(count(Math.round(estimatedRows)))}
            </span>
          )}
          {runs !== undefined && runs > 1 && <span class="muted">{t.plan.runs(count(runs))}</span>}
          {memoryBytes !== undefined && memoryBytes > 0 && <span class="muted">{byteSize(memoryBytes)}</span>}
        </div>
        {timeMs !== undefined && (
          <div class="operator-time" aria-hidden="true">
            <div style={{ width: `${Math.max(1, (timeMs / longest) * 100)}%` }} />
          </div>
        )}
      </div>
      {inputs.length > 0 && (
        <ul>
          {inputs.map((input, i) => (
            <Operator key={i} node={input} longest={longest} />
          ))}
        </ul>
      )}
    </li>
  );
}
