import { WorldsError } from '@rdf-worlds/client';
import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { EXPORT_FORMATS, type Format, ROW_FORMATS } from '../../rdf/formats.ts';
import { learnFrom } from '../../rdf/prefixes.ts';
import { shownIri, TermView } from '../../rdf/term-view.tsx';
import { t } from '../../texts.ts';
import { ErrorNote } from '../../ui/error-note.tsx';
import { Icon, type IconName } from '../../ui/icon.tsx';
import { Menu } from '../../ui/menu.tsx';
import { count, duration } from '../../ui/numbers.ts';
import { Waiting } from '../../ui/spinner.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { VirtualTable } from '../../ui/virtual-table.tsx';
import { downloadResult } from './download-result.ts';
import { PlanPicture } from './plan-picture.tsx';
import type { QueryRun, RunState } from './query-run.ts';
import { RawResult } from './raw-result.tsx';

type Shown = 'table' | 'graph' | 'chart' | 'raw' | 'plan';

interface ResultProps {
  readonly run: QueryRun;
  readonly onGoTo: (line: number, column: number) => void;
}

/** The answer of a run: table, graph, chart, as it was sent, and its plan. */
export function ResultPane({ run, onGoTo }: ResultProps) {
  const state = run.state.value;
  const { phase, answer, error } = state;
  const wantsPlan = run.plan.value !== undefined;
  const isExplaining = run.plan.value?.isLoading ?? false;
  const [chosen, choose] = useState<Shown>('table');
  useEffect(() => {
    choose(wantsPlan && answer === 'none' ? 'plan' : answer === 'quads' && chosen === 'plan' ? 'table' : chosen);
  }, [run, wantsPlan]);
  useEffect(() => {
    if (isExplaining) choose('plan');
  }, [run, isExplaining]);
  const hasRows = answer === 'rows' || answer === 'quads';
  const shown: Shown = hasRows || chosen === 'plan' ? chosen : wantsPlan && answer === 'none' ? 'plan' : 'table';
  const tab = (name: Shown, label: string, icon: IconName, isDisabled = false) => ({ name, label, icon, isDisabled });
  return (
    <div class="result-pane">
      <div class="result-bar">
        <Summary state={state} isExplained={wantsPlan} />
        <span class="grow" />
        {hasRows && phase !== 'running' && <Downloads run={run} answer={answer} />}
      </div>
      {error !== undefined && (
        <div style={{ padding: '12px 16px' }}>
          <ErrorNote error={error}>
            {error instanceof WorldsError && error.location && (
              <button
                type="button"
                class="button small"
                onClick={() => onGoTo(error.location!.line, error.location!.column)}
              >
                {t.sparql.goTo(error.location.line)}
              </button>
            )}
          </ErrorNote>
        </div>
      )}
      <Tabs
        label={t.sparql.shownAs}
        current={shown}
        onChange={(name) => {
          choose(name);
          if (name === 'plan' && !run.plan.value) void run.explain();
        }}
        panelClass="result-panel"
        tabs={[
          tab('table', t.sparql.table, 'table'),
          tab('graph', t.sparql.graph, 'graph', !hasRows),
          tab('chart', t.sparql.chart, 'chart', answer !== 'rows'),
          tab('raw', t.sparql.raw, 'text', !hasRows),
          tab('plan', t.sparql.plan, 'plan'),
        ]}
      >
        {shown === 'table' && <Answered run={run} state={state} />}
        {shown === 'graph' && <Later load={() => import('./graph-result.tsx')} run={run} />}
        {shown === 'chart' && <Later load={() => import('./chart-result.tsx')} run={run} />}
        {shown === 'raw' && <RawResult run={run} />}
        {shown === 'plan' && <PlanPicture run={run} />}
      </Tabs>
    </div>
  );
}

function Summary({ state, isExplained }: { state: RunState; isExplained: boolean }) {
  const { phase, answer, rowCount, isCut, elapsedMs, firstMs, changes } = state;
  if (answer === 'none' && isExplained && phase === 'stopped') return <span>{t.sparql.explained}</span>;
  const rows = answer === 'quads' ? t.sparql.triples(count(rowCount)) : t.sparql.rows(count(rowCount));
  return (
    <span class="row wrap number" role="status" aria-live={phase === 'running' ? 'off' : 'polite'} data-phase={phase}>
      {phase === 'running' && <span class="spinner" />}
      {(answer === 'rows' || answer === 'quads') && (
        <strong class="nowrap">{isCut ? t.sparql.firstRows(rows) : rows}</strong>
      )}
      {isCut && <span>{t.sparql.cutRows}</span>}
      {answer === 'boolean' && <strong>{t.sparql.answered}</strong>}
      {changes && <strong>{t.sparql.changed}</strong>}
      <span class="muted nowrap">
        {duration(elapsedMs)}
        {firstMs !== undefined && elapsedMs - firstMs > 200 && ` · ${t.sparql.first(duration(firstMs))}`}
      </span>
      {phase === 'stopped' && <span class="badge">{t.sparql.stopped}</span>}
      {phase === 'failed' && <span class="badge">{t.sparql.failed}</span>}
    </span>
  );
}

