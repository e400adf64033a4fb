import './live.css';
import type { RemoteChange } from '@rdf-worlds/client';
import { useEffect, useState } from 'preact/hooks';
import { QuadLines } from '../../rdf/quad-lines.tsx';
import { addressOf } from '../../router.ts';
import { colourOf } from '../../session/scope.ts';
import { token } from '../../session/service.ts';
import { caller } from '../../session/session.ts';
import { t } from '../../texts.ts';
import { ErrorNote } from '../../ui/error-note.tsx';
import { Icon } from '../../ui/icon.tsx';
import { clockTime, count } from '../../ui/numbers.ts';
import { RowSelect } from '../../ui/row-select.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { useThrottled } from '../../ui/use-loaded.ts';
import { Visible } from '../../ui/visible.tsx';
import { type FeedState, followChanges } from './change-feed.ts';
import { ServerActivity } from './server-activity.tsx';
import { ServerNumbers } from './server-numbers.tsx';

/** Older ones are forgotten. */
const MAX_SHOWN = 200;
/** The numbers of the server are asked for once in this time, however many changes there are. */
const NUMBERS_EVERY_MS = 3_000;

/** A change, or the place in the list where changes were missed. */
type Entry = { readonly change: RemoteChange } | { readonly missedMs: number };

interface Received {
  /** The last ones, newest first. */
  readonly entries: readonly Entry[];
  /** Number of all changes since the view was opened. */
  readonly count: number;
}

const NOTHING: Received = { entries: [], count: 0 };

const withEntry = ({ entries, count: before }: Received, entry: Entry): Received => ({
  entries: [entry, ...entries].slice(0, MAX_SHOWN),
  count: 'change' in entry ? before + 1 : before,
});

export function View() {
  const readable = (caller.value?.namespaces ?? []).filter(({ read }) => read).map(({ namespace }) => namespace);
  const own = caller.value?.namespace ?? '';
  const [namespace, setNamespace] = useState(readable.includes(own) ? own : (readable[0] ?? own));
  const [received, setReceived] = useState(NOTHING);
  /** What was received before the pause; the feed goes on meanwhile. */
  const [frozen, setFrozen] = useState<Received | undefined>();
  const [state, setState] = useState<FeedState>('connecting');
  const [error, setError] = useState<unknown>();
  useEffect(() => {
    const controller = new AbortController();
    setError(undefined);
    followChanges({
      namespace,
      signal: controller.signal,
      onState: (next) => !controller.signal.aborted && setState(next),
      onChange: (change) => setReceived((before) => withEntry(before, { change })),
      onMissed: () => setReceived((before) => withEntry(before, { missedMs: Date.now() })),
    }).catch(setError);
    return () => controller.abort();
  }, [namespace, token.value]);
  const isPaused = frozen !== undefined;
  const shown = frozen ?? received;
  const version = useThrottled(received.count, NUMBERS_EVERY_MS);
  return (
    <div class="page">
      <div class="head">
        <div class="titles">
          <h1>{t.nav.live}</h1>
          <p>{t.live.about}</p>
        </div>
        <div class="row wrap">
          {readable.length > 1 && (
            <RowSelect
              label={t.worlds.namespace}
              values={readable}
              value={namespace}
              onChange={(next) => {
                setReceived(NOTHING);
                setFrozen(undefined);
                setNamespace(next);
              }}
            />
          )}
          <button
            type="button"
            class="button"
            aria-pressed={isPaused}
            onClick={() => setFrozen(isPaused ? undefined : received)}
          >
            <Icon name={isPaused ? 'play' : 'stop'} size={14} />
            {isPaused ? t.live.resume : t.live.pause}
          </button>
        </div>
      </div>
      <ServerNumbers namespace={namespace} version={version} />
      {error !== undefined && <ErrorNote error={error} />}
      <section class="card" aria-label={t.live.changes}>
        <header>
          <h2 class="grow">
            {t.live.changes} {shown.count > 0 && <span class="badge number">{count(shown.count)}</span>}
          </h2>
          {shown.count > MAX_SHOWN && <span class="muted">{t.live.last(count(MAX_SHOWN))}</span>}
          {isPaused && received.count > frozen.count && (
            <span class="muted number">{t.live.meanwhile(count(received.count - frozen.count))}</span>
          )}
          <span class="row muted" role="status">
            {state === 'open' && !isPaused && <span class="pulse" />}
            {state === 'connecting' && !isPaused && <Spinner />}
            {isPaused ? t.live.paused : t.live.states[state]}
          </span>
        </header>
        {shown.entries.length === 0 ? (
          <div class="empty">
            <Icon name="live" size={28} />
            <p>{state === 'unsupported' ? t.live.unsupported : state === 'empty' ? t.live.empty : t.live.waiting}</p>
          </div>
        ) : (
          <ol class="ruled changes">
            {shown.entries.map((entry) =>
              'change' in entry ? (
                <Change key={entry.change.id} change={entry.change} />
              ) : (
                <li key={`missed ${entry.missedMs}`} class="row">
                  <time class="muted number" dateTime={new Date(entry.missedMs).toISOString()}>
                    {clockTime(entry.missedMs)}
                  </time>
                  <Icon name="warn" size={16} />
                  {t.live.missed}
                </li>
              ),
            )}
          </ol>
        )}
      </section>
      <ServerActivity />
    </div>
  );
}

function Change({ change }: { change: RemoteChange }) {
  const [isOpen, setOpen] = useState(false);
  const { world, kind, timeMs, revision, insertedCount, deletedCount, inserted, deleted } = change;
  const name = `${world.namespace}/${world.slug}`;
  const hasQuads = inserted.length + deleted.length > 0;
  return (
    <li>
      <div class="row wrap">
        <time class="muted number" dateTime={new Date(timeMs).toISOString()}>
          {clockTime(timeMs)}
        </time>
        <span class={`dot ${colourOf(name)}`} />
        <a href={addressOf(['world', world.namespace, world.slug])}>
          <Visible text={world.label || world.slug} max={80} />
        </a>
        <span class="badge">{t.live.kinds[kind]}</span>
        {insertedCount > 0 && <span class="number plus">+{count(insertedCount)}</span>}
        {deletedCount > 0 && <span class="number minus">−{count(deletedCount)}</span>}
        <span class="grow" />
        {revision !== undefined && <span class="muted number">{t.sparql.revision(count(revision))}</span>}
        {hasQuads && (
          <button type="button" class="button quiet small" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            {isOpen ? t.live.hide : t.live.show}
          </button>
        )}
      </div>
      {isOpen && (
        <QuadLines
          inserted={inserted}
          deleted={deleted}
          world={name}
          more={insertedCount + deletedCount - inserted.length - deleted.length}
        />
      )}
    </li>
  );
}
