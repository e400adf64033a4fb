import { useRef, useState } from 'preact/hooks';
import { QuadLines } from '../../rdf/quad-lines.tsx';
import { shownWorld } from '../../session/scope.ts';
import { t } from '../../texts.ts';
import { ErrorNote } from '../../ui/error-note.tsx';
import { Icon } from '../../ui/icon.tsx';
import { count, dateTime } from '../../ui/numbers.ts';
import { RowSelect } from '../../ui/row-select.tsx';
import { Spinner, Waiting } from '../../ui/spinner.tsx';
import { useLoaded } from '../../ui/use-loaded.ts';
import { type EntityChange, type HistoryPart, historyPart } from './entity-history.ts';

/** Quads of a commit that are shown, of each kind. */
const MAX_SHOWN = 100;

interface HistoryProps {
  readonly name: string;
  readonly worlds: readonly string[];
}

/** What was inserted and deleted about an entity, by commit, in one of its worlds. */
export function EntityHistory({ name, worlds }: HistoryProps) {
  const [chosen, setChosen] = useState(worlds[0]);
  const world = chosen !== undefined && worlds.includes(chosen) ? chosen : worlds[0];
  if (world === undefined) return null;
  return (
    <div class="stack">
      {worlds.length > 1 && (
        <RowSelect label={t.nav.world} values={worlds} value={world} shown={shownWorld} onChange={setChosen} />
      )}
      <WorldHistory key={`${name} ${world}`} name={name} world={world} />
    </div>
  );
}

function WorldHistory({ name, world }: { name: string; world: string }) {
  const [steps, setSteps] = useState(1);
  // Steps that were read stay when a later one fails or is cancelled.
  const read = useRef<readonly HistoryPart[]>([]);
  const { value, error, isLoading, reload } = useLoaded(
    async (signal): Promise<readonly HistoryPart[] | 'notTold'> => {
      while (read.current.length < steps && read.current.at(-1)?.isOldest !== true) {
        const part = await historyPart(name, world, read.current.at(-1)?.after, signal);
        if (!part) return 'notTold';
        read.current = [...read.current, part];
      }
      return read.current;
    },
    [steps],
  );
  if (value === 'notTold') return <p class="muted">{t.history.notTold}</p>;
  const parts = value ?? [];
  const changes = parts.flatMap((part) => part.changes);
  const oldest = parts.at(-1);
  return (
    <>
      {error !== undefined && (
        <ErrorNote error={error}>
          <button type="button" class="button small" onClick={reload}>
            {t.retry}
          </button>
        </ErrorNote>
      )}
      {!value && isLoading && <Waiting />}
      {changes.length > 0 && (
        <ol class="card ruled changes" aria-label={t.entity.history}>
          {changes.map((change) => (
            <Change key={change.id} change={change} world={world} />
          ))}
        </ol>
      )}
      {oldest && (
        <div class="row wrap" role="status">
          <span class="muted">
            {changes.length === 0 && `${t.history.none} `}
            {oldest.isTruncated
              ? t.history.notKept(count(oldest.after + 1))
              : oldest.isOldest
                ? t.history.complete
                : t.history.readBackTo(count(oldest.after + 1))}
          </span>
          {!oldest.isOldest && (
            <button type="button" class="button small" disabled={isLoading} onClick={() => setSteps(parts.length + 1)}>
              <Icon name="history" size={15} />
              {t.history.earlier}
            </button>
          )}
          {isLoading && <Spinner />}
        </div>
      )}
    </>
  );
}

function Change({ change, world }: { change: EntityChange; world: string }) {
  const { revision, timeMs, kind, inserted, deleted, quads, unread } = change;
  return (
    <li>
      <div class="row wrap">
        <strong class="number">{t.sparql.revision(count(revision))}</strong>
        <time class="muted number" dateTime={new Date(timeMs).toISOString()}>
          {dateTime(timeMs)}
        </time>
        {kind !== 'changed' && <span class="badge">{t.history.kinds[kind]}</span>}
        {inserted.length > 0 && <span class="number plus">+{count(inserted.length)}</span>}
        {deleted.length > 0 && <span class="number minus">−{count(deleted.length)}</span>}
      </div>
      {inserted.length + deleted.length > 0 && (
        <QuadLines inserted={inserted} deleted={deleted} world={world} max={MAX_SHOWN} />
      )}
      {unread > 0 && <p class="muted">{t.history.unread(count(quads - unread), count(quads))}</p>}
    </li>
  );
}
