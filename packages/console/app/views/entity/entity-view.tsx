import './entity.css';
import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { bestLabel, LABELS } from '../../rdf/labels.ts';
import { learnFrom } from '../../rdf/prefixes.ts';
import { IriView, shownIri, TermView } from '../../rdf/term-view.tsx';
import { vocabularyOf } from '../../rdf/vocabulary.ts';
import { addressOf, go, place } from '../../router.ts';
import { colourOf, setScope, shownWorld } from '../../session/scope.ts';
import { t } from '../../texts.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { Icon } from '../../ui/icon.tsx';
import { MoreButton } from '../../ui/long-text.tsx';
import { count } from '../../ui/numbers.ts';
import { Spinner, Waiting } from '../../ui/spinner.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { type Loaded, useLoaded } from '../../ui/use-loaded.ts';
import { Visible, VisiblePart, visibleText } from '../../ui/visible.tsx';
import { type Properties, type Property, propertiesOf, STEPS, type Value } from './entity-data.ts';
import { EntityHistory } from './history-panel.tsx';

const TABS = ['properties', 'links', 'graph', 'history'] as const;
type TabName = (typeof TABS)[number];
const RDF_TYPE = 'http://www.w3.org/1999/02/22-rdf-syntax-ns#type';
const MAX_TITLE = 200;

/** The page of an entity in some worlds. */
export function View() {
  const { query } = place.value;
  const name = query.get('of') ?? '';
  const worlds = (query.get('worlds') ?? '').split(' ').filter(Boolean);
  return <Entity key={`${name} ${worlds.join(' ')}`} name={name} worlds={worlds} />;
}

/** Properties or links, and how to read more of them. */
interface Growing extends Loaded<Properties> {
  /** Undefined if there are no more, or too many for a page. */
  readonly loadMore: (() => void) | undefined;
}

function useProperties(name: string, worlds: readonly string[], isInward: boolean): Growing {
  const [step, setStep] = useState(0);
  const loaded = useLoaded(
    async (signal) => {
      const found = await propertiesOf({ name, worlds, isInward, limit: STEPS[step]!, signal });
      learnFrom(irisOf(found));
      return found;
    },
    [step],
  );
  const { value, isLoading } = loaded;
  const hasMore = value !== undefined && value.read < value.total && step < STEPS.length - 1;
  return { ...loaded, loadMore: hasMore && !isLoading ? () => setStep(step + 1) : undefined };
}

/** The IRIs of the values; what they have in common is shown as a prefix. */
function irisOf({ properties }: Properties): readonly string[] {
  return properties
    .flatMap(({ values }) => values)
    .filter(({ term }) => term.termType === 'NamedNode')
    .map(({ term }) => term.value);
}

function Entity({ name, worlds }: { name: string; worlds: readonly string[] }) {
  const given = TABS.find((each) => each === place.value.query.get('tab')) ?? 'properties';
  const setTab = (tab: TabName) =>
    go(addressOf(['entity'], { worlds: worlds.join(' '), of: name, tab }), { replace: true });
  const properties = useProperties(name, worlds, false);
  const links = useProperties(name, worlds, true);
  useEffect(() => {
    vocabularyOf(worlds).catch(() => undefined);
  }, [worlds.join(' ')]);
  const known = properties.value?.properties ?? [];
  const titles = known.filter(({ predicate }) => LABELS.has(predicate)).flatMap(({ values }) => values);
  const title = bestLabel(titles.map(({ term }) => term).filter((term) => term.termType === 'Literal'))?.value;
  const types = known.find(({ predicate }) => predicate === RDF_TYPE)?.values ?? [];
  const isWeb = /^https?:\/\//.test(name);
  const isKnown = (properties.value?.total ?? 1) + (links.value?.total ?? 1) > 0;
  const tab = given === 'graph' && !isKnown ? 'properties' : given;
  return (
    <div class="page">
      <div class="head">
        <div class="titles entity-head">
          <div class="row wrap">
            {worlds.map((world) => (
              <span key={world} class="row crumbs">
                <span class={`dot ${colourOf(world)}`} />
                <a href={`#/world/${world}`}>{shownWorld(world)}</a>
              </span>
            ))}
          </div>
          <h1 dir="auto">
            <Visible text={title ?? shownIri(name)} max={MAX_TITLE} />
          </h1>
          {types.length > 0 && (
            <div class="row wrap">
              {types.map(({ term }) => (
                <span key={term.value} class="badge accent">
                  <IriView iri={term.value} worlds={worlds} max={60} />
                </span>
              ))}
            </div>
          )}
          <code class="entity-iri">
            <Visible text={name} max={1_000} />
          </code>
        </div>
        <div class="row wrap">
          <CopyButton label={t.entity.copy} text={() => name} />
          <a
            class="button"
            href={addressOf(['sparql'], { query: describing(name), title: t.entity.query })}
            onClick={() => setScope(worlds)}
          >
            <Icon name="sparql" size={16} />
            {t.nav.sparql}
          </a>
        </div>
      </div>
      {properties.error !== undefined && <ErrorNote error={properties.error} />}
      {!isKnown && (
        <div class="card empty">
          <Icon name="search" size={28} />
          <h2>{t.entity.unknown}</h2>
          {isWeb && <p>{t.entity.unknownHint}</p>}
        </div>
      )}
      {/* What is gone may have a history. */}
      <div>
        <Tabs<TabName>
          label={t.entity.parts}
          current={tab}
          onChange={setTab}
          panelClass="entity-panel"
          tabs={[
            { name: 'properties', label: t.entity.properties },
            {
              name: 'links',
              label: (
                <>
                  {t.entity.links} {links.value && <span class="badge number">{count(links.value.total)}</span>}
                </>
              ),
            },
            { name: 'graph', label: t.entity.graph, isDisabled: !isKnown },
            { name: 'history', label: t.entity.history },
          ]}
        >
          {tab === 'properties' && <PropertyList loaded={properties} worlds={worlds} none={t.entity.noProperties} />}
          {tab === 'links' && <PropertyList loaded={links} worlds={worlds} none={t.entity.noLinks} isInward />}
          {tab === 'graph' && <EntityGraph name={name} title={title} worlds={worlds} />}
          {tab === 'history' && <EntityHistory name={name} worlds={worlds} />}
        </Tabs>
      </div>
    </div>
  );
}

