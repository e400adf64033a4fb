import type { World } from '@rdf-worlds/core';
import { useState } from 'preact/hooks';
import { addressOf, go, place } from '../../router.ts';
import { setScope } from '../../session/scope.ts';
import { client } from '../../session/service.ts';
import { caller, isAdmin } from '../../session/session.ts';
import { worldChanges } from '../../session/world-names.ts';
import { worldSize } from '../../session/world-size.ts';
import { t } from '../../texts.ts';
import { ErrorNote } from '../../ui/error-note.tsx';
import { Icon } from '../../ui/icon.tsx';
import { count, dateTime } from '../../ui/numbers.ts';
import { RowSelect } from '../../ui/row-select.tsx';
import { Spinner, Waiting } from '../../ui/spinner.tsx';
import { useLoaded } from '../../ui/use-loaded.ts';
import { Visible } from '../../ui/visible.tsx';
import { CreateWorld } from './create-world.tsx';

const PAGE_SIZE = 25;
/** More worlds than anybody pages through; searches of the server find the others. */
const MAX_WORLDS = 10_000;

export function View() {
  const { namespaces = [], namespace: own = '' } = caller.value ?? {};
  const { query } = place.value;
  const readable = namespaces.filter(({ read }) => read).map(({ namespace }) => namespace);
  const namespace = query.get('namespace') ?? (readable.includes(own) ? own : (readable[0] ?? own));
  const [search, setSearch] = useState('');
  const [page, setPage] = useState(0);
  const [isCreating, setCreating] = useState(query.has('create'));
  const {
    value: worlds,
    error,
    isLoading,
    reload,
  } = useLoaded(
    async (signal) => {
      const all: World[] = [];
      for await (const world of client.worlds({ namespace })) {
        if (signal.aborted || all.length === MAX_WORLDS) break;
        all.push(world);
      }
      return all;
    },
    [namespace, worldChanges.value],
  );
  // An administrator may begin a namespace.
  const mayWrite = isAdmin.value || namespaces.some((access) => access.namespace === namespace && access.write);
  const wanted = search.trim().toLowerCase();
  const found = (worlds ?? []).filter(
    ({ slug, label, description }) =>
      wanted === '' || [slug, label, description].some((text) => text?.toLowerCase().includes(wanted)),
  );
  const pages = Math.max(1, Math.ceil(found.length / PAGE_SIZE));
  const current = Math.min(page, pages - 1);
  const shown = found.slice(current * PAGE_SIZE, (current + 1) * PAGE_SIZE);
  const create = mayWrite && (
    <button type="button" class="button primary" onClick={() => setCreating(true)}>
      <Icon name="plus" />
      {t.worlds.create}
    </button>
  );

  return (
    <div class="page">
      <div class="head">
        <div class="titles">
          <h1>{t.nav.worlds}</h1>
          <p>{t.worlds.about}</p>
        </div>
        {create}
      </div>
      <div class="row wrap">
        <label class="search-box grow" style={{ maxWidth: '380px' }}>
          <span class="visually-hidden">{t.worlds.search}</span>
          <Icon name="search" size={16} />
          <input
            class="input"
            type="search"
            placeholder={t.worlds.search}
            value={search}
            onInput={(event) => {
              setSearch(event.currentTarget.value);
              setPage(0);
            }}
          />
        </label>
        {readable.length > 1 && (
          <RowSelect
            label={t.worlds.namespace}
            values={readable}
            value={namespace}
            onChange={(next) => go(addressOf(['worlds'], { namespace: next }))}
          />
        )}
        <button type="button" class="button quiet icon" aria-label={t.refresh} onClick={reload}>
          <Icon name="refresh" />
        </button>
        {isLoading && worlds && <Spinner />}
      </div>
      {error !== undefined && (
        <ErrorNote error={error}>
          <button type="button" class="button small" onClick={reload}>
            {t.retry}
          </button>
        </ErrorNote>
      )}
      {!worlds && isLoading && <Waiting />}
      {worlds && worlds.length === 0 && (
        <div class="card empty">
          <Icon name="worlds" size={34} />
          <h2>{t.worlds.none}</h2>
          <p>{mayWrite ? t.worlds.noneHint : t.worlds.noneReadable}</p>
          {create}
        </div>
      )}
      {worlds && worlds.length > 0 && found.length === 0 && (
        <div class="card empty">
          <Icon name="search" size={30} />
          <h2>{t.worlds.notFound(search)}</h2>
        </div>
      )}
      {shown.length > 0 && (
        <div class="card world-list">
          <table class="table">
            <thead>
              <tr>
                <th>{t.worlds.world}</th>
                <th class="end">{t.worlds.quads}</th>
                <th class="end only-wide-cell">{t.worlds.revision}</th>
                <th class="only-wide-cell">{t.worlds.updated}</th>
                <th>
                  <span class="visually-hidden">{t.worlds.actions}</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {shown.map((world) => (
                <Row key={`${world.namespace}/${world.slug}`} world={world} />
              ))}
            </tbody>
          </table>
        </div>
      )}
      {pages > 1 && (
        <nav class="row" aria-label={t.worlds.paging} style={{ justifyContent: 'space-between' }}>
          <span class="muted number">
            {t.worlds.range(current * PAGE_SIZE + 1, Math.min(found.length, (current + 1) * PAGE_SIZE), found.length)}
          </span>
          <span class="row">
            <button type="button" class="button small" disabled={current === 0} onClick={() => setPage(current - 1)}>
              <Icon name="left" size={15} />
              {t.previous}
            </button>
            <button
              type="button"
              class="button small"
              disabled={current === pages - 1}
              onClick={() => setPage(current + 1)}
            >
              {t.next}
              <Icon name="right" size={15} />
            </button>
          </span>
        </nav>
      )}
      {isCreating && <CreateWorld namespace={namespace} onClose={() => setCreating(false)} />}
    </div>
  );
}

function Row({ world }: { world: World }) {
  const { namespace, slug, label, description, revision, updatedAt } = world;
  const name = `${namespace}/${slug}`;
  const size = useLoaded(() => worldSize(world), [name, revision, updatedAt]);
  const query = () => {
    setScope([name]);
    go(addressOf(['sparql']));
  };
  return (
    <tr>
      <td class="world-name">
        <a href={addressOf(['world', namespace, slug])}>
          <Visible text={label || slug} max={120} />
        </a>
        <div class="muted clip">
          {label && <code>{slug}</code>}
          {label && description && ' · '}
          {description && <Visible text={description} max={160} />}
        </div>
      </td>
      <td class="end number">{size.value === undefined ? <span class="muted">…</span> : count(size.value)}</td>
      <td class="end number only-wide-cell">{count(revision)}</td>
      <td class="muted nowrap only-wide-cell">{dateTime(updatedAt)}</td>
      <td class="end nowrap">
        <button type="button" class="button quiet small" onClick={query}>
          <Icon name="sparql" size={15} />
          <span class="only-wide-inline">{t.worlds.query}</span>
          <span class="visually-hidden">{slug}</span>
        </button>
      </td>
    </tr>
  );
}
