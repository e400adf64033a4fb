import './world.css';
import type { World } from '@rdf-worlds/core';
import { useRef, useState } from 'preact/hooks';
import { IriView } from '../../rdf/term-view.tsx';
import { type Counted, vocabularyOf } from '../../rdf/vocabulary.ts';
import { addressOf, go, place } from '../../router.ts';
import { setScope } from '../../session/scope.ts';
import { client } from '../../session/service.ts';
import { caller } from '../../session/session.ts';
import { worldChanges } from '../../session/world-names.ts';
import { worldSize } from '../../session/world-size.ts';
import { t } from '../../texts.ts';
import { ErrorNote } from '../../ui/error-note.tsx';
import { Icon } from '../../ui/icon.tsx';
import { LongText } from '../../ui/long-text.tsx';
import { Menu } from '../../ui/menu.tsx';
import { count, dateTime } from '../../ui/numbers.ts';
import { Spinner } from '../../ui/spinner.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { type Loaded, useLoaded } from '../../ui/use-loaded.ts';
import { Visible } from '../../ui/visible.tsx';
import { DeleteWorld, RenameWorld } from './change-world.tsx';
import { ExportPanel } from './export-panel.tsx';
import { ImportPanel, type ImportProps, importFiles } from './import-panel.tsx';

const TABS = ['overview', 'import', 'export'] as const;
type TabName = (typeof TABS)[number];
const MAX_DESCRIPTION = 280;
const MAX_LISTED = 12;
/** Further items of a list that are shown at a time. */
const MORE_LISTED = 500;
const MAX_GRAPHS = 1_000;
const GRAPHS = `SELECT ?graph (COUNT(*) AS ?count) { GRAPH ?graph { ?s ?p ?o } } GROUP BY ?graph ORDER BY DESC(?count) LIMIT ${MAX_GRAPHS}`;
const GRAPH_COUNT = 'SELECT (COUNT(*) AS ?count) { SELECT DISTINCT ?graph { GRAPH ?graph { ?s ?p ?o } } }';

export function View() {
  const [, namespace = '', slug = ''] = place.value.path;
  const name = `${namespace}/${slug}`;
  const given = place.value.query.get('tab') as TabName | null;
  const tab = given && TABS.includes(given) ? given : 'overview';
  const world = useLoaded(() => client.getWorld({ source: name }), [worldChanges.value], name);
  const graphs = useLoaded(() => graphsOf(name), [worldChanges.value], name);
  const taker: ImportProps['taker'] = useRef(undefined);
  const [dialog, setDialog] = useState<'rename' | 'delete' | undefined>();
  const mayWrite = caller.value?.namespaces.some((access) => access.namespace === namespace && access.write) ?? false;
  const show = (next: TabName) => go(addressOf(['world', namespace, slug], { tab: next }), { replace: true });
  const open = (view: string) => {
    setScope([name]);
    go(addressOf([view]));
  };

  if (world.error !== undefined && !world.value) {
    return (
      <div class="page">
        <ErrorNote error={world.error}>
          <button type="button" class="button small" onClick={world.reload}>
            {t.retry}
          </button>
        </ErrorNote>
      </div>
    );
  }
  if (world.value === null) {
    return (
      <div class="empty">
        <Icon name="worlds" size={32} />
        <h1>{t.world.missing(name)}</h1>
        <a class="button" href="#/worlds">
          {t.notFound.back}
        </a>
      </div>
    );
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: files may be dropped anywhere; the import tab has a button
    <div
      class="page"
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault();
        if (!mayWrite) return;
        const files = event.dataTransfer?.files;
        // The panel may show other options, and asks before data is replaced.
        if (taker.current) return taker.current(files);
        show('import');
        const target = { world: name, graph: undefined, baseIri: undefined, isReplacing: false };
        void importFiles(files ?? [], target);
      }}
    >
      <div class="head">
        <div class="titles">
          <nav class="crumbs" aria-label={t.world.place}>
            <a href={addressOf(['worlds'], { namespace })}>{namespace}</a>
            <Icon name="right" size={13} />
            <code>{slug}</code>
          </nav>
          <h1>{world.value ? <Visible text={world.value.label || slug} max={200} /> : slug}</h1>
          {world.value?.description && (
            <p>
              <LongText text={world.value.description} max={MAX_DESCRIPTION} />
            </p>
          )}
        </div>
        <div class="row wrap">
          <button type="button" class="button" onClick={() => open('sparql')}>
            <Icon name="sparql" size={16} />
            {t.nav.sparql}
          </button>
          <button type="button" class="button" onClick={() => open('search')}>
            <Icon name="search" size={16} />
            {t.nav.search}
          </button>
          <button type="button" class="button" onClick={() => open('schema')}>
            <Icon name="schema" size={16} />
            {t.nav.schema}
          </button>
          {mayWrite && (
            <Menu name={t.world.more} buttonClass="button icon" label={<Icon name="more" />}>
              <button type="button" role="menuitem" onClick={() => setDialog('rename')}>
                <Icon name="edit" size={16} />
                {t.world.rename}
              </button>
              <button type="button" role="menuitem" onClick={() => setDialog('delete')}>
                <Icon name="trash" size={16} />
                {t.world.delete}
              </button>
            </Menu>
          )}
        </div>
      </div>
      <div>
        <Tabs
          label={t.world.tabs}
          current={tab}
          onChange={show}
          panelClass="world-panel"
          tabs={[
            { name: 'overview', label: t.world.overview },
            { name: 'import', label: t.world.import, isDisabled: !mayWrite },
            { name: 'export', label: t.world.export },
          ]}
        >
          {tab === 'overview' && <Overview world={world.value} name={name} graphs={graphs} />}
          {tab === 'import' && <ImportPanel world={name} taker={taker} />}
          {tab === 'export' && <ExportPanel world={name} graphs={graphs.value ?? NO_GRAPHS} />}
        </Tabs>
      </div>
      {dialog === 'rename' && world.value && <RenameWorld world={world.value} onClose={() => setDialog(undefined)} />}
      {dialog === 'delete' && world.value && <DeleteWorld world={world.value} onClose={() => setDialog(undefined)} />}
    </div>
  );
}