function describing(name: string): string {
  return name.startsWith('_:') ? 'SELECT * { ?s ?p ?o } LIMIT 100' : `DESCRIBE <${name}>`;
}

interface PropertyListProps {
  readonly loaded: Growing;
  readonly worlds: readonly string[];
  readonly none: string;
  readonly isInward?: boolean;
}

function PropertyList({ loaded, worlds, none, isInward = false }: PropertyListProps) {
  const { value, error, isLoading, loadMore } = loaded;
  if (!value) return error === undefined ? <Waiting /> : <ErrorNote error={error} />;
  const { properties, read, total } = value;
  if (properties.length === 0) return <p class="muted">{none}</p>;
  return (
    <div class="stack">
      {read < total && (
        <div class="row wrap" role="status">
          <span>{t.entity.cut(count(read), count(total))}</span>
          {loadMore && (
            <button type="button" class="button small" onClick={loadMore}>
              {t.entity.loadMore}
            </button>
          )}
          {isLoading && <Spinner />}
        </div>
      )}
      {error !== undefined && <ErrorNote error={error} />}
      <dl class="card properties">
        {properties.map((property) => (
          <PropertyRow key={property.predicate} property={property} worlds={worlds} isInward={isInward} />
        ))}
      </dl>
    </div>
  );
}

/** Values that are shown of a property at first, and how many times as many are shown next. */
const FEW_VALUES = 50;
const GROWTH = 10;

interface PropertyRowProps {
  readonly property: Property;
  readonly worlds: readonly string[];
  readonly isInward: boolean;
}

function PropertyRow({ property: { predicate, values }, worlds, isInward }: PropertyRowProps) {
  const [max, setMax] = useState(FEW_VALUES);
  return (
    <div>
      <dt>
        {isInward && <span class="muted">{t.entity.is} </span>}
        <IriView iri={predicate} worlds={worlds} />
        {isInward && <span class="muted"> {t.entity.of}</span>}
      </dt>
      <dd>
        <ul>
          {values.slice(0, max).map((each, i) => (
            <li key={i}>
              <ValueView value={each} worlds={worlds} />
            </li>
          ))}
        </ul>
        {values.length > max && (
          <div class="row wrap">
            <span class="muted">{t.entity.shown(count(max), count(values.length))}</span>
            <button type="button" class="button quiet small" onClick={() => setMax(max * GROWTH)}>
              {t.entity.more}
              <span class="visually-hidden"> {visibleText(shownIri(predicate), 80)}</span>
            </button>
          </div>
        )}
      </dd>
    </div>
  );
}

const MAX_LITERAL = 300;
/** Literals up to this length are unfolded in the list, longer ones in a dialog. */
const MAX_UNFOLDED = 5_000;
const MAX_IRI = 160;
/** More than that would make the page slow. */
const MAX_WHOLE = 200_000;

function ValueView({ value: { term, label, graph }, worlds }: { value: Value; worlds: readonly string[] }) {
  const [isWhole, setWhole] = useState(false);
  const [isUnfolded, setUnfolded] = useState(false);
  const length = term.termType === 'Literal' ? term.value.length : 0;
  const max = term.termType === 'NamedNode' ? MAX_IRI : isUnfolded ? MAX_UNFOLDED : MAX_LITERAL;
  return (
    <div class="value">
      {label !== undefined && term.termType === 'NamedNode' ? (
        <>
          <a href={addressOf(['entity'], { worlds: worlds.join(' '), of: term.value })}>
            <Visible text={label} max={MAX_TITLE} />
          </a>{' '}
          <span class="muted">
            <Visible text={shownIri(term.value)} max={100} />
          </span>
        </>
      ) : (
        <TermView term={term} worlds={worlds} max={max} />
      )}
      {length > MAX_LITERAL && length <= MAX_UNFOLDED && <MoreButton isOpen={isUnfolded} onChange={setUnfolded} />}
      {length > MAX_UNFOLDED && (
        <button type="button" class="button quiet small" onClick={() => setWhole(true)}>
          {t.entity.whole(count(length))}
        </button>
      )}
      {graph !== undefined && (
        <span class="badge" title={t.entity.inGraph}>
          <Visible text={shownIri(graph)} max={60} />
        </span>
      )}
      {isWhole && (
        <Dialog title={t.entity.value} isWide onClose={() => setWhole(false)}>
          <pre class="whole" dir="auto">
            <VisiblePart text={term.value} max={MAX_WHOLE} />
          </pre>
        </Dialog>
      )}
    </div>
  );
}

interface GraphProps {
  readonly name: string;
  readonly title: string | undefined;
  readonly worlds: readonly string[];
}

/** The graph around the entity, which is loaded on demand. */
function EntityGraph(props: GraphProps) {
  const [module, setModule] = useState<{ readonly Neighbourhood: ComponentType<GraphProps> } | undefined>();
  const [error, setError] = useState<unknown>();
  useEffect(() => {
    import('./neighbourhood.tsx').then(setModule, setError);
  }, []);
  if (error !== undefined) return <ErrorNote error={error} />;
  return <div class="card entity-graph">{module ? <module.Neighbourhood {...props} /> : <Spinner />}</div>;
}
