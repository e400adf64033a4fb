import './search.css';
import type { HitExplanation, TripleSearchResult } from '@rdf-worlds/core';
import { useEffect, useState } from 'preact/hooks';
import { labelsOf } from '../../rdf/labels.ts';
import { learnFrom } from '../../rdf/prefixes.ts';
import { entityAddress, IriView, shownIri } from '../../rdf/term-view.tsx';
import { vocabularyOf } from '../../rdf/vocabulary.ts';
import { addressOf, go, linkTo, place } from '../../router.ts';
import { colourOf, scope, scopeKey, sharedScope, shownWorld, takeScope } from '../../session/scope.ts';
import { t } from '../../texts.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { Icon } from '../../ui/icon.tsx';
import { count, duration } from '../../ui/numbers.ts';
import { Spinner, Waiting } from '../../ui/spinner.tsx';
import { useLoaded, useSettled } from '../../ui/use-loaded.ts';
import { Visible, VisiblePart, visibleText } from '../../ui/visible.tsx';
import { WorldPicker } from '../../ui/world-picker.tsx';
import { type FacetCount, searchWorlds } from './search-request.ts';

const SETTLE_MS = 120;
const PAGE = 20;
const MAX_HITS = 1_000;
const MAX_FACETS = 8;

export function View() {
  const { query: parameters } = place.value;
  const given = parameters.get('q') ?? '';
  const givenWorlds = parameters.get('worlds');
  const givenTypes = parameters.getAll('type');
  const givenPredicates = parameters.getAll('predicate');
  const givenWithin = parameters.getAll('world');
  const [text, setText] = useState(() => {
    takeScope(givenWorlds);
    return given;
  });
  const [types, setTypes] = useState<readonly string[]>(givenTypes);
  const [predicates, setPredicates] = useState<readonly string[]>(givenPredicates);
  const [within, setWithin] = useState<readonly string[]>(givenWithin);
  const [limit, setLimit] = useState(PAGE);
  /** On narrow screens, where the facets are above the hits. */
  const [isNarrowing, setNarrowing] = useState(false);
  const query = useSettled(text.trim(), SETTLE_MS);
  const worlds = scope.value;
  // A single world is no choice, and one that is no longer searched is no longer chosen.
  const chosenWorlds = worlds.length > 1 ? within.filter((name) => worlds.includes(name)) : [];
  const found = useLoaded(
    async (signal) => {
      if (query === '' || worlds.length === 0) return undefined;
      return searchWorlds({ query, worlds, chosen: { types, predicates, worlds: chosenWorlds }, limit }, signal);
    },
    [query, scopeKey.value, keyOf(types), keyOf(predicates), keyOf(chosenWorlds), limit],
  );
  const { value, error, isLoading } = found;
  const subjects = value?.hits.map(({ subject }) => subject) ?? [];
  const labels = useLoaded(
    async (signal) => {
      learnFrom(new Set(subjects));
      return labelsOf(subjects, worlds, signal);
    },
    [value],
  );
  useEffect(() => {
    // Learns the prefixes that hits are shown with.
    if (worlds.length > 0) vocabularyOf(worlds).catch(() => undefined);
  }, [scopeKey.value]);
  useEffect(() => setLimit(PAGE), [query]);
  // The address follows the view, and the view an address that is opened while it is shown.
  const shared = () => ({
    q: query,
    worlds: sharedScope(),
    type: types,
    predicate: predicates,
    world: chosenWorlds,
  });
  useEffect(() => {
    const address = addressOf(['search'], shared());
    if (address !== location.hash) go(address, { replace: true });
  }, [query, scopeKey.value, keyOf(types), keyOf(predicates), keyOf(chosenWorlds)]);
  useEffect(() => {
    if (given !== query) setText(given);
    takeScope(givenWorlds);
    setTypes(givenTypes);
    setPredicates(givenPredicates);
    setWithin(givenWithin);
  }, [given, givenWorlds, keyOf(givenTypes), keyOf(givenPredicates), keyOf(givenWithin)]);
  const hits = query === '' ? undefined : value?.hits;
  const facets = query === '' ? undefined : value?.facets;
  const chosenCount = types.length + predicates.length + chosenWorlds.length;
  const isFiltered = chosenCount > 0;
  return (
    <div class="page">
      <h1 class="visually-hidden">{t.nav.search}</h1>
      <div class="stack">
        <label class="search-box big">
          <span class="visually-hidden">{t.search.label}</span>
          <Icon name="search" size={20} />
          <input
            class="input"
            type="search"
            placeholder={t.search.label}
            value={text}
            autofocus
            onInput={(event) => setText(event.currentTarget.value)}
          />
        </label>
        <div class="row wrap">
          <WorldPicker />
          <div class="row search-state">
            <span class="row muted number nowrap" role="status">
              {isLoading && query !== '' && <Spinner />}
              {hits && t.search.found(count(facets?.hits ?? hits.length), duration(value!.tookMs))}
            </span>
            {facets && (
              <button
                type="button"
                class="button facets-toggle"
                aria-expanded={isNarrowing}
                aria-controls="facets"
                onClick={() => setNarrowing(!isNarrowing)}
              >
                <Icon name="filter" size={15} />
                {t.search.filters}
                {isFiltered && <span class="badge">{count(chosenCount)}</span>}
              </button>
            )}
            {query !== '' && <CopyButton isShort label={t.copy.link} text={() => linkTo(['search'], shared())} />}
          </div>
        </div>
      </div>
      {error !== undefined && query !== '' && <ErrorNote error={error} />}
      {query === '' && (
        <div class="empty">
          <Icon name="search" size={32} />
          <h2>{t.search.start}</h2>
          <p>{t.search.startHint}</p>
        </div>
      )}
      {/* The first search of a large world may have to wait for its index. */}
      {isLoading && !hits && query !== '' && worlds.length > 0 && <Waiting />}
      {hits && (
        <div class={`search-grid ${facets ? '' : 'plain'}`}>
          <div class="stack">
            {hits.length === 0 && (
              <div class="empty card">
                <Icon name="search" size={30} />
                <h2>
                  <Visible text={t.search.none(query)} max={300} />
                </h2>
                <p>{isFiltered ? t.search.noneFiltered : t.search.noneHint}</p>
                {isFiltered && (
                  <button
                    type="button"
                    class="button"
                    onClick={() => {
                      setTypes([]);
                      setPredicates([]);
                      setWithin([]);
                    }}
                  >
                    {t.search.clear}
                  </button>
                )}
              </div>
            )}
            <ol class="hits">
              {hits.map((hit) => (
                <Hit
                  key={`${hit.world.slug} ${hit.subject} ${hit.predicate} ${hit.object}`}
                  hit={hit}
                  label={labels.value?.get(hit.subject)}
                />
              ))}
            </ol>
            {hits.length === limit && limit < MAX_HITS && (
              <button type="button" class="button" onClick={() => setLimit(Math.min(MAX_HITS, limit * 2))}>
                {t.search.more}
              </button>
            )}
          </div>
          {facets && (
            <aside id="facets" class={`stack ${isNarrowing ? 'open' : ''}`} aria-label={t.search.facets}>
              <FacetList title={t.search.types} counts={facets.types} chosen={types} onChange={setTypes} />
              <FacetList
                title={t.search.predicates}
                counts={facets.predicates}
                chosen={predicates}
                onChange={setPredicates}
              />
              {worlds.length > 1 && (
                <FacetList
                  title={t.nav.worlds}
                  counts={facets.worlds}
                  chosen={chosenWorlds}
                  onChange={setWithin}
                  shown={shownWorld}
                  colour={colourOf}
                />
              )}
            </aside>
          )}
        </div>
      )}
    </div>
  );
}

