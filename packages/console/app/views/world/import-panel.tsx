import { signal } from '@preact/signals';
import { useEffect, useRef, useState } from 'preact/hooks';
import { formatOfName, formatOfText, IMPORT_FORMATS } from '../../rdf/formats.ts';
import { forgetVocabulary } from '../../rdf/vocabulary.ts';
import { forEachPrincipal } from '../../session/own.ts';
import { worldChanges } from '../../session/world-names.ts';
import { t } from '../../texts.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { Icon } from '../../ui/icon.tsx';
import { byteSize, count, duration } from '../../ui/numbers.ts';
import { Visible, visibleText } from '../../ui/visible.tsx';
import { ImportJob, type ImportTarget, type JobState } from './import-job.ts';

/** All imports of this visit, newest first; they go on while other views are shown. */
const jobs = signal<readonly ImportJob[]>([]);
let queue: Promise<void> = Promise.resolve();

forEachPrincipal(() => {
  for (const job of jobs.value) job.cancel();
  jobs.value = [];
});

function start(job: ImportJob): void {
  jobs.value = [job, ...jobs.value];
  queue = queue.then(async () => {
    await job.run();
    const { phase } = job.state.value;
    if (phase !== 'done' && phase !== 'inDoubt') return;
    forgetVocabulary();
    worldChanges.value++;
  });
}

const SAMPLE_BYTES = 20_000;

/** Starts the import of files; their formats by their names, or else by how they begin. */
export async function importFiles(files: Iterable<File>, target: ImportTarget, given?: string): Promise<void> {
  for (const file of files) {
    const format = given ?? formatOfName(file.name) ?? formatOfText(await file.slice(0, SAMPLE_BYTES).text());
    start(new ImportJob(file.name, file, format ?? 'text/turtle', target));
  }
}

export interface ImportProps {
  readonly world: string;
  /** Set to what imports files with the options of the panel, while it is shown. */
  readonly taker: { current: ((files: FileList | null | undefined) => void) | undefined };
}

/** Imports files that are dropped or chosen, or a text. */
export function ImportPanel({ world, taker }: ImportProps) {
  const [format, setFormat] = useState('');
  const [graph, setGraph] = useState('');
  const [baseIri, setBaseIri] = useState('');
  const [isReplacing, setReplacing] = useState(false);
  const [text, setText] = useState('');
  const [isOver, setOver] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  /** Starts the import that waits for a confirmation. */
  const [waiting, setWaiting] = useState<(() => void) | undefined>();
  const target: ImportTarget = {
    world,
    graph: graph.trim() || undefined,
    baseIri: baseIri.trim() || undefined,
    isReplacing,
  };
  const begin = (run: () => void) => {
    if (isReplacing) setWaiting(() => run);
    else run();
  };
  const beginFiles = (files: FileList | null | undefined) => {
    // The list of an input is emptied with it.
    const all = [...(files ?? [])];
    if (all.length > 0) begin(() => void importFiles(all, target, format || undefined));
  };
  useEffect(() => {
    taker.current = beginFiles;
    return () => {
      taker.current = undefined;
    };
  });
  const recognised = format || formatOfText(text);
  const here = jobs.value.filter((job) => job.target.world === world);
  return (
    <div class="stack" style={{ gap: '18px' }}>
      <div class="import-grid">
        <div class="stack">
          {/* biome-ignore lint/a11y/noStaticElementInteractions: the button in it does the same */}
          <div
            class={`drop-zone ${isOver ? 'over' : ''}`}
            onDragOver={(event) => {
              event.preventDefault();
              setOver(true);
            }}
            onDragLeave={() => setOver(false)}
            onDrop={(event) => {
              event.preventDefault();
              event.stopPropagation();
              setOver(false);
              beginFiles(event.dataTransfer?.files);
            }}
          >
            <Icon name="upload" size={28} />
            <strong>{t.import.drop}</strong>
            <span class="muted">{t.import.formats}</span>
            <button type="button" class="button" onClick={() => input.current?.click()}>
              {t.import.choose}
            </button>
            <input
              ref={input}
              class="visually-hidden"
              type="file"
              multiple
              tabIndex={-1}
              aria-label={t.import.choose}
              onChange={(event) => {
                beginFiles(event.currentTarget.files);
                event.currentTarget.value = '';
              }}
            />
          </div>
          <form
            class="stack"
            onSubmit={(event) => {
              event.preventDefault();
              begin(() => start(new ImportJob(t.import.pasted, new Blob([text]), recognised ?? 'text/turtle', target)));
            }}
          >
            <label class="field">
              <span>{t.import.text}</span>
              <textarea
                class="textarea"
                spellcheck={false}
                value={text}
                placeholder={t.import.textExample}
                onInput={(event) => setText(event.currentTarget.value)}
              />
            </label>
            <div class="row wrap" style={{ justifyContent: 'space-between' }}>
              <span class="muted" aria-live="polite">
                {text.trim() !== '' && recognised && t.import.recognised(nameOf(recognised))}
              </span>
              <button type="submit" class="button primary" disabled={text.trim() === ''}>
                {t.import.importText}
              </button>
            </div>
          </form>
        </div>
        <fieldset class="card options">
          <legend class="visually-hidden">{t.import.options}</legend>
          <label class="field">
            <span>{t.import.format}</span>
            <select class="select" value={format} onChange={(event) => setFormat(event.currentTarget.value)}>
              <option value="">{t.import.recognise}</option>
              {IMPORT_FORMATS.map(({ mediaType, name }) => (
                <option key={mediaType} value={mediaType}>
                  {name}
                </option>
              ))}
            </select>
          </label>
          <label class="field">
            <span>{t.import.graph}</span>
            <input
              class="input mono"
              value={graph}
              spellcheck={false}
              placeholder="https://example.org/graph"
              onInput={(event) => setGraph(event.currentTarget.value)}
            />
            <small>{t.import.graphHint}</small>
          </label>
          <label class="field">
            <span>{t.import.base}</span>
            <input
              class="input mono"
              value={baseIri}
              spellcheck={false}
              placeholder="https://example.org/"
              onInput={(event) => setBaseIri(event.currentTarget.value)}
            />
          </label>
          <label class="check">
            <input
              type="checkbox"
              checked={isReplacing}
              onChange={(event) => setReplacing(event.currentTarget.checked)}
            />
            <span>
              {t.import.replace}
              <br />
              <small class="muted">{t.import.replaceHint}</small>
            </span>
          </label>
        </fieldset>
      </div>
      {waiting && (
        <Dialog title={t.import.replaceTitle} onClose={() => setWaiting(undefined)}>
          <form
            class="stack"
            onSubmit={(event) => {
              event.preventDefault();
              setWaiting(undefined);
              waiting();
            }}
          >
            <p>
              <Visible
                text={target.graph ? t.import.replaceGraph(target.graph, world) : t.import.replaceWorld(world)}
                max={1_000}
              />
            </p>
            <div class="actions">
              <button type="button" class="button" onClick={() => setWaiting(undefined)}>
                {t.cancel}
              </button>
              <button type="submit" class="button danger">
                {t.import.replaceRun}
              </button>
            </div>
          </form>
        </Dialog>
      )}
      {here.length > 0 && (
        <section class="card" aria-label={t.import.jobs}>
          <header>
            <h2 class="grow">{t.import.jobs}</h2>
          </header>
          <ul class="ruled jobs">
            {here.map((job) => (
              <Job key={job.id} job={job} />
            ))}
          </ul>
        </section>
      )}
    </div>
  );
}

