import './schema.css';
import type { WorldSchema } from '@rdf-worlds/core';
import { useEffect, useState } from 'preact/hooks';
import { GraphModel } from '../../graph/graph-model.ts';
import { GraphView } from '../../graph/graph-view.tsx';
import { groupOf } from '../../graph/result-graph.ts';
import { localName, prefixedName } from '../../rdf/prefixes.ts';
import { entityAddress, IriView } from '../../rdf/term-view.tsx';
import { addressOf } from '../../router.ts';
import { scope, setScope, shownWorld } from '../../session/scope.ts';
import { useWorldNames, worldChanges } from '../../session/world-names.ts';
import { t } from '../../texts.ts';
import { ErrorNote } from '../../ui/error-note.tsx';
import { Icon } from '../../ui/icon.tsx';
import { count } from '../../ui/numbers.ts';
import { RowSelect } from '../../ui/row-select.tsx';
import { Waiting } from '../../ui/spinner.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { useLoaded } from '../../ui/use-loaded.ts';
import { visibleText } from '../../ui/visible.tsx';
import { schemaOf } from './schema-data.ts';

const MAX_ROWS = 500;
/** Classes in the picture. */
const MAX_CLASSES = 200;

export function View() {
  const names = useWorldNames();
  const [world, setWorld] = useState(scope.value[0]);
  const [tab, setTab] = useState<'picture' | 'table'>('picture');
  useEffect(() => {
    if (world === undefined && scope.value[0] !== undefined) setWorld(scope.value[0]);
  }, [scope.value]);
  const { value, error } = useLoaded(
    async (signal) => (world === undefined ? undefined : { world, schema: await schemaOf(world, signal) }),
    [world, worldChanges.value],
  );
  const shown = value?.world === world ? value?.schema : undefined;
  return (
    <div class="page full schema">
      <div class="head">
        <div class="titles">
          <h1>{t.nav.schema}</h1>
          <p>{t.schema.about}</p>
        </div>
        <RowSelect
          label={t.nav.world}
          values={names.value ?? (world === undefined ? [] : [world])}
          value={world}
          shown={shownWorld}
          onChange={(next) => {
            setWorld(next);
            setScope([next]);
          }}
        />
      </div>
      {error !== undefined && <ErrorNote error={error} />}
      {!shown && error === undefined && <Waiting />}
      {shown && shown.classes.length === 0 && (
        <div class="card empty">
          <Icon name="schema" size={32} />
          <h2>{t.schema.none}</h2>
          <p>{t.schema.noneHint}</p>
        </div>
      )}
      {shown && shown.classes.length > 0 && (
        <div>
          <CutNote tab={tab} schema={shown} />
          <Tabs
            label={t.schema.shownAs}
            current={tab}
            onChange={setTab}
            panelClass="schema-panel"
            tabs={[
              { name: 'picture', label: t.schema.picture, icon: 'graph' },
              { name: 'table', label: t.schema.table, icon: 'table' },
            ]}
          >
            {tab === 'picture' ? (
              <Picture key={world} schema={shown} world={world!} />
            ) : (
              <Links schema={shown} world={world!} />
            )}
          </Tabs>
        </div>
      )}
    </div>
  );
}

/** What the picture or the table does not show. */
function CutNote({ tab, schema: { classes, links, totals } }: { tab: 'picture' | 'table'; schema: WorldSchema }) {
  const [shown, all, text] =
    tab === 'picture'
      ? [Math.min(classes.length, MAX_CLASSES), totals.classes, t.schema.cutClasses]
      : [Math.min(links.length, MAX_ROWS), totals.links, t.schema.cutLinks];
  return shown < all ? <p class="muted">{text(count(shown), count(all))}</p> : null;
}

function Picture({ schema, world }: { schema: WorldSchema; world: string }) {
  const [model] = useState(() => modelOf(schema));
  return (
    <div class="card schema-picture">
      <GraphView
        label={t.schema.pictureOf(shownWorld(world))}
        model={model}
        version={0}
        addressOf={(node) => entityAddress(model.nodes[node]!.id, [world])}
      />
    </div>
  );
}

function modelOf({ classes, links }: WorldSchema): GraphModel {
  const model = new GraphModel();
  const short = (iri: string) => visibleText(prefixedName(iri) ?? localName(iri), 50);
  for (const { class: iri, count: instances } of classes.slice(0, MAX_CLASSES))
    model.node({ id: iri, label: `${short(iri)} (${count(instances)})`, kind: 'iri', group: groupOf(iri) });
  for (const { from, predicate, to } of links) {
    const source = model.indexOf(from);
    const target = to === null ? undefined : model.indexOf(to);
    if (source !== undefined && target !== undefined) model.edge(source, target, short(predicate), predicate);
  }
  return model;
}

function Links({ schema, world }: { schema: WorldSchema; world: string }) {
  const worlds = [world];
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
    <div class="card schema-table" tabIndex={0} role="group" aria-label={t.schema.table}>
      <table class="table">
        <thead>
          <tr>
            <th>{t.schema.from}</th>
            <th>{t.schema.predicate}</th>
            <th>{t.schema.to}</th>
            <th class="end">{t.worlds.quads}</th>
            <th>
              <span class="visually-hidden">{t.worlds.actions}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {schema.links.slice(0, MAX_ROWS).map(({ from, predicate, to, count: quads }) => (
            <tr key={`${from} ${predicate} ${to}`}>
              <td>
                <IriView iri={from} worlds={worlds} max={60} />
              </td>
              <td>
                <IriView iri={predicate} worlds={worlds} max={60} />
              </td>
              <td>
                {to === null ? (
                  <span class="muted">{t.schema.values}</span>
                ) : (
                  <IriView iri={to} worlds={worlds} max={60} />
                )}
              </td>
              <td class="end number">{count(quads)}</td>
              <td class="end">
                <a
                  class="button quiet small"
                  href={addressOf(['sparql'], { query: queryOf(from, predicate, to) })}
                  onClick={() => setScope(worlds)}
                >
                  {t.worlds.query}
                  <span class="visually-hidden"> {visibleText(localName(predicate), 60)}</span>
                </a>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function queryOf(from: string, predicate: string, to: string | null): string {
  const type = to === null ? '' : ` .\n  ?object a <${to}>`;
  return `SELECT ?subject ?object\nWHERE {\n  ?subject a <${from}> ;\n    <${predicate}> ?object${type}\n}\nLIMIT 100\n`;
}
