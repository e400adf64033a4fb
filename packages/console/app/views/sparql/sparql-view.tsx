import './sparql.css';
import '../../styles/table.css';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { SparqlEditor } from '../../editor/sparql-editor.ts';
import { learnDeclared } from '../../rdf/prefixes.ts';
import { forgetVocabulary } from '../../rdf/vocabulary.ts';
import { go, linkTo, place } from '../../router.ts';
import { scope, sharedScope, shownWorld, takeScope } from '../../session/scope.ts';
import { caller } from '../../session/session.ts';
import { worldChanges } from '../../session/world-names.ts';
import { t } from '../../texts.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Icon } from '../../ui/icon.tsx';
import { WorldPicker } from '../../ui/world-picker.tsx';
import { checked, EditorPane } from './editor-pane.tsx';
import { QueryRun } from './query-run.ts';
import { changeTab, closeTab, currentId, currentTab, keepRun, openTab, runs, select, tabs } from './query-tabs.ts';
import { ResultPane } from './result-pane.tsx';

export function View() {
  const tab = currentTab();
  const run = runs.value.get(tab.id);
  const [update, setUpdate] = useState<QueryRun | undefined>();
  const editor = useRef<SparqlEditor | undefined>(undefined);
  const given = place.value.query.get('query');
  useEffect(() => {
    if (given === null) return;
    takeScope(place.value.query.get('worlds'));
    openTab(given, place.value.query.get('title') ?? undefined);
    go('#/sparql', { replace: true });
  }, [given]);

  const start = async (explains: boolean) => {
    const text = currentTab().text;
    if (text.trim() === '' || scope.value.length === 0) return;
    learnDeclared(text);
    const found = await checked(text);
    // A text with a mistake is sent all the same: the server has the last word.
    const next = new QueryRun(text, scope.value, 'form' in found ? found.form : undefined);
    if (explains) {
      // The results of the last run stay beside the plan.
      const last = runs.value.get(tab.id);
      if (!last) {
        keepRun(tab.id, next);
        next.state.value = { ...next.state.value, phase: 'stopped' };
      }
      void (last ?? next).explain(next);
    } else if (next.form === 'update') setUpdate(next);
    else {
      keepRun(tab.id, next);
      void next.run();
    }
  };
  const isRunning = run?.state.value.phase === 'running' || run?.plan.value?.isLoading === true;
  return (
    <div class="sparql">
      <div class="sparql-top">
        <h1 class="visually-hidden">{t.nav.sparql}</h1>
        <WorldPicker />
        <span class="grow" />
        <div class="row">
          <CopyButton
            isShort
            label={t.copy.link}
            text={() => linkTo(['sparql'], { query: currentTab().text, worlds: sharedScope(), title: tab.title })}
          />
          <button type="button" class="button" disabled={scope.value.length === 0} onClick={() => void start(true)}>
            <Icon name="plan" size={16} />
            {t.sparql.explain}
          </button>
          {isRunning ? (
            <button type="button" class="button danger" onClick={() => run.stop()}>
              <Icon name="stop" size={14} />
              {t.sparql.stop}
            </button>
          ) : (
            <button
              type="button"
              class="button primary"
              disabled={scope.value.length === 0}
              title={t.sparql.runKeys}
              onClick={() => void start(false)}
            >
              <Icon name="play" size={14} />
              {t.sparql.run}
            </button>
          )}
        </div>
      </div>
      <TabBar />
      <section class="editor-box" aria-label={t.sparql.editor}>
        <EditorPane
          key={tab.id}
          text={tab.text}
          onChange={(text) => changeTab(tab.id, { text })}
          onRun={() => void start(false)}
          onReady={(ready) => {
            editor.current = ready;
          }}
        />
      </section>
      <Splitter />
      <section class="results" aria-label={t.sparql.results}>
        {run ? (
          <ResultPane key={tab.id} run={run} onGoTo={(line, column) => editor.current?.goTo(line, column)} />
        ) : (
          <div class="empty">
            <Icon name="play" size={26} />
            <p>
              {t.sparql.hint} <kbd>Ctrl</kbd> <kbd>Enter</kbd>
            </p>
          </div>
        )}
      </section>
      {update && <ConfirmUpdate run={update} tabId={tab.id} onClose={() => setUpdate(undefined)} />}
    </div>
  );
}

/** Moves the focus to the current tab, once it is drawn. */
function focusTab(): void {
  requestAnimationFrame(() => document.getElementById(`query-${currentTab().id}`)?.focus());
}