/** Tells lists of IRIs, or of names of worlds, apart. */
const keyOf = (values: readonly string[]) => values.join(' ');

interface FacetProps {
  readonly title: string;
  readonly counts: readonly FacetCount[] | undefined;
  readonly chosen: readonly string[];
  readonly onChange: (chosen: readonly string[]) => void;
  /** How a value is named; an IRI when not given. */
  readonly shown?: (value: string) => string;
  /** The class of the colour of a value. */
  readonly colour?: (value: string) => string;
}

function FacetList({ title, counts = [], chosen, onChange, shown = shownIri, colour }: FacetProps) {
  const [isWhole, setWhole] = useState(false);
  const known = new Set(counts.map(({ value }) => value));
  const all = [...chosen.filter((value) => !known.has(value)).map((value) => ({ value, count: 0 })), ...counts];
  if (all.length === 0) return null;
  return (
    <section class="card">
      <header>
        <h2>{title}</h2>
      </header>
      <ul class="facet">
        {all.slice(0, isWhole ? 100 : MAX_FACETS).map(({ value, count: hits }) => (
          <li key={value}>
            <label class="check row">
              <input
                type="checkbox"
                checked={chosen.includes(value)}
                onChange={() =>
                  onChange(chosen.includes(value) ? chosen.filter((other) => other !== value) : [...chosen, value])
                }
              />
              {colour && <span class={`dot ${colour(value)}`} />}
              <span class="grow clip" title={visibleText(value, 500)}>
                <Visible text={shown(value)} max={60} />
              </span>
              <span class="muted number">{count(hits)}</span>
            </label>
          </li>
        ))}
      </ul>
      {all.length > MAX_FACETS && (
        <button type="button" class="button quiet small" onClick={() => setWhole(!isWhole)}>
          {isWhole ? t.world.fewer : t.world.all(count(all.length))}
        </button>
      )}
    </section>
  );
}