/** The named graphs with the most quads, and how many there are. */
interface Graphs {
  readonly items: readonly Counted[];
  readonly total: number;
}

const NO_GRAPHS: Graphs = { items: [], total: 0 };

async function graphsOf(name: string): Promise<Graphs> {
  const rows = await client.select({ sources: [name], query: GRAPHS });
  const items: Counted[] = [];
  for await (const row of rows) items.push({ iri: row.get('graph')!.value, count: Number(row.get('count')?.value) });
  if (items.length < MAX_GRAPHS) return { items, total: items.length };
  const [counted] = await (await client.select({ sources: [name], query: GRAPH_COUNT })).array();
  return { items, total: Number(counted!.get('count')!.value) };
}

interface OverviewProps {
  readonly world: World | undefined;
  readonly name: string;
  readonly graphs: Loaded<Graphs>;
}

function Overview({ world, name, graphs }: OverviewProps) {
  const size = useLoaded(async () => (world ? worldSize(world) : undefined), [world?.revision, world?.updatedAt], name);
  const vocabulary = useLoaded(() => vocabularyOf([name], String(world?.revision)), [world?.revision], name);
  if (size.value === 0) {
    return (
      <div class="card empty">
        <Icon name="upload" size={32} />
        <h2>{t.world.empty}</h2>
        <p>{t.world.emptyHint}</p>
        <a class="button primary" href={addressOf(['world', ...name.split('/')], { tab: 'import' })}>
          {t.world.import}
        </a>
      </div>
    );
  }
  const numbers: readonly (readonly [title: string, value: string, isLong?: boolean])[] = [
    [t.worlds.quads, size.value === undefined ? '…' : count(size.value)],
    [t.world.classes, vocabulary.value ? count(vocabulary.value.totals.classes) : '…'],
    [t.world.predicates, vocabulary.value ? count(vocabulary.value.totals.predicates) : '…'],
    [t.world.graphs, graphs.value ? count(graphs.value.total) : '…'],
    [t.worlds.revision, world ? count(world.revision) : '…'],
    [t.worlds.updated, world ? dateTime(world.updatedAt) : '…', true],
  ];
  return (
    <div class="stack" style={{ gap: '18px' }}>
      <dl class="numbers">
        {numbers.map(([title, value, isLong]) => (
          <div key={title}>
            <dt>{title}</dt>
            <dd class={isLong ? 'number long' : 'number'}>{value}</dd>
          </div>
        ))}
      </dl>
      {vocabulary.error !== undefined && <ErrorNote error={vocabulary.error} />}
      <div class="lists">
        <Counts
          title={t.world.classes}
          items={vocabulary.value?.classes}
          total={vocabulary.value?.totals.classes}
          world={name}
        />
        <Counts
          title={t.world.predicates}
          items={vocabulary.value?.predicates}
          total={vocabulary.value?.totals.predicates}
          world={name}
        />
        {graphs.value && graphs.value.total > 0 && (
          <Counts title={t.world.graphs} items={graphs.value.items} total={graphs.value.total} world={name} />
        )}
      </div>
    </div>
  );
}

interface CountsProps {
  readonly title: string;
  /** Most used first. */
  readonly items: readonly Counted[] | undefined;
  /** How many there are; `items` may be cut. */
  readonly total: number | undefined;
  readonly world: string;
}

function Counts({ title, items = [], total, world }: CountsProps) {
  const [max, setMax] = useState(MAX_LISTED);
  const most = Math.max(1, items[0]?.count ?? 1);
  const shown = items.slice(0, max);
  return (
    <section class="card">
      <header>
        <h2 class="grow">{title}</h2>
        {total !== undefined && <span class="badge number">{count(total)}</span>}
      </header>
      <ol class="counts">
        {shown.map(({ iri, count: uses }) => (
          <li key={iri}>
            <span class="clip grow">
              <IriView iri={iri} worlds={[world]} />
            </span>
            <span class="bar" aria-hidden="true">
              <span style={{ width: `${Math.max(2, (uses / most) * 100)}%` }} />
            </span>
            <span class="number">{count(uses)}</span>
          </li>
        ))}
        {total === undefined && (
          <li>
            <Spinner />
          </li>
        )}
        {total === 0 && <li class="muted">{t.world.noneOfThese}</li>}
      </ol>
      {items.length > MAX_LISTED && (
        <div class="row wrap" style={{ padding: '0 10px 10px' }}>
          {items.length > max && (
            <button type="button" class="button quiet small" onClick={() => setMax(max + MORE_LISTED)}>
              {items.length > max + MORE_LISTED ? t.world.next(count(MORE_LISTED)) : t.world.all(count(items.length))}
              <span class="visually-hidden"> {title}</span>
            </button>
          )}
          {max > MAX_LISTED && (
            <button type="button" class="button quiet small" onClick={() => setMax(MAX_LISTED)}>
              {t.world.fewer}
              <span class="visually-hidden"> {title}</span>
            </button>
          )}
          {total !== undefined && total > items.length && (
            <span class="muted">{t.world.notListed(count(total - items.length))}</span>
          )}
        </div>
      )}
    </section>
  );
}
