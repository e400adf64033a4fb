import type { ComponentType } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { place } from './router.ts';
import { ROUTES, type RouteRow } from './routes.ts';
import { principal } from './session/own.ts';
import { isOnline } from './session/service.ts';
import { caller, signOut, state } from './session/session.ts';
import { SignIn } from './session/sign-in.tsx';
import { t } from './texts.ts';
import { Dialog } from './ui/dialog.tsx';
import { ErrorNote } from './ui/error-note.tsx';
import { Icon } from './ui/icon.tsx';
import { Menu } from './ui/menu.tsx';
import { Spinner, Waiting } from './ui/spinner.tsx';
import { type Theme, theme } from './ui/theme.ts';
import { Toasts } from './ui/toasts.tsx';

export function App() {
  return (
    <>
      <Inside />
      <Toasts />
    </>
  );
}

function Inside() {
  if (state.value === 'checking') return <Connecting />;
  if (state.value === 'signedOut') {
    return (
      <main class="sign-in">
        <SignIn heading={t.signIn.title} />
      </main>
    );
  }
  // Views of another caller are built again.
  return <Shell key={principal.value} />;
}

function Connecting() {
  return (
    <main class="sign-in">
      <div class="stack">
        {isOnline.value ? (
          <Spinner />
        ) : (
          <div class="empty">
            <Icon name="offline" size={30} />
            <h1>{t.offline.title}</h1>
            <p>{t.offline.waiting}</p>
          </div>
        )}
      </div>
    </main>
  );
}

function Shell() {
  const route = ROUTES.find(({ name }) => name === (place.value.path[0] ?? ROUTES[0]!.name));
  const main = useRef<HTMLElement>(null);
  const isFirst = useRef(true);
  useEffect(() => {
    document.title = `${route?.title ?? t.notFound.title} · RDF Worlds`;
    // A new view is announced to screen readers, and keys act on it.
    if (!isFirst.current) main.current?.focus();
    isFirst.current = false;
  }, [route?.name]);
  return (
    <div class="shell">
      <button type="button" class="button skip" onClick={() => main.current?.focus()}>
        {t.nav.skip}
      </button>
      <header class="side">
        <a class="brand" href="#/worlds" aria-label="RDF Worlds">
          <img src="./icon.svg" alt="" />
          <span>RDF Worlds</span>
        </a>
        <nav aria-label={t.nav.label}>
          {ROUTES.filter((row) => row.icon).map((row) => (
            <a
              key={row.name}
              href={`#/${row.name}`}
              aria-current={row.name === (route?.below ?? route?.name) ? 'page' : undefined}
            >
              <Icon name={row.icon!} />
              {row.title}
            </a>
          ))}
        </nav>
        <div class="foot">
          <Who />
        </div>
      </header>
      {!isOnline.value && (
        <div class="banner" role="alert">
          <Icon name="offline" />
          <span>
            <strong>{t.offline.title}</strong> {t.offline.waiting}
          </span>
        </div>
      )}
      <main class="main" id="main" ref={main} tabIndex={-1}>
        {route ? <LoadedView key={route.name} route={route} /> : <NotFound />}
      </main>
      {state.value === 'expired' && (
        <Dialog title={t.signIn.expired} onClose={signOut}>
          <SignIn hint={t.signIn.expiredHint} />
        </Dialog>
      )}
    </div>
  );
}

const THEMES: readonly Theme[] = ['system', 'light', 'dark'];

function Who() {
  const { id = '', namespace = '', admin = false } = caller.value ?? {};
  return (
    <Menu
      buttonClass="who"
      label={
        <>
          <span class="visually-hidden">{t.account.menu}</span>
          <span class="face" aria-hidden="true">
            {(id[0] ?? '?').toUpperCase()}
          </span>
          <span class="names grow">
            <span class="clip" style={{ display: 'block' }}>
              {id || t.account.anonymous}
            </span>
            <small class="clip">{admin ? t.account.admin : namespace}</small>
          </span>
          <Icon name="more" />
        </>
      }
    >
      <div class="title">{t.theme.label}</div>
      {THEMES.map((name) => (
        <button
          key={name}
          type="button"
          role="menuitemradio"
          aria-checked={theme.value === name}
          onClick={() => {
            theme.value = name;
          }}
        >
          <Icon name={name === 'dark' ? 'moon' : name === 'light' ? 'sun' : 'worlds'} size={16} />
          <span class="grow">{t.theme[name]}</span>
          {theme.value === name && <Icon name="check" size={16} />}
        </button>
      ))}
      <hr style={{ margin: '5px 0' }} />
      <button type="button" role="menuitem" onClick={signOut}>
        <Icon name="signOut" size={16} />
        {t.account.signOut}
      </button>
    </Menu>
  );
}

function LoadedView({ route }: { route: RouteRow }) {
  const [view, setView] = useState<{ View: ComponentType } | { error: unknown } | undefined>();
  useEffect(() => {
    let isWanted = true;
    route.load().then(
      (module) => isWanted && setView(module),
      (error) => isWanted && setView({ error }),
    );
    return () => {
      isWanted = false;
    };
  }, [route]);
  if (!view) {
    return <Waiting />;
  }
  if ('error' in view) {
    return (
      <div class="page">
        <ErrorNote error={view.error}>
          <button type="button" class="button" onClick={() => location.reload()}>
            {t.reload}
          </button>
        </ErrorNote>
      </div>
    );
  }
  return <view.View />;
}

function NotFound() {
  return (
    <div class="empty">
      <Icon name="search" size={30} />
      <h1>{t.notFound.title}</h1>
      <a class="button" href="#/worlds">
        {t.notFound.back}
      </a>
    </div>
  );
}