function TabBar() {
  const [renaming, setRenaming] = useState<string | undefined>();
  const move = (event: KeyboardEvent) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step === undefined || renaming !== undefined) return;
    const all = tabs.value;
    const at = all.findIndex(({ id }) => id === currentId.value);
    const next = all[(at + step + all.length) % all.length]!;
    select(next.id);
    focusTab();
  };
  return (
    <div class="query-tabs">
      <div class="row" role="tablist" aria-label={t.sparql.tabs} onKeyDown={move}>
        {tabs.value.map(({ id, title }) => {
          const isCurrent = id === currentTab().id;
          return (
            <div key={id} role="presentation" class={`query-tab ${isCurrent ? 'current' : ''}`}>
              {renaming === id ? (
                <input
                  class="input"
                  aria-label={t.sparql.rename}
                  value={title}
                  autofocus
                  onBlur={(event) => {
                    changeTab(id, { title: event.currentTarget.value.trim() || title });
                    setRenaming(undefined);
                  }}
                  onKeyDown={(event) => {
                    if (event.key === 'Escape') event.currentTarget.value = title;
                    if (event.key !== 'Enter' && event.key !== 'Escape') return;
                    event.currentTarget.blur();
                    focusTab();
                  }}
                />
              ) : (
                <button
                  type="button"
                  role="tab"
                  id={`query-${id}`}
                  aria-selected={isCurrent}
                  tabIndex={isCurrent ? 0 : -1}
                  title={t.sparql.renameHint}
                  aria-keyshortcuts="F2 Delete"
                  onClick={() => select(id)}
                  onDblClick={() => setRenaming(id)}
                  onKeyDown={(event) => {
                    if (event.key === 'F2') setRenaming(id);
                    if (event.key !== 'Delete') return;
                    closeTab(id);
                    focusTab();
                  }}
                >
                  <span class="clip">{title}</span>
                  <span
                    class="close"
                    aria-hidden="true"
                    title={t.sparql.close(title)}
                    onClick={(event) => {
                      event.stopPropagation();
                      closeTab(id);
                    }}
                  >
                    <Icon name="close" size={13} />
                  </span>
                </button>
              )}
            </div>
          );
        })}
      </div>
      <button type="button" class="button quiet small icon" aria-label={t.sparql.newTab} onClick={() => openTab('')}>
        <Icon name="plus" size={16} />
      </button>
    </div>
  );
}

const STEP_PX = 24;
const MIN_EDITOR_PX = 90;
/** As in the style sheets. */
const NARROW = '(max-width: 760px)';

/** Divides the height between the editor and the results, by pointer and by keyboard. */
function Splitter() {
  const [height, setHeight] = useState(matchMedia(NARROW).matches ? 180 : 250);
  useEffect(() => {
    document.documentElement.style.setProperty('--editor-height', `${height}px`);
  }, [height]);
  const clamp = (value: number) => Math.max(MIN_EDITOR_PX, Math.min(innerHeight - 220, value));
  return (
    <div
      class="splitter"
      role="separator"
      aria-orientation="horizontal"
      aria-label={t.sparql.resize}
      aria-valuenow={height}
      aria-valuemin={MIN_EDITOR_PX}
      aria-valuemax={1000}
      tabIndex={0}
      onKeyDown={(event) => {
        if (event.key === 'ArrowDown') setHeight(clamp(height + STEP_PX));
        else if (event.key === 'ArrowUp') setHeight(clamp(height - STEP_PX));
      }}
      onPointerDown={(event) => {
        const handle = event.currentTarget;
        const start = event.clientY;
        handle.setPointerCapture(event.pointerId);
        handle.onpointermove = ({ clientY }) => setHeight(clamp(height + clientY - start));
        handle.onpointerup = () => {
          handle.onpointermove = null;
        };
      }}
    />
  );
}

interface ConfirmProps {
  readonly run: QueryRun;
  readonly tabId: string;
  readonly onClose: () => void;
}

/** Asks before an update is run, and which world it is to change. */
function ConfirmUpdate({ run, tabId, onClose }: ConfirmProps) {
  const [world, setWorld] = useState(run.worlds[0]!);
  const namespace = world.split('/')[0];
  const mayWrite = caller.value?.namespaces.some((each) => each.namespace === namespace && each.write) ?? false;
  const submit = async (event: Event) => {
    event.preventDefault();
    onClose();
    keepRun(tabId, run);
    await run.run(run.worlds.length > 1 ? world : undefined);
    if (run.state.value.phase !== 'done') return;
    forgetVocabulary();
    worldChanges.value++;
  };
  return (
    <Dialog title={t.sparql.updateTitle} onClose={onClose}>
      <form class="stack" onSubmit={submit}>
        {run.worlds.length === 1 ? (
          <p>{t.sparql.updateOne(shownWorld(world))}</p>
        ) : (
          <fieldset class="stack plain">
            <legend>{t.sparql.updateWhich}</legend>
            {run.worlds.map((name) => (
              <label key={name} class="check">
                <input type="radio" name="world" checked={name === world} onChange={() => setWorld(name)} />
                {shownWorld(name)}
              </label>
            ))}
          </fieldset>
        )}
        {!mayWrite && (
          <div class="note warn">
            <Icon name="warn" />
            {t.sparql.mayNotWrite}
          </div>
        )}
        <div class="actions">
          <button type="button" class="button" onClick={onClose}>
            {t.cancel}
          </button>
          <button type="submit" class="button primary" autofocus={run.worlds.length === 1}>
            {t.sparql.runUpdate}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