function Hit({ hit, label }: { hit: TripleSearchResult; label: string | undefined }) {
  const [isExplained, setExplained] = useState(false);
  const { subject, predicate, object, world, ftsRank, vecRank, score, explanation } = hit;
  const name = `${world.namespace}/${world.slug}`;
  return (
    <li class="card hit">
      <div class="row wrap hit-head">
        {label === undefined || label === object ? (
          <strong class="clip">
            <IriView iri={subject} worlds={[name]} max={120} />
          </strong>
        ) : (
          <>
            <strong class="clip" dir="auto">
              <a href={entityAddress(subject, [name])} title={visibleText(subject, 500)}>
                <Visible text={label} max={120} />
              </a>
            </strong>
            <span class="muted clip">
              <Visible text={shownIri(subject)} max={120} />
            </span>
          </>
        )}
        <span class="grow" />
        {scope.value.length > 1 && (
          <span class="row">
            <span class={`dot ${colourOf(name)}`} />
            <span class="muted">{shownWorld(name)}</span>
          </span>
        )}
      </div>
      <p class="hit-text" dir="auto">
        <Snippet explanation={explanation} text={object} />
      </p>
      <div class="row wrap hit-foot">
        <span class="hit-predicate clip">
          <IriView iri={predicate} worlds={[name]} max={80} />
        </span>
        {ftsRank !== null && <span class="badge">{t.search.textRank(ftsRank)}</span>}
        {vecRank !== null && <span class="badge">{t.search.vectorRank(vecRank)}</span>}
        <button
          type="button"
          class="button quiet small"
          aria-expanded={isExplained}
          onClick={() => setExplained(!isExplained)}
        >
          {t.search.why}
          <span class="visually-hidden"> {visibleText(shownIri(subject), 80)}</span>
        </button>
      </div>
      {isExplained && (
        <div class="explanation">
          <p class="number">
            {t.search.score(score.toFixed(4))}
            {explanation?.textScore != null && ` · ${t.search.textScore(explanation.textScore.toFixed(3))}`}
            {explanation?.similarity != null && ` · ${t.search.similarity(explanation.similarity.toFixed(3))}`}
          </p>
          {explanation && explanation.terms.length > 0 && (
            <table class="table">
              <thead>
                <tr>
                  <th>{t.search.word}</th>
                  <th>{t.search.matched}</th>
                  <th>{t.search.field}</th>
                  <th class="end">{t.search.frequency}</th>
                  <th class="end">{t.search.points}</th>
                </tr>
              </thead>
              <tbody>
                {explanation.terms.map((term, i) => (
                  <tr key={i}>
                    <td>
                      <Visible text={term.word} max={60} />
                    </td>
                    <td>
                      <Visible text={term.term} max={60} />
                    </td>
                    <td>{term.field}</td>
                    <td class="end number">{term.frequency}</td>
                    <td class="end number">{term.score.toFixed(3)}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          )}
        </div>
      )}
    </li>
  );
}

const MAX_TEXT = 400;

/** The part of the text with the matches, which are marked. */
function Snippet({ explanation, text }: { explanation: HitExplanation | undefined; text: string }) {
  const snippet = explanation?.snippet;
  if (!snippet) return <VisiblePart text={text} max={MAX_TEXT} />;
  const parts = [];
  let at = 0;
  for (const { start, end } of snippet.matches) {
    if (start > at) parts.push(<VisiblePart key={at} text={snippet.text.slice(at, start)} />);
    parts.push(
      <mark key={`m${start}`}>
        <VisiblePart text={snippet.text.slice(start, end)} />
      </mark>,
    );
    at = end;
  }
  return (
    <>
      {snippet.start > 0 && '…'}
      {parts}
      <VisiblePart text={snippet.text.slice(at)} max={MAX_TEXT} />
      {snippet.start + snippet.text.length < text.length && '…'}
    </>
  );
}
