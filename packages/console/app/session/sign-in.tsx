import { useState } from 'preact/hooks';
import { t } from '../texts.ts';
import { Icon } from '../ui/icon.tsx';
import { isOnline } from './service.ts';
import { isRemembered, signIn, signInError } from './session.ts';

/** Asks for a token; on a page of its own, or above the views of a session that expired. */
export function SignIn({ heading, hint }: { heading?: string; hint?: string }) {
  const [given, setGiven] = useState('');
  const [remember, setRemember] = useState(isRemembered.value);
  const [isBusy, setBusy] = useState(false);
  const submit = async (event: Event) => {
    event.preventDefault();
    setBusy(true);
    if (await signIn(given, remember)) setGiven('');
    setBusy(false);
  };
  return (
    <form class="token-form" onSubmit={submit}>
      {heading && (
        <>
          <div class="brand">
            <img src="./icon.svg" alt="" />
            <span style={{ display: 'inline' }}>RDF Worlds</span>
          </div>
          <h1>{heading}</h1>
        </>
      )}
      <p class="muted">{hint ?? t.signIn.hint}</p>
      <label class="field">
        <span>{t.signIn.token}</span>
        <input
          class="input mono"
          type="password"
          name="token"
          autocomplete="current-password"
          spellcheck={false}
          autofocus
          value={given}
          onInput={(event) => setGiven(event.currentTarget.value)}
        />
      </label>
      <label class="check">
        <input type="checkbox" checked={remember} onChange={(event) => setRemember(event.currentTarget.checked)} />
        <span>
          {t.signIn.remember}
          <br />
          <small class="muted">{t.signIn.rememberHint}</small>
        </span>
      </label>
      {signInError.value && (
        <div class="note error" role="alert">
          <Icon name="warn" />
          {isOnline.value ? signInError.value : `${t.offline.title} ${t.offline.waiting}`}
        </div>
      )}
      <div class="actions">
        <button type="submit" class="button primary" disabled={isBusy}>
          {isBusy ? t.signIn.checking : t.signIn.submit}
        </button>
      </div>
    </form>
  );
}
