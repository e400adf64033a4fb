import { useState } from 'preact/hooks';
import { colourOf, scope, setScope, shownWorld, toggleInScope } from '../session/scope.ts';
import { useWorldNames } from '../session/world-names.ts';
import { t } from '../texts.ts';
import { Icon } from './icon.tsx';
import { Menu } from './menu.tsx';
import { Visible, visibleText } from './visible.tsx';

const MAX_CHIPS = 4;
const MAX_LISTED = 100;

/** Chooses the worlds that a view looks into, each with its colour. */
export function WorldPicker() {
  const [search, setSearch] = useState('');
  const { value: names = [], isLoading } = useWorldNames();
  const wanted = search.trim().toLowerCase();
  const found = names.filter((name) => name.toLowerCase().includes(wanted));
  const chosen = scope.value;
  return (
    <div class="row wrap world-picker">
      {chosen.slice(0, MAX_CHIPS).map((name) => (
        <span key={name} class={`chip ${colourOf(name)}`}>
          <span class={`dot ${colourOf(name)}`} />
          <a href={`#/world/${name}`} class="clip">
            <Visible text={shownWorld(name)} />
          </a>
          <button
            type="button"
            aria-label={visibleText(t.scope.remove(shownWorld(name)), 200)}
            onClick={() => toggleInScope(name)}
          >
            <Icon name="close" size={13} />
          </button>
        </span>
      ))}
      {chosen.length > MAX_CHIPS && <span class="badge">{t.scope.more(chosen.length - MAX_CHIPS)}</span>}
      <Menu
        atStart
        panel={t.scope.search}
        buttonClass="button small"
        label={
          <>
            <Icon name="worlds" size={15} />
            {chosen.length === 0 ? t.scope.choose : t.scope.change}
          </>
        }
      >
        <div class="search-box" style={{ margin: '3px 3px 6px' }}>
          <Icon name="search" size={15} />
          <input
            class="input"
            type="search"
            aria-label={t.scope.search}
            placeholder={t.scope.search}
            value={search}
            onInput={(event) => setSearch(event.currentTarget.value)}
          />
        </div>
        {found.slice(0, MAX_LISTED).map((name) => (
          <button
            key={name}
            type="button"
            class="entry"
            aria-pressed={chosen.includes(name)}
            onClick={() => toggleInScope(name)}
          >
            <span class={`dot ${chosen.includes(name) ? colourOf(name) : ''}`} />
            <span class="grow clip">
              <Visible text={shownWorld(name)} />
            </span>
            {chosen.includes(name) && <Icon name="check" size={15} />}
          </button>
        ))}
        {found.length === 0 && <div class="title">{isLoading ? t.loading : t.scope.none}</div>}
        {found.length > MAX_LISTED && <div class="title">{t.scope.more(found.length - MAX_LISTED)}</div>}
        {chosen.length > 0 && (
          <button type="button" class="entry" onClick={() => setScope([])}>
            <Icon name="close" size={15} />
            {t.scope.clear}
          </button>
        )}
      </Menu>
    </div>
  );
}