function nameOf(mediaType: string): string {
  return IMPORT_FORMATS.find((format) => format.mediaType === mediaType)?.name ?? mediaType;
}

function Job({ job }: { job: ImportJob }) {
  const state = job.state.value;
  const { phase, result, error, lines } = state;
  const isRunning = !job.isOver;
  const part = state.totalBytes === 0 ? 0 : state.bytes / state.totalBytes;
  return (
    <li data-phase={phase}>
      <div class="row">
        <Icon name={phase === 'done' ? 'check' : phase === 'failed' || phase === 'inDoubt' ? 'warn' : 'file'} />
        <strong class="clip">
          <Visible text={job.name} max={200} />
        </strong>
        <span class="badge">{nameOf(job.contentType)}</span>
        <span class="muted number">{byteSize(job.document.size)}</span>
        <span class="grow" />
        <span class="number nowrap" aria-live={isRunning ? 'off' : 'polite'}>
          {summary(state)}
        </span>
        {isRunning && (
          <button type="button" class="button small" onClick={() => job.cancel()}>
            {t.cancel}
            <span class="visually-hidden"> {visibleText(job.name, 200)}</span>
          </button>
        )}
      </div>
      {isRunning && phase !== 'waiting' && (
        <div
          class={`progress ${phase === 'committing' ? 'waits' : ''}`}
          role="progressbar"
          aria-label={job.name}
          aria-valuemin={0}
          aria-valuemax={100}
          aria-valuenow={phase === 'committing' ? undefined : Math.round(part * 100)}
        >
          <div style={{ width: phase === 'committing' ? undefined : `${part * 100}%` }} />
        </div>
      )}
      {result && result.notes.length > 0 && (
        <ul class="muted">
          {result.notes.slice(0, 20).map((note) => (
            <li key={note}>
              <Visible text={note} max={500} />
            </li>
          ))}
        </ul>
      )}
      {error !== undefined && (
        <ErrorNote error={error}>
          {lines && (
            // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
            <pre class="lines-around" tabIndex={0}>
              {lines.map(({ line, text, mark }) => (
                <div key={line} class={mark === undefined ? '' : 'at'}>
                  <span class="line-number">{line}</span>
                  {mark === undefined ? (
                    <Visible text={text} />
                  ) : (
                    <>
                      <Visible text={text.slice(0, mark)} />
                      <mark>
                        <Visible text={text.slice(mark, mark + 1) || '␤'} />
                      </mark>
                      <Visible text={text.slice(mark + 1)} />
                    </>
                  )}
                </div>
              ))}
            </pre>
          )}
        </ErrorNote>
      )}
    </li>
  );
}

function summary({ phase, quads, elapsedMs, result, bytes, totalBytes }: JobState): string {
  const rate =
    quads !== undefined && elapsedMs > 0 ? t.import.rate(count(Math.round((quads / elapsedMs) * 1_000))) : '';
  switch (phase) {
    case 'waiting':
      return t.import.waiting;
    case 'reading':
      return t.import.reading(byteSize(bytes));
    case 'sending':
      return [t.import.sent(byteSize(bytes), byteSize(totalBytes)), rate].filter(Boolean).join(' · ');
    case 'committing':
      return [t.import.committing, rate].filter(Boolean).join(' · ');
    case 'done': {
      const inserted = Number.isNaN(result!.inserted) ? count(quads ?? 0) : count(result!.inserted);
      const deleted = result!.deleted > 0 ? t.import.deleted(count(result!.deleted)) : '';
      return [t.import.done(inserted), deleted, duration(elapsedMs), rate].filter(Boolean).join(' · ');
    }
    case 'failed':
      return t.import.failed;
    case 'inDoubt':
      return t.import.inDoubt;
    default:
      return t.import.cancelled;
  }
}