function Answered({ run, state }: { run: QueryRun; state: RunState }) {
  const { answer, value, changes, rowCount, phase, columns } = state;
  if (answer === 'boolean') {
    return (
      <div class="empty big-answer">
        <Icon name={value ? 'check' : 'close'} size={40} />
        <h2>{value ? t.sparql.yes : t.sparql.no}</h2>
      </div>
    );
  }
  if (changes) {
    const { inserted, deleted, revision } = changes;
    return (
      <div class="empty big-answer">
        <Icon name="check" size={36} />
        <h2>
          {inserted === 0 && deleted === 0 ? t.sparql.unchanged : t.sparql.changes(count(inserted), count(deleted))}
        </h2>
        {!Number.isNaN(revision) && <p>{t.sparql.revision(count(revision))}</p>}
      </div>
    );
  }
  if (rowCount === 0 && phase === 'done') {
    return (
      <div class="empty">
        <Icon name="table" size={28} />
        <h2>{t.sparql.noRows}</h2>
        <p>{t.sparql.noRowsHint}</p>
      </div>
    );
  }
  if (rowCount === 0 && columns.length === 0) {
    if (phase === 'failed') return null;
    const isExplained = run.plan.value !== undefined;
    return (
      <div class="empty">
        {phase === 'running' ? <span class="spinner" /> : <Icon name={isExplained ? 'play' : 'stop'} size={26} />}
        <p>{phase === 'running' ? t.sparql.runningHint : isExplained ? t.sparql.hint : t.sparql.stoppedHint}</p>
      </div>
    );
  }
  return <Rows run={run} state={state} />;
}

const SAMPLED_ROWS = 50;
const CHARACTER_PX = 8;

function Rows({ run, state: { columns, rowCount, answer } }: { run: QueryRun; state: RunState }) {
  const hasRows = rowCount > 0;
  const [widths, setWidths] = useState<readonly number[]>([]);
  useEffect(() => {
    learnFrom(sampledIris(run, columns.length, rowCount));
    setWidths(columns.map((name, column) => widthOf(run, name, column, rowCount)));
  }, [run, columns, hasRows]);
  return (
    <VirtualTable
      label={t.sparql.results}
      columns={columns.map((name, i) => ({
        name,
        label: answer === 'rows' ? `?${name}` : name,
        width: widths[i] ?? 200,
      }))}
      rowCount={rowCount}
      cell={(row, column) => <TermView term={run.term(row, column)} worlds={run.worlds} isFocusable={false} />}
    />
  );
}

/** IRIs of the first rows, from whose namespaces prefixes are made. */
function* sampledIris(run: QueryRun, columns: number, rowCount: number): Generator<string> {
  for (let row = 0; row < Math.min(rowCount, SAMPLED_ROWS); row++) {
    for (let column = 0; column < columns; column++) {
      const term = run.term(row, column);
      if (term?.termType === 'NamedNode') yield term.value;
    }
  }
}

/** Wide enough for most of the first values. */
function widthOf(run: QueryRun, name: string, column: number, rowCount: number): number {
  let longest = name.length + 3;
  for (let row = 0; row < Math.min(rowCount, SAMPLED_ROWS); row++) {
    const term = run.term(row, column);
    if (!term) continue;
    const text = term.termType === 'NamedNode' ? shownIri(term.value) : term.value;
    longest = Math.max(longest, Math.min(text.length, 60) + (term.termType === 'Literal' && term.language ? 5 : 0));
  }
  return Math.max(90, Math.min(460, longest * CHARACTER_PX + 30));
}

function Downloads({ run, answer }: { run: QueryRun; answer: string }) {
  const [state, setState] = useState<{ isBusy: boolean; error?: unknown }>({ isBusy: false });
  const formats: readonly Format[] = answer === 'quads' ? EXPORT_FORMATS : ROW_FORMATS;
  const download = async (format: Format) => {
    setState({ isBusy: true });
    try {
      await downloadResult(run, format);
      setState({ isBusy: false });
    } catch (error) {
      setState({ isBusy: false, error });
    }
  };
  return (
    <>
      {state.error !== undefined && <ErrorNote error={state.error} />}
      <Menu
        isDisabled={state.isBusy}
        buttonClass="button small"
        label={
          <>
            <Icon name="download" size={15} />
            {t.sparql.download}
          </>
        }
      >
        {formats.map((format) => (
          <button key={format.mediaType} type="button" role="menuitem" onClick={() => void download(format)}>
            <span class="grow">{format.name}</span>
            <code class="muted">{format.extension}</code>
          </button>
        ))}
      </Menu>
    </>
  );
}

interface LaterProps {
  readonly load: () => Promise<{ readonly Result: ComponentType<{ run: QueryRun }> }>;
  readonly run: QueryRun;
}

/** A way to show results that is loaded on demand. */
function Later({ load, run }: LaterProps) {
  const [module, setModule] = useState<{ readonly Result: ComponentType<{ run: QueryRun }> } | undefined>();
  const [error, setError] = useState<unknown>();
  useEffect(() => {
    load().then(setModule, setError);
  }, []);
  if (error !== undefined) return <ErrorNote error={error} />;
  if (!module) {
    return <Waiting />;
  }
  return <module.Result run={run} />;
}
